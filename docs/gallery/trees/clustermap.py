"""A matrix beside its trees: which rows belong together, and why.

You have a table of numbers: here 16 traits of 101 animals. You get a heat map with trees of its rows and columns, with
clusters marked and similar neighbours side by side, and a list of who is in which cluster.
"""

import dendrometry as dm

animals = dm.datasets.zoo()
found = dm.plot.clustermap(
    animals.traits,
    n_clusters=7,
    n_column_clusters=3,
    scale="columns",
    item_names=animals.items,
    column_names=animals.trait_names,
)
members = found.rows.to_frame().groupby("cluster")["name"].agg(list)
print(found)
print(f"Cluster 0: {', '.join(members[0][:4])} and {len(members[0]) - 4} more")
found.ax.figure.savefig("map.png", dpi=150)
