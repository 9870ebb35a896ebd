"""Two Newick files, face to face.

You have two trees of the same items in Newick files: here the mammals by their bones and by their genes, simplified
from the classifications of the 1990s and of today. You get how alike they are, which clusters they share, and a
tanglegram.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

bones, genes = dm.read("data/mammals_bones.nwk"), dm.read("data/mammals_genes.nwk")

agreement = dm.compare(bones, genes)["hierarchy_agreement"]
print(f"Adjusted hierarchy agreement {agreement.adjusted:.2f}: 0 is chance, 1 identical")
matches = dm.best_matches(bones, genes)
inner = (matches.size > 1) & (matches.size < bones.n_items)
print(f"{(matches.f[inner] == 1).sum()} of {inner.sum()} groups by bones are also groups by genes")

figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
dm.plot.tanglegram(bones, genes, names=("by bones", "by genes"), ax=ax)
figure.savefig("mammals.png", dpi=150)
