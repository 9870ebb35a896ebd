"""Texts with known classes for the studies: downloaded collections, and small synthetic ones with planted classes."""

import numpy as np

from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.io.labels import from_labels
from dendrometry.io.tables.paths import from_paths

__all__ = ["chosen", "planted"]

_WORDS = 15  # number of words of every class and of every level above it
_COMMON = 60


def chosen(name: str, classes: tuple[str, ...]) -> Corpus:
    """Return the documents of selected classes of a downloaded collection, as a flat truth."""
    whole = fetch(name)
    kept = [i for i, label in enumerate(whole.labels) if label in classes]
    items, texts, labels = (tuple(part[i] for i in kept) for part in (whole.items, whole.texts, whole.labels))
    return Corpus(items, texts, labels, from_labels(list(labels), item_names=items))


def planted(sizes: dict[str, int], rng: np.random.Generator) -> Corpus:
    """Return synthetic documents of classes with dotted names, with the given number for each class.

    A document has 25 words: 10 of its class, 5 of each level above it (common words if its name has fewer levels), and
    the rest common to all classes.
    """
    labels = [name for name, size in sizes.items() for _ in range(size)]
    texts = []
    for label in labels:
        steps = label.split(".")
        above = [".".join(steps[:depth]) for depth in range(1, len(steps))][:2]
        words = [f"{label.replace('.', '')}{i}" for i in rng.integers(_WORDS, size=10)]
        for step in above:
            words += [f"{step.replace('.', '')}{i}" for i in rng.integers(_WORDS, size=5)]
        words += [f"common{i}" for i in rng.integers(_COMMON, size=25 - len(words))]
        texts.append(" ".join(words))
    items = tuple(f"{number}: {' '.join(text.split()[:3])}" for number, text in enumerate(texts))
    return Corpus(items, tuple(texts), tuple(labels), from_paths(labels, items, sep="."))
