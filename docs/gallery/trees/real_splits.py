"""Which splits of a tree are real.

You have measurements, here 4 of each of 150 irises, and a tree of them, which splits any data down to single flowers.
You get a p-value for each split from the root down, with the chance of naming a node that is one group held at 5 %; the
groups that are left where the evidence ends; and a page to send to others. Two of the three species run into each
other: this test, which asks for a valley of density between two groups, does not tell them apart.
"""

from collections import Counter

from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

import dendrometry as dm

iris = load_iris()
species = [str(iris.target_names[code]) for code in iris.target]
tree = dm.agglomerate(iris.data, linkage="ward", item_names=[f"{i}, {name}" for i, name in enumerate(species)])
found = dm.significance.splits(iris.data, tree.hierarchy, linkage="ward")
groups = dm.cut.cut_significant(found.tree, found.adjusted)
print(f"{found.rejected.sum()} of {found.tested.sum()} tested splits is of two groups")
for number in range(groups.n_clusters):
    members = [name for name, label in zip(species, groups.labels, strict=True) if label == number]
    print(f"group {number + 1}:", dict(Counter(members)))

dm.report(found, "splits.html")
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
dm.plot.dendrogram(found.tree, p_values=found.adjusted, labels=species, top=24, ax=ax)
figure.savefig("p_values.png", dpi=150)
