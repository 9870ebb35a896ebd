"""Two SciPy linkages of the same points.

You have points, and two linkage matrices that `scipy.cluster.hierarchy.linkage` made of them. You get how alike the
two trees are beyond chance, and the top of each with the species of 150 irises as colours.
"""

from matplotlib import pyplot as plt
from scipy.cluster.hierarchy import linkage
from sklearn.datasets import load_iris

import dendrometry as dm

iris = load_iris()
species = iris.target_names[iris.target].tolist()
trees = {method: dm.from_linkage(linkage(iris.data, method)) for method in ("ward", "single")}

agreement = dm.compare(trees["ward"], trees["single"])["hierarchy_agreement"]
print(f"Hierarchy agreement {agreement.value:.2f}; by chance {agreement.expected:.2f}")
print(f"That is {agreement.adjusted:.0%} of the way from chance to identical trees")

figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
for ax, (method, tree) in zip(axes, trees.items(), strict=True):
    dm.plot.dendrogram(tree, labels=species, top=25, ax=ax)
    ax.set_xlabel(f"height, {method} linkage")
figure.suptitle("The top of two trees of 150 irises")
figure.savefig("linkages.png", dpi=150)
