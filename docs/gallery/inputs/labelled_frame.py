"""A labelled pandas frame, and the tree of its numbers.

You have a frame with numbers and a column of labels: here 13 chemical measurements of 178 wines from three growers.
You get a tree of the rows by Ward linkage, and how well three clusters of it fit the labels.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_wine

import dendrometry as dm

frame = load_wine(as_frame=True).frame
numbers = frame.drop(columns="target")
grower = ("grower " + (frame["target"] + 1).astype(str)).tolist()
scaled = (numbers - numbers.mean()) / numbers.std()
tree = dm.agglomerate(scaled.to_numpy(), linkage="ward").hierarchy

cut = dm.cut_count(tree, 3)
print(f"Adjusted Rand index of three clusters and the growers: {dm.adjusted_rand(grower, cut.labels):.2f}")

figure, ax = plt.subplots(figsize=(9, 4.5), layout="constrained")
dm.plot.dendrogram(tree, labels=grower, root="top", ax=ax)
ax.set(xticks=[], xlabel="")
figure.suptitle("178 wines by their chemistry")
figure.savefig("wines.png", dpi=150)
