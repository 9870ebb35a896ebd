"""Trees of documents as people browse them: agreement with known topics, and the rows that a reader goes through."""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.docstrings import docstrings, versions
from dendrometry._studies.inputs.texts import planted
from dendrometry._studies.result import StudyResult, Table
from dendrometry.comparison.compare import compare
from dendrometry.cut.fold import fold
from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.datasets.reuters import read_reuters
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.labels import from_labels
from dendrometry.label.label import label_nodes
from dendrometry.measures.trees.dendrogram_purity import dendrogram_purity
from dendrometry.text.collection import Documents
from dendrometry.text.methods import TreeMethod
from dendrometry.text.tree import cluster_documents
from dendrometry.text.vectorize import vectorize_documents

_TITLE = "Which tree of documents has the topics, and is browsed in few steps?"
_WAYS: dict[int | None, tuple[TreeMethod, ...]] = {None: ("bisect",), 100: ("bisect", "ward", "average")}
_SHAPES = ("binary", "folded")
_CHILDREN = 10
_LARGE = 0.01  # share of the documents from which on a node counts for its shape and its words
_RUNS = 2  # seeds of the SVD and of bisecting
_VALUES = ("purity", "hai_adjusted", "depth", "deepest", "rows_read", "largest_child", "without_words")
_QUICK = ("comp.os.one", "comp.os.two", "comp.sys", "rec.autos", "rec.sport.one", "rec.sport.two", "sci.space")


class _Found(NamedTuple):
    """The trees of one way on one collection: a row of values for each seed."""

    collection: str
    vectors: str
    method: str
    tree: str
    values: list[tuple[float, ...]]


def document_trees(
    data: str | os.PathLike[str] | None = None,
    *,
    quick: bool = False,
    rng: np.random.Generator | int | None = 0,
    progress: bool = False,
) -> StudyResult:
    """Build trees of three collections and report how well they show the topics, and how they are browsed.

    The collections are the 20 newsgroups, Reuters stories with one topic, and the docstrings of installed packages with
    their modules as topics. Vectors are TF-IDF weights of all terms, or their reduction by truncated SVD. Each tree is
    judged as it was built, binary and down to single documents, and folded to at most ten children per node. A
    reader goes from the root to a document and reads the children of every node on the way, and the documents of the
    last.

    Parameters
    ----------
    data : str or path, optional
        A folder or archive of Reuters-21578, see `dendrometry.datasets.read_reuters`; by default the collection
        "reuters-r8" is fetched.
    quick, rng, progress
        As for `reproduce`; ``quick`` uses 70 synthetic documents with planted classes, and one seed.

    Returns
    -------
    StudyResult
        Table "trees", with a row for each collection, way and shape, means over two seeds: dendrogram purity for the
        topics, HAI adjusted for chance for the hierarchy of the topics, mean and largest depth of a document, rows read
        on the way to it, and among nodes with at least 1% of the documents the share of the largest child and the share
        of nodes without words of their own; and the lowest and highest values of purity and HAI.

    Raises
    ------
    InvalidInputError
        If a collection cannot be fetched or read.

    Examples
    --------
    >>> from dendrometry._studies.document_trees import document_trees
    >>> document_trees(quick=True)
    StudyResult(document-trees: tables trees; figures none)
    """
    source = random_generator(rng)
    if quick:
        collections = {"planted": planted(dict.fromkeys(_QUICK, 10), source)}
    else:
        reuters = fetch("reuters-r8") if data is None else _one_topic(data)
        collections = {"newsgroups": fetch("20newsgroups"), "Reuters": reuters, "docstrings": docstrings()}
    seeds = [int(source.integers(2**31)) for _ in range(1 if quick else _RUNS)]
    ways = [(name, n_dimensions) for name in collections for n_dimensions in _WAYS]
    found = [
        one
        for name, n_dimensions in track(ways, "vectors", len(ways), progress)
        for one in _judged(name, collections[name], 20 if quick and n_dimensions else n_dimensions, seeds)
    ]
    notes = tuple(_sentences(collections, found, quick))
    return StudyResult("document-trees", _TITLE, {"trees": _table(found)}, notes)


