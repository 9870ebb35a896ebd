"""Two k-means partitions of the same points.

You have two arrays of labels: here from k-means with 10 clusters on 1,797 handwritten digits, started from two random
seeds. You get how alike the partitions are by several measures, each beside its value by chance.
"""

from matplotlib import pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

import dendrometry as dm

points = load_digits().data
first, second = (KMeans(10, n_init=1, random_state=seed).fit_predict(points) for seed in (1, 2))

result = dm.comparison.compare_partitions(first, second)
table = result.to_frame().loc[["rand", "fowlkes_mallows", "normalized_mutual_information", "variation_similarity"]]
print(f"Adjusted Rand index {dm.adjusted_rand(first, second):.2f}")

figure, ax = plt.subplots(figsize=(8, 3.2), layout="constrained")
names = table.index.str.replace("_", " ")
ax.hlines(names, table["expected"], table["value"], color="#999999", linewidth=3)
ax.scatter(table["expected"], names, color="#999999", s=60, label="by chance", zorder=3)
ax.scatter(table["value"], names, color="#0072B2", s=60, label="these partitions", zorder=3)
ax.set(xlim=(0, 1), ymargin=0.2, title="Two runs of k-means on handwritten digits")
ax.invert_yaxis()
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, ncols=2, loc="upper right", bbox_to_anchor=(1, -0.1))
figure.savefig("partitions.png", dpi=150)
