"""How many clusters? The largest gap between merges.

You have points in groups that you cannot count by eye, and their tree. You get the cut through the largest gap
between two successive heights of merges, where the next merge has to bridge the longest distance.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import make_blobs

import dendrometry as dm

points, _ = make_blobs(80, centers=[(0, 0), (8, 0), (0, 8), (8, 8)], random_state=3)
tree = dm.agglomerate(points, linkage="average").hierarchy
cut = dm.cut.cut_gap(tree)
heights = np.sort(tree.height)[[-cut.n_clusters, 1 - cut.n_clusters]]  # the merges on either side of the gap
print(f"The largest gap, from height {heights[0]:.1f} to {heights[1]:.1f}, leaves {cut.n_clusters} clusters")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
dm.plot.dendrogram(tree, labels=cut.labels, root="top", ax=left)
left.axhspan(*heights, color="#E69F00", alpha=0.25, zorder=0)
left.get_legend().remove()
left.set(title="The largest gap of the tree", xticks=[], xlabel="")
right.scatter(*points.T, s=20, c=[("#0072B2", "#E69F00", "#009E73", "#CC79A7")[cluster] for cluster in cut.labels])
right.set(title="The clusters that it leaves")
figure.savefig("gap.png", dpi=150)
