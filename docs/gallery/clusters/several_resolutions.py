"""Clusterings at several resolutions: where they are not nested.

You have several flat clusterings of the same items: here k-means with 2 to 12 clusters, for 101 animals. You get how
items flow from each to the next, and how many must move for the clusterings to form a tree.
"""

from matplotlib import pyplot as plt
from sklearn.cluster import KMeans

import dendrometry as dm

animals = dm.datasets.zoo()
levels = {f"k = {k}": KMeans(k, n_init=10, random_state=0).fit_predict(animals.traits) for k in (2, 3, 5, 7, 9, 12)}
found = dm.partition.resolutions(levels, item_names=animals.items)
print(found.tell())

figure, ax = plt.subplots(figsize=(9, 5), layout="constrained")
dm.plot.resolution_flow(found, ax=ax)
figure.savefig("flow.png", dpi=150)
