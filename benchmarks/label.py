"""Labels: all nodes of at least 20 documents in a tree of the 18,821 newsgroup messages, by every method."""

import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.feature_selection import chi2

from dendrometry import datasets, read, write
from dendrometry.cluster import bisect
from dendrometry.label import label_nodes
from dendrometry.label.methods import METHODS
from dendrometry.text import vectorize_documents
from timing import best_of, fresh, show

MIN_SIZE = 20
SOME = 50


def messages():
    corpus = datasets.fetch("20newsgroups")
    return vectorize_documents(zip(corpus.items, corpus.texts, strict=True), min_documents=3)


def prepared(path):
    return read(path), messages()


def labels(data, method):
    return label_nodes(*data, method=method, min_size=MIN_SIZE)


def warm():
    found = vectorize_documents({"a": "ship port", "b": "ship dock", "c": "grain"})
    for method in METHODS:
        label_nodes(bisect(found.vectors, item_names=found.items, rng=0).hierarchy, found, method=method)


def rival(data):
    """Scikit-learn's chi-square of presence, node by node."""
    tree, found = data
    presence = (found.counts > 0).astype(np.int64)
    row_of = {item: row for row, item in enumerate(found.items)}
    row = np.array([row_of[tree.items[i]] for i in tree.order.item.tolist()])
    for v in np.argsort(tree.sizes)[-SOME:].tolist():
        inside = np.zeros(found.n_items, dtype=bool)
        inside[row[tree.order.item_low[v] : tree.order.item_high[v]]] = True
        chi2(presence, inside)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "tree.json"))
        found = messages()
        tree = bisect(found.vectors, metric="cosine", leaf_size=MIN_SIZE, item_names=found.items, rng=0).hierarchy
        write(tree, path)
        large = int((tree.sizes >= MIN_SIZE).sum())
        print(f"{found!r}; {large:,} of {tree.n_nodes:,} nodes with at least {MIN_SIZE} documents")
        for method in METHODS:
            show(f"label_nodes, {method}", fresh(prepared, partial(labels, method=method), path, warm=warm))
        data = (tree, found)
        largest = np.argsort(tree.sizes)[-SOME:].tolist()
        ours = best_of(lambda: label_nodes(*data, method="chi_square", nodes=largest), 1)
        theirs = best_of(lambda: rival(data), 1)
        show(
            f"chi_square, the {SOME} largest nodes", ours, f"scikit-learn's chi2 {theirs.seconds / ours.seconds:.1f} x"
        )


if __name__ == "__main__":
    main()
