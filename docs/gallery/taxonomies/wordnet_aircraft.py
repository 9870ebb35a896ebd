"""The tree nearest to a graph of concepts, and how good it is.

You have concepts with several parents and a text on each, but a measure needs a tree, and nobody knows the truth:
here the aircraft of WordNet with their glosses. You get the tree that keeps the most ancestors, what was cut to make
it, and whether each child is nearer to its parent than to the siblings of this parent in the words of the glosses.
"""

import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

aircraft = dm.io.read_dag("data/taxonomies/aircraft.csv")
found = dm.taxonomy.nearest_tree(aircraft)
print(found)
print("Cut:", ", ".join(f"{child} < {parent}" for child, parent in zip(*found.columns().values(), strict=True)))

rows = pd.read_csv("data/taxonomies/aircraft.csv", dtype=str).drop_duplicates("child").set_index("child")
words = dm.text.vectorize_documents((rows.name + " " + rows.gloss)[list(aircraft.terms)].tolist())
print(dm.taxonomy.taxonomy_quality(aircraft, words.vectors.toarray(), n_permutations=999).verdict)

both = dm.taxonomy.compare_taxonomies(aircraft, found.tree, names=("WordNet", "the tree"), n_permutations=0)
figure, ax = plt.subplots(figsize=(11, 14), layout="constrained")
dm.plot.concept_graph(both, ax=ax)
figure.savefig("aircraft.png", dpi=120)
