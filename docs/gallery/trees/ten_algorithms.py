"""Ten algorithms on one data set.

You have one table of points and many algorithms to choose from: here 150 irises and ten ways to build a tree. You get
the agreement of every pair of trees, the trees ordered by it, and the algorithm that is farthest from all others.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

import dendrometry as dm

points = load_iris().data
linkages = ("single", "complete", "average", "weighted", "centroid", "median", "ward")
trees = {linkage: dm.agglomerate(points, linkage=linkage).hierarchy for linkage in linkages}
trees["bisecting k-means"] = dm.cluster.bisect(points, rng=0).hierarchy
trees["principal direction"] = dm.cluster.principal_direction(points).hierarchy
trees["average, cosine"] = dm.agglomerate(points, linkage="average", metric="cosine").hierarchy

matrix = dm.pairwise_matrix(trees, "hierarchy_agreement")
farthest = np.median(matrix.values, axis=0).argmin()
print(f"Farthest from the others: {matrix.names[farthest]}")

figure, ax = plt.subplots(figsize=(8, 6), layout="constrained")
dm.plot.tree_matrix(matrix, ax=ax)
figure.suptitle("Ten trees of 150 irises")
figure.savefig("matrix.png", dpi=150)
