"""What changed between two releases of an ontology.

You have two releases of an ontology in OBO files, whose terms have several parents: here PSI-MS 4.1.180 and 4.1.258,
the vocabulary of mass spectrometry. You get how alike they are beside chance, what was moved, and one branch drawn with
what was added.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

versions = ("4.1.180", "4.1.258")
old, new = (dm.io.read_dag(f"data/taxonomies/psi-ms-{version}.obo.gz") for version in versions)
found = dm.taxonomy.compare_taxonomies(old, new, names=versions)
print(found.verdict)
moved = [change.tell() for change in found.changes if change.what == "moved" and change.after]
print(*moved[:3], sep="\n")

branch = dm.taxonomy.compare_taxonomies(old.below("MS:1000008"), new.below("MS:1000008"), names=versions)
figure, ax = plt.subplots(figsize=(10, 14), layout="constrained")
dm.plot.concept_graph(branch, ax=ax)
figure.suptitle("Ionization types in two releases of PSI-MS")
figure.savefig("ionization.png", dpi=120)
