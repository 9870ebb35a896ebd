"""Known classes against every cut of a tree.

You have items whose classes are known, and a tree of them. You get the agreement of the classes with every cut of the
tree; the best cut is an upper bound, since the classes have chosen it.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

animals = dm.datasets.zoo()
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained", sharey=True)
for ax, linkage in ((left, "average"), (right, "single")):
    tree = dm.agglomerate(animals.traits, linkage=linkage, item_names=animals.items).hierarchy
    found = dm.levels.label_profile(tree, animals.types)
    best = found.best_cut("adjusted_rand")
    print(f"{linkage} linkage: adjusted Rand of at most {best.value:.2f}, with {best.n_clusters} clusters")
    dm.plot.label_curves(found, ax=ax)
    ax.set_title(f"{linkage} linkage")
figure.savefig("known_classes.png", dpi=150)
