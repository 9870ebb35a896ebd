"""Thirty news stories by single and by complete link.

You have short texts. You get their dendrograms by two linkages, with the cosine as the axis and two cuts: single link
adds small clusters to one large cluster (chaining), complete link parts the stories into two halves.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

wire = dm.datasets.news()
found = dm.text.vectorize_documents(wire.stories)
figure, axes = plt.subplots(1, 2, figsize=(12, 6.5), layout="constrained")
for linkage, ax in zip(("single", "complete"), axes, strict=True):
    tree = dm.agglomerate(found.vectors, linkage=linkage, metric="cosine", item_names=found.items).hierarchy
    dm.plot.dendrogram(tree, cuts=[0.4, 0.1], self_similarity=1.0, ax=ax)
    ax.set_title(f"{linkage} link", loc="left")
    sizes = sorted(len(cluster) for cluster in dm.cut_count(tree, 2).clusters)
    print(f"{linkage} link: the last merge joins {sizes[0]} and {sizes[1]} stories")
figure.savefig("news.png", dpi=120)
