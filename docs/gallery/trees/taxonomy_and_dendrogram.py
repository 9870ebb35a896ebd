"""A taxonomy against a dendrogram: which groups are recovered.

You have a classification made by people and a tree made from data, over the same items: here 101 animals by descent,
and by traits such as hair, feathers and legs. You get which groups of the taxonomy are also clusters of the
traits.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

zoo = dm.datasets.zoo()
traits = dm.agglomerate(zoo.traits, linkage="average", item_names=zoo.items).hierarchy

matches = dm.best_matches(zoo.taxonomy, traits)
names = [zoo.taxonomy.node_names[node] for node in matches.node]
mammals = names.index("Mammalia")
print(f"Mammalia: the nearest cluster of traits has an F of {matches.f[mammals]:.2f}")
print("It misses", ", ".join(matches.missing_items(mammals)))

figure, ax = plt.subplots(figsize=(9, 5.5), layout="constrained")
dm.plot.matches(zoo.taxonomy, traits, max_clusters=20, ax=ax)
figure.suptitle("Groups of the taxonomy and their nearest clusters of traits")
figure.savefig("matches.png", dpi=150)
