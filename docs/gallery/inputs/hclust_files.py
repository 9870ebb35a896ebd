"""A tree from R's hclust, compared with known types.

You have a tree of thirty animals made in R and written there by `write.csv(data.frame(merge = h$merge, height =
h$height), "hclust_merges.csv", row.names = FALSE)`, and a table of their labels and types. You get the tree with its
branches coloured by type, and how well six clusters of it fit the types.
"""

import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

merges = pd.read_csv("data/hclust_merges.csv")
animals = pd.read_csv("data/hclust_labels.csv")
tree = dm.from_hclust(merges[["merge.1", "merge.2"]], merges["height"], animals["label"])

cut = dm.cut_count(tree, 6)
print(f"{cut.n_clusters} clusters against {animals['type'].nunique()} types:", end=" ")
print(f"adjusted Rand index {dm.adjusted_rand(animals['type'], cut.labels):.2f}")

figure, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
dm.plot.dendrogram(tree, labels=animals["type"], ax=ax)
figure.suptitle("Animals by their traits, as clustered in R")
figure.savefig("animals.png", dpi=150)
