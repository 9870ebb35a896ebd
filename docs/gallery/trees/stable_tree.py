"""The clusters of a tree that you can trust.

You have measurements, here 13 of each of 178 wines, and a tree of them, which shows clusters in any data. You get the
number of clusters that come back when wines are drawn again, more than in data without clusters; how near each branch
comes back, in percent, below 50 in red; and a page to send to others.
"""

import pandas as pd
from matplotlib import pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

import dendrometry as dm

wine = load_wine()
measured = pd.DataFrame(scale(wine.data), index=[f"{i}, grower {c}" for i, c in enumerate(wine.target)])
found = dm.stability(measured, linkage="ward", n_replicates=50)
choice = found.agreement.choose()
print(f"{choice.n_clusters} clusters are most stable, p = {choice.p_value}")
clusters = dm.cut_count(found.hierarchy, choice.n_clusters)
print(f"agreement with the growers: {dm.adjusted_rand(clusters.labels, wine.target):.2f}")

dm.report(found, "stability.html")
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
dm.plot.dendrogram(found.hierarchy, support=found.support.jaccard, top=24, ax=ax)
figure.savefig("support.png", dpi=150)
