"""How many clusters? Four indices at once.

You have points whose number of groups you do not know, and a method that builds their tree. You get four indices of
the quality of every cut, and the number of clusters that each of them chooses.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import make_blobs

import dendrometry as dm

points, _ = make_blobs(150, centers=[(0, 0), (9, 0), (0, 9), (9, 9), (20, 5)], random_state=1)


tree = dm.agglomerate(points).hierarchy
scores = dm.quality.score_cuts(tree, points, max_clusters=12)
gap = dm.quality.gap_statistic(points, lambda drawn: dm.agglomerate(drawn).hierarchy, max_clusters=12)
print(f"Chosen: {', '.join(f'{k} by {name}' for name, k in scores.best.items())}, {gap.best} by the gap")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
dm.plot.cut_scores(scores, gap=gap, ax=left)
labels = dm.cut_count(tree, gap.best).labels
right.scatter(*points.T, s=18, c=[plt.get_cmap("tab10")(cluster) for cluster in labels])
right.set(title=f"The cut into {gap.best} clusters")
figure.savefig("number_of_clusters.png", dpi=150)
