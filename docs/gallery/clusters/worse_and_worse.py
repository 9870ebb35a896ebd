"""Which measure registers splits? A partition made worse step by step.

You have labels that you trust and must choose a measure. You get how several measures fall while the clusters of your
labels are halved again and again: here the seven types of 101 animals. A measure that stays high does not
register splits.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

types = dm.datasets.zoo().types
steps = list(dm.generate.worsen(types, rng=0))
measures = ["rand", "adjusted_rand", "normalized_mutual_information", "variation_similarity", "split_merge"]
table = dm.partition.score_series(types, [step.labels for step in steps], measures=measures)

for measure in ("rand", "adjusted_rand"):
    after = table["value"][(table["measure"] == measure) & (table["step"] == 50)][0]
    print(f"After 50 splits {measure} is {after:.2f}")

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
dm.plot.worsening(table, operations=[step.operation for step in steps], ax=ax)
ax.set_title("Types of animals, split until each is alone")
figure.savefig("worsening.png", dpi=150)
