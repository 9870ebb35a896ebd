"""A table of distances as a tree.

You have a square table of distances: here kilometres by air between 22 capitals of Europe. You get their tree by
average linkage, cut at 1,000 km: no two clusters below the cut are farther apart on average when they merge.
"""

import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

kilometres = pd.read_csv("data/city_distances.csv", index_col="city")
tree = dm.agglomerate_distances(kilometres.to_numpy(), linkage="average", item_names=kilometres.index).hierarchy

cut = dm.cut_height(tree, 1000)
print(f"Clusters whose cities are less than 1,000 km apart on average: {cut.n_clusters}")
print("The largest:", ", ".join(max(cut.clusters, key=len)))

figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
dm.plot.dendrogram(tree, labels=cut.labels, ax=ax)
ax.axvline(1000, color="grey", linestyle="--", linewidth=1)
ax.set(xlabel="mean distance of two clusters (km)", title="Capitals of Europe, cut at 1,000 km")
ax.get_legend().remove()
figure.savefig("capitals.png", dpi=150)
