"""A folder of texts as a tree with words for its branches.

You have a folder of text files: here twelve short notes. You get a tree of the texts by the words they share, cut
into three branches, and the words that distinguish each branch from the rest.
"""

from matplotlib import pyplot as plt

import dendrometry as dm

notes = dm.text.read_documents("data/texts")
tree = dm.text.cluster_documents(notes, method="average").hierarchy
cut = dm.cut_count(tree, 3)
words = dm.label.label_nodes(tree, notes, method="mutual_information", n_terms=3, nodes=cut.nodes)
names = [", ".join(words[node]) for node in cut.nodes.tolist()]
for name, texts in zip(names, cut.clusters, strict=True):
    print(f"{name}: {', '.join(texts)}")

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
dm.plot.dendrogram(tree, labels=[names[cluster] for cluster in cut.labels], ax=ax)
ax.set_xlabel("1 - cosine, mean of two clusters")
figure.suptitle("Twelve notes by the words they share")
figure.savefig("notes.png", dpi=150)
