"""A taxonomy of languages against where they are spoken.

You have a taxonomy and something else that is known of its items: here the Uralic languages as Glottolog classifies
them, and where they are spoken. You get how much of the classification is found again in a tree of the distances,
tested by relabellings, and both trees side by side.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

rows = pd.read_csv("data/taxonomies/uralic.csv", dtype=str)
above = rows.parent.map(rows.set_index("child").name)
dag = dm.Dag.from_edges(
    (child, parent) for child, parent in zip(rows.name, above, strict=True) if isinstance(parent, str)
)
places = rows[rows.level == "language"].dropna().set_index("name")
family = dm.taxonomy.nearest_tree(dag).tree.restrict(list(places.index)).without_unary()
lat, lon = np.radians(places[["latitude", "longitude"]].astype(float).to_numpy().T)
on_sphere = np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))
near = dm.agglomerate(on_sphere, linkage="average", item_names=list(places.index)).hierarchy

print(dm.compare(family, near, names=("Glottolog", "places")).verdict)

figure, ax = plt.subplots(figsize=(9, 8), layout="constrained")
dm.plot.tanglegram(family, near, names=("Glottolog", "places"), ax=ax)
figure.savefig("languages.png", dpi=150)
