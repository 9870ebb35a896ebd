"""Two trees at every number of clusters.

You have two trees with heights over the same items, and do not want to choose a number of clusters. You get their
agreement at every number, beside the band in which 95% of unrelated trees of these shapes would lie.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

import dendrometry as dm

points = load_iris().data
average, complete = (dm.agglomerate(points, linkage=linkage).hierarchy for linkage in ("average", "complete"))

curves = dm.stages(average, complete)
few = curves.n_clusters <= 20
best = curves.adjusted_rand[few].argmax()
print(f"Up to 20 clusters they agree best at {curves.n_clusters[few][best]}:", end=" ")
print(f"adjusted Rand index {curves.adjusted_rand[few][best]:.2f}")

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
dm.plot.stage_curves(curves, ["adjusted_rand", "fowlkes_mallows"], ax=ax)
figure.suptitle("Average and complete linkage of 150 irises")
figure.savefig("curves.png", dpi=150)
