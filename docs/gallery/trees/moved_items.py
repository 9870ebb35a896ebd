"""Items that moved most when the data were scaled.

You have a tree, and made another one after a change of the data: here 101 animals by 16 traits, with the number of
legs as it is and scaled to the range of the others. You get the items that contribute most to the difference.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

zoo = dm.datasets.zoo()
scaled = zoo.traits.astype(float)
scaled[:, zoo.trait_names.index("legs")] /= 8
before, after = (dm.agglomerate(X, linkage="average", item_names=zoo.items).hierarchy for X in (zoo.traits, scaled))

moved = dm.item_disagreement(before, after)
print("Moved most:", ", ".join(animal for animal, _ in moved.worst(5)))

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
dm.plot.item_disagreement(moved, max_items=15, ax=ax)
figure.suptitle("What scaling the number of legs changes")
figure.savefig("moved.png", dpi=150)
