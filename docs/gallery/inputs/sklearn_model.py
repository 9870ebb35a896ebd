"""A fitted AgglomerativeClustering, and the classes it should find.

You have a model of scikit-learn, fitted to 1,797 pictures of handwritten digits, and the digit that each picture
shows. You get the tree of the model, cut into ten clusters, and which digits share a cluster.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_digits

import dendrometry as dm

digits = load_digits()
model = AgglomerativeClustering(n_clusters=None, distance_threshold=0).fit(digits.data)
cut = dm.cut_count(dm.from_sklearn(model), 10)

print(f"Adjusted Rand index of ten clusters and the digits: {dm.adjusted_rand(digits.target, cut.labels):.2f}")
counts = np.zeros((10, 10), dtype=int)
np.add.at(counts, (digits.target, cut.labels), 1)
counts = counts[:, np.argsort(counts.argmax(axis=0))]  # clusters in the order of their most frequent digit

figure, ax = plt.subplots(figsize=(6.5, 5.5), layout="constrained")
ax.imshow(counts, cmap="Blues")
for digit, cluster in np.argwhere(counts):
    colour = "white" if counts[digit, cluster] > 90 else "black"
    ax.text(cluster, digit, counts[digit, cluster], ha="center", va="center", color=colour, fontsize=9)
ax.set(xlabel="cluster", ylabel="digit", yticks=range(10), xticks=[], title="Which digits share a cluster")
figure.savefig("digits.png", dpi=150)
