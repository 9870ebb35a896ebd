"""From 18,821 newsgroup messages to a labelled tree, as ``dendrometry documents`` does it: texts in memory, tree out.

``python benchmarks/documents.py`` runs all; ``python benchmarks/documents.py buckshot`` only what is named: buckshot,
bisect, group_average, and few: 2,000 synthetic texts, imports included. Limits are those of the clock, but for few;
where others use the machine, the work of the cores tells more: on idle cores the clock shows about that, or less.
"""

import csv
import os
import subprocess
import sys
import tempfile
from functools import partial

import numpy as np

from dendrometry import datasets
from dendrometry.label import label_nodes, label_tree
from dendrometry.text import cluster_documents, vectorize_documents
from text import texts as synthetic_texts
from timing import Figure, fresh, show

WAYS = {"buckshot": (None, 120), "bisect": (None, 300), "group_average": (100, 600)}  # dimensions, most seconds


def texts():
    corpus = datasets.fetch("20newsgroups")
    return list(zip(corpus.items, corpus.texts, strict=True))


def labelled_tree(made, method, n_dimensions):
    found = vectorize_documents(made, min_documents=3, n_dimensions=n_dimensions)
    tree = cluster_documents(found, method=method).hierarchy
    return label_tree(tree, label_nodes(tree, found))


def warm():
    rng = np.random.default_rng(0)
    made = [(str(i), " ".join(f"w{j}" for j in rng.integers(300, size=30))) for i in range(1_200)]
    for method, (n_dimensions, _) in WAYS.items():
        labelled_tree(made, method, n_dimensions)


PYTHON_CALL = """
import csv, sys
from dendrometry.label import label_nodes, label_tree
from dendrometry.text import cluster_documents, vectorize_documents
with open(sys.argv[1], newline="") as table:
    found = vectorize_documents([(row["title"], row["text"]) for row in csv.DictReader(table)])
tree = cluster_documents(found).hierarchy
label_tree(tree, label_nodes(tree, found))
"""


def few(n=2_000, most=5):
    """Time whole processes by the work of the cores, with code already compiled: imports, reading, tree and words."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "texts.csv")
        with open(path, "w", newline="") as table:
            csv.writer(table).writerow(("title", "text"))
            csv.writer(table).writerows((f"text {i}", t) for i, t in enumerate(synthetic_texts(n)))
        command = [sys.executable, "-m", "dendrometry", "documents", path, "--title", "title", "--force"]
        ways = {
            "from Python": [sys.executable, "-c", PYTHON_CALL, path],
            "dendrometry documents": [*command, "--out", os.path.join(folder, "tree.json")],
        }
        for name, arguments in ways.items():
            seconds = []
            for _ in range(3):  # the first compiles
                before = os.times()
                subprocess.run(arguments, check=True, capture_output=True)
                after = os.times()
                seconds.append(sum(after[2:4]) - sum(before[2:4]))
            best = min(seconds)
            note = f"of the cores; under {most} s: {'met' if best < most else 'missed'}"
            show(f"{n:,} texts to a labelled tree, {name}", Figure(best), note)


def main(names):
    for method in names:
        if method == "few":
            few()
            continue
        n_dimensions, most = WAYS[method]
        figure = fresh(texts, partial(labelled_tree, method=method, n_dimensions=n_dimensions), warm=warm)
        vectors = "terms" if n_dimensions is None else f"{n_dimensions} dimensions"
        met = "met" if figure.seconds < most else "missed"
        note = f"{figure.core_seconds:.1f} s of the cores; under {most} s: {met}"
        show(f"texts to a labelled tree, {method} on {vectors}, 18,821 messages", figure, note)


if __name__ == "__main__":
    main(sys.argv[1:] or ["few", *WAYS])
