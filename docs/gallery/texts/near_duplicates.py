"""Near-duplicates in a table of texts.

You have a table of texts in which some are copies with a few words changed: here thirteen notices of a town. You get
the groups of near-duplicates, and the cosine of every two texts.
"""

import numpy as np
from matplotlib import pyplot as plt

import dendrometry as dm

notices = dm.text.read_documents("data/notices.csv", title="title")
found = dm.text.near_duplicates(notices, threshold=0.6)
for group in found.groups:
    print("Near-duplicates:", ", ".join(group))

order = np.argsort(found.labels, kind="stable")
vectors = notices.vectors[order]
figure, ax = plt.subplots(figsize=(6.5, 5.5), layout="constrained")
image = ax.imshow((vectors @ vectors.T).toarray(), cmap="Blues", vmin=0, vmax=1)
names = [notices.items[i] for i in order]
ax.set_xticks(range(len(names)), names, rotation=60, ha="right", rotation_mode="anchor")
ax.set_yticks(range(len(names)), names)
ax.set_title("Notices that repeat each other")
figure.colorbar(image, label="cosine", shrink=0.8)
figure.savefig("cosines.png", dpi=150)
