"""A report to send: one page of HTML.

You have two trees and someone who asks how alike they are. You get a page that needs no network and no installation,
with a verdict, all measures compared with chance, both trees, and searchable tables of clusters and items. The
picture shows the adjusted values from its first table.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

zoo = dm.datasets.zoo()
trees = [dm.agglomerate(zoo.traits, linkage=name, item_names=zoo.items).hierarchy for name in ("average", "ward")]
result = dm.compare(*trees)
dm.report(result, "report.html", names=("average linkage", "Ward linkage"))

adjusted = result.to_frame()["adjusted"].dropna()
print(f"Adjusted hierarchy agreement {adjusted['hierarchy_agreement']:.2f}; the rest is in report.html")

figure, ax = plt.subplots(figsize=(8, 3.2), layout="constrained")
bars = ax.barh(adjusted.index.str.replace("_", " "), adjusted, color="#0072B2")
ax.bar_label(bars, fmt="%.2f", padding=4)
ax.set(
    xlim=(0, 1), xlabel="adjusted value: 0 by chance, 1 if identical", title="Average and Ward linkage of 101 animals"
)
ax.invert_yaxis()
ax.spines[["top", "right"]].set_visible(False)
figure.savefig("adjusted.png", dpi=150)
