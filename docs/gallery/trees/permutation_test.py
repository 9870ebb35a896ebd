"""Is it more than chance? A permutation test with its null distribution.

You have two trees of the same items, made from different data: here of 178 wines, one from the first six measurements
and one from the other seven. You get the p-value of their agreement, and the values for 999 random relabellings of
the items.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

import dendrometry as dm

wines = scale(load_wine().data)
first, second = (dm.agglomerate(part, linkage="average").hierarchy for part in (wines[:, :6], wines[:, 6:]))

test = dm.permutation_test(first, second, "hierarchy_agreement", 999, rng=0)
print(f"Hierarchy agreement {test.value:.3f}; {test.null_mean:.3f} by chance; p = {test.p_value:.3f}")

figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.hist(test.null, bins=40, color="#56B4E9", label="999 random relabellings")
ax.axvline(test.value, color="#D55E00", linewidth=2, label="the two trees")
ax.set(xlabel="hierarchy agreement", ylabel="relabellings", title="Do two halves of the measurements give one tree?")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, loc="upper center")
figure.savefig("null.png", dpi=150)
