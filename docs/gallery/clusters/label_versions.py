"""Two versions of labels: what was split, what was merged.

You have a table with two versions of a label for each row: here the topics of 198 support tickets, relabelled between
spring and autumn. You get which topics split and which merged, and which topic accounts for most of the change.
"""

import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

tickets = pd.read_csv("data/tickets.csv")
parts = dm.partition.decompose(tickets["spring"], tickets["autumn"])
print(f"Split-merge similarity {parts.value:.2f}")
print(f"Most of the change: {parts.clusters.label[0]} ({parts.clusters.what[0]})")

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
dm.plot.split_merge_flow(tickets["spring"], tickets["autumn"], names=("spring", "autumn"), ax=ax)
figure.savefig("flow.png", dpi=150)
