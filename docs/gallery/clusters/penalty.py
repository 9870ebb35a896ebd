"""How many clusters? A price for each.

You have a tree of points, and a price that one more cluster must be worth. You get the number of clusters at which
the squared distances to the cluster means, plus the price of all clusters, are least: here for 178 wines.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

import dendrometry as dm

wines = scale(load_wine().data)
tree = dm.agglomerate(wines, linkage="ward").hierarchy
squares = dm.cut.residual_squares(tree, wines)

price = 150
cut = dm.cut.cut_penalty(tree, squares, penalty=price)
print(f"At a price of {price} for each cluster, {cut.n_clusters} clusters cost least")

counts = range(1, 11)
costs = [squares[dm.cut_count(tree, count).nodes].sum() for count in counts]
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.bar(counts, costs, color="#56B4E9", label="squared distances to cluster means")
ax.bar(counts, [price * count for count in counts], bottom=costs, color="#E69F00", label="price of the clusters")
ax.set(
    xlabel="number of clusters", ylabel="total", xticks=counts, title=f"178 wines: {cut.n_clusters} clusters cost least"
)
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False)
figure.savefig("penalty.png", dpi=150)