def _one_topic(path: str | os.PathLike[str]) -> Corpus:
    """Return the stories of Reuters-21578 with a text and one topic."""
    stories = [story for story in read_reuters(path) if len(story.topics) == 1 and story.text]
    items = tuple(f"{story.number}: {story.title}" for story in stories)
    labels = tuple(story.topics[0] for story in stories)
    texts = tuple(f"{story.title}\n{story.text}" for story in stories)
    return Corpus(items, texts, labels, from_labels(list(labels), item_names=items))


def _judged(name: str, corpus: Corpus, n_dimensions: int | None, seeds: Sequence[int]) -> Iterator[_Found]:
    """Build the trees of one kind of vectors, and judge each as it is and folded."""
    methods = _WAYS[None if n_dimensions is None else 100]
    values: dict[tuple[str, str], list[tuple[float, ...]]] = {
        (method, shape): [] for method in methods for shape in _SHAPES
    }
    for seed in seeds:
        texts = zip(corpus.items, corpus.texts, strict=True)
        found = vectorize_documents(texts, n_dimensions=n_dimensions, rng=seed)
        for method in methods:
            binary = cluster_documents(found, method=method, rng=seed).hierarchy
            for shape, tree in zip(_SHAPES, (binary, fold(binary, _CHILDREN)), strict=True):
                values[method, shape].append(_values(tree, found, corpus))
    vectors = "terms" if n_dimensions is None else f"{n_dimensions} dimensions"
    for (how, shape), some in values.items():
        yield _Found(name, vectors, how, shape, some)


def _values(tree: Hierarchy, found: Documents, corpus: Corpus) -> tuple[float, ...]:
    """Return the agreement of a tree with the topics, and its shape as a reader meets it."""
    label = dict(zip(corpus.items, corpus.labels, strict=True))
    topics = from_labels([label[item] for item in tree.items], item_names=tree.items)
    truth = corpus.truth.restrict(tree.items)
    agreement = compare(truth, tree, measures=["hierarchy_agreement"])["hierarchy_agreement"].adjusted
    depth = tree.depths[tree.item_node]
    large = np.flatnonzero((tree.sizes >= _LARGE * tree.n_items) & (tree.n_children > 0))
    largest = np.zeros(tree.n_nodes)
    np.maximum.at(largest, tree.parent[:-1], tree.sizes[:-1])
    share = np.average(largest[large] / tree.sizes[large], weights=tree.sizes[large]) if large.size else 1.0
    below = large[large != tree.root]
    words = label_nodes(tree, found, nodes=below).terms if below.size else ()
    without = sum(not some for some in words) / max(len(words), 1)
    rows = _rows_read(tree)
    return dendrogram_purity(topics, tree), agreement or 0.0, depth.mean(), depth.max(), rows, share, without


def _rows_read(tree: Hierarchy) -> float:
    """Return the mean number of rows that a reader goes through to a document."""
    rows = tree.n_children + tree.own_sizes
    for v in range(tree.n_nodes - 2, -1, -1):
        rows[v] += rows[tree.parent[v]] - tree.own_sizes[tree.parent[v]]
    return float(rows[tree.item_node].mean())


def _table(found: Sequence[_Found]) -> Table:
    """Return one row for each collection, way and shape."""
    rows = []
    for one in found:
        value = np.array(one.values)
        ends = [end for j in range(2) for end in (value[:, j].min(), value[:, j].max())]
        rows.append((*one[:4], *value.mean(axis=0), *ends, len(value)))
    ends = [f"{name}_{end}" for name in _VALUES[:2] for end in ("lowest", "highest")]
    return Table.of_rows(("collection", "vectors", "method", "tree", *_VALUES, *ends, "seeds"), rows)


def _sentences(collections: dict[str, Corpus], found: Sequence[_Found], quick: bool) -> Iterator[str]:
    """Summarise the collections, and which way is best for each."""
    for name, corpus in collections.items():
        yield f"{name}: {len(corpus.items):,} documents, {len(set(corpus.labels))} topics."
        for j, measure in enumerate(_VALUES[:2]):
            some = [one for one in found if one.collection == name and one.tree == "folded"]
            best = max(some, key=lambda one: np.mean([row[j] for row in one.values]))
            value = np.mean([row[j] for row in best.values])
            yield f"best folded tree of {name} by {measure}: {best.method} on {best.vectors} ({value:.3f})."
    if not quick:
        yield f"docstrings of {versions()}."
