"""What is new in a stream of texts.

You have texts in the order in which they came: here thirteen notices of a town. You get how new each is, that is, how
far it is from the nearest of those before it, and which are the first of their story.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

stories = list(dm.text.read_first_stories("data/notices.csv", title="title", threshold=0.5))
later = [story for story in stories if not story.is_first]
print(f"{len(later)} of {len(stories)} notices repeat an earlier one:")
print(", ".join(f"{story.title} ({story.nearest})" for story in later))

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
titles = [story.title for story in stories]
ax.barh(titles, [story.novelty for story in stories], color=["#0072B2" if s.is_first else "#E69F00" for s in stories])
ax.axvline(0.5, color="grey", linestyle="--", linewidth=1)
ax.set(xlim=(0, 1.02), xlabel="novelty: 0 is a copy, 1 shares no word", title="Notices in the order in which they came")
ax.invert_yaxis()
ax.spines[["top", "right"]].set_visible(False)
figure.savefig("novelty.png", dpi=150)
