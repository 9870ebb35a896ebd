"""Texts with known classes for the studies: downloaded collections, and small synthetic ones with planted classes."""

import os
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.datasets.reuters import read_reuters
from dendrometry.errors import InvalidInputError
from dendrometry.io.formats.labels import from_labels
from dendrometry.io.formats.paths import from_paths

_WORDS = 15  # number of words of every class and of every level above it
_COMMON = 60
_TITLE_WORDS = 8


def chosen(name: str, classes: tuple[str, ...]) -> Corpus:
    """Return the documents of selected classes of a downloaded collection, as a flat truth."""
    whole = fetch(name)
    kept = [i for i, label in enumerate(whole.labels) if label in classes]
    items, texts, labels = (tuple(part[i] for i in kept) for part in (whole.items, whole.texts, whole.labels))
    return Corpus(items, texts, labels, from_labels(list(labels), item_names=items))


class Single(NamedTuple):
    """Documents in one of several classes, and the number of those left out because they are in more than one."""

    corpus: Corpus
    n_several: int


def single_class(path: str | os.PathLike[str], classes: tuple[str, ...]) -> Single:
    """Return the stories of Reuters-21578 that are in one of these classes, whatever other topics they have."""
    items, texts, labels = [], [], []
    n_several = 0
    for story in read_reuters(path):
        among = [name for name in classes if name in story.topics]
        n_several += len(among) > 1
        if len(among) == 1:
            items.append(f"{story.number}: {' '.join(story.title.split()[:_TITLE_WORDS])}")
            texts.append(f"{story.title}\n{story.text}")
            labels.append(among[0])
    if set(labels) != set(classes):
        raise InvalidInputError(
            f"the stories must be of all the classes {', '.join(classes)};"
            f" got {', '.join(sorted(set(labels))) or 'none of them'}"
        )
    return Single(Corpus(tuple(items), tuple(texts), tuple(labels), from_labels(labels, item_names=items)), n_several)


class Titled(NamedTuple):
    """Documents with titles: their names, which begin with a number or the part of a collection, texts and topics."""

    items: tuple[str, ...]
    texts: tuple[str, ...]
    topics: Mapping[str, tuple[str, ...]]


def with_titles(path: str | os.PathLike[str], most: int) -> Titled:
    """Return the first stories of Reuters-21578 that have a topic, a title and a text.

    Some have a text without content, which the collection writes as "Blah blah blah."
    """
    stories = [
        story
        for story in read_reuters(path)
        if story.topics and story.title and story.text and not story.text.lower().startswith("blah blah blah")
    ][:most]
    items = tuple(f"{story.number}: {story.title}" for story in stories)
    texts = tuple(f"{story.title}\n{story.text}" for story in stories)
    return Titled(items, texts, {item: story.topics for item, story in zip(items, stories, strict=True)})


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
