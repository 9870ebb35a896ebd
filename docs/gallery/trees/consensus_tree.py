"""What several trees agree on: their consensus.

You have several trees of the same items, none of which you trust alone: here 22 capitals of Europe, clustered by
their distances with five linkages. You get the clusters that more than half of the trees contain, as one tree without
heights.
"""

import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

kilometres = pd.read_csv("data/city_distances.csv", index_col="city")
D, cities = kilometres.to_numpy(), kilometres.index
linkages = ("single", "complete", "average", "weighted", "ward")
trees = {linkage: dm.agglomerate_distances(D, linkage=linkage, item_names=cities).hierarchy for linkage in linkages}

found = dm.consensus(trees)
inner = (found.hierarchy.sizes > 1) & (found.hierarchy.sizes < len(cities))
print(f"{found.n_clusters} clusters are in more than half of the {found.n_trees} trees,", end=" ")
print(f"{(found.support[inner] == 1).sum()} of them in all")

figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
dm.plot.dendrogram(found.hierarchy, ax=ax)
ax.set_title("Capitals that most linkages put together")
figure.savefig("consensus.png", dpi=150)
