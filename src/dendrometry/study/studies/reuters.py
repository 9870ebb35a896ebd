"""Exercise 17.8 of Manning et al.: which linkage recovers the Reuters classes crude, grain and interest."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._progress import track
from dendrometry.cluster.bottom_up import agglomerate
from dendrometry.contingency import Contingency
from dendrometry.cut.count import cut_count
from dendrometry.datasets.corpora import Corpus
from dendrometry.measures.partitions.overlaps.split_merge import split_merge
from dendrometry.measures.partitions.pairs.adjusted_rand import adjusted_rand
from dendrometry.measures.partitions.pairs.rand import rand
from dendrometry.study.inputs.texts import chosen, planted
from dendrometry.study.result import StudyResult, Table
from dendrometry.text.collection import Documents, skip_sentence
from dendrometry.text.methods import TreeMethod
from dendrometry.text.tree import cluster_documents
from dendrometry.text.vectorize import vectorize_documents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["reuters"]

_CLASSES = ("crude", "grain", "interest")
_QUICK = {"crude": 20, "grain": 10, "interest": 15}
_MEASURES: dict[str, Callable[..., float]] = {"rand": rand, "adjusted_rand": adjusted_rand, "split_merge": split_merge}
_TITLE = "Which way of clustering finds the classes crude, grain and interest of Reuters stories again?"

_Way = Callable[[Documents, int], IntArray]


class _Found(NamedTuple):
    """The clusters of one method in its first run, and all measures: ``value[i, j]`` is measure j of run i."""

    name: str
    labels: IntArray
    value: FloatArray


def reuters(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Cluster the Reuters stories of three classes into three clusters and report which method recovers the classes.

    The data are the stories of the classes crude, grain and interest of the collection R8, in which every story has one
    class, as TF-IDF vectors of the terms that occur in at least two stories. Trees are built by single, complete,
    group-average and centroid linkage, as the exercise asks, and by ward, bisecting k-means and Buckshot; each is cut
    into three clusters. Centroid linkage is used in two forms: by the similarity (dot product) of the centroids, as in
    the book, and by their distance. Bisecting k-means and Buckshot are random, so their numbers are means over 20 runs.
    The dependence on individual stories is assessed by omitting one in ten, ten times.

    Parameters
    ----------
    quick, rng, progress
        As for `dendrometry.study.reproduce`; ``quick`` uses 45 synthetic documents with planted classes, and two runs
        of each. Otherwise the stories are loaded with `dendrometry.datasets.fetch`, which downloads them on first use.

    Returns
    -------
    StudyResult
        Tables "methods" (Rand, adjusted Rand and S_H of each), "parts" (the same with one in ten documents omitted)
        and "clusters" (the number of stories of each class in each cluster, in the first run); figure "clusters".

    Raises
    ------
    InvalidInputError
        If the stories cannot be fetched.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval", Cambridge University Press,
       2008, exercise 17.8.

    Examples
    --------
    >>> from dendrometry.study.studies.reuters import reuters
    >>> result = reuters(quick=True)
    >>> result
    StudyResult(reuters: tables methods, parts, clusters; figures clusters)
    >>> result.to_frame()["method"].tolist()[:4]
    ['single', 'complete', 'group average', 'centroid (similarity)']
    """
    source = random_generator(rng)
    corpus = planted(_QUICK, source) if quick else chosen("reuters-r8", _CLASSES)
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), min_documents=2)
    truth = _truth(corpus, found)
    seeds = source.integers(2**31, size=2 if quick else 20).tolist()
    kept = [np.sort(source.permutation(truth.size)[truth.size // 10 :]) for _ in range(2 if quick else 10)]
    ways = _ways()
    results, parts = [], []
    for name, way in track(ways.items(), "ways of clustering", len(ways), progress):
        runs = seeds if name in _RANDOM else seeds[:1]
        results.append(_of_runs(name, [(way(found, seed), truth) for seed in runs]))
        parts.append(_of_runs(name, [(way(_part(found, rows), seeds[0]), truth[rows]) for rows in kept]))
    together = _of_runs("all in one cluster", [(np.zeros(truth.size, dtype=np.int64), truth)])
    gist = _gist([*results, together])
    return StudyResult(
        "reuters",
        _TITLE,
        {"methods": gist, "parts": _gist(parts), "clusters": _clusters(results, truth)},
        (*_sentences(results, together, corpus, found), _steadiest(parts)),
        figures={"clusters": partial(_figure, results, truth)},
    )


def _truth(corpus: Corpus, found: Documents) -> IntArray:
    """Return the class of each remaining document, as an index into `_CLASSES`."""
    number = {name: at for at, name in enumerate(_CLASSES)}
    label_of = dict(zip(corpus.items, corpus.labels, strict=True))
    return np.array([number[label_of[item]] for item in found.items])


def _ways() -> dict[str, _Way]:
    """Return the methods of clustering into three, by name."""
    return {
        "single": _built("single"),
        "complete": _built("complete"),
        "group average": _built("group_average"),
        "centroid (similarity)": lambda found, _: _merged(found.vectors, "cosine"),
        "centroid (distance)": lambda found, _: _merged(found.vectors.toarray(), "euclidean"),
        "ward": _built("ward"),
        "bisecting k-means": _built("bisect"),
        "Buckshot": _built("buckshot"),
    }


_RANDOM = ("bisecting k-means", "Buckshot")


def _built(method: TreeMethod) -> _Way:
    """Return a clustering function for a method of `cluster_documents`."""

    def labels(found: Documents, seed: int) -> IntArray:
        tree = cluster_documents(found, method=method, n_clusters=3, rng=seed).hierarchy
        return cut_count(tree, 3).labels

    return labels


def _merged(vectors: Any, metric: str) -> IntArray:
    """Return three clusters by centroid linkage."""
    return cut_count(agglomerate(vectors, linkage="centroid", metric=metric).hierarchy, 3).labels


def _part(found: Documents, rows: IntArray) -> Documents:
    """Return a subset of the documents with unchanged vectors."""
    items, titles = (tuple(names[i] for i in rows.tolist()) for names in (found.items, found.titles))
    return replace(found, items=items, titles=titles, vectors=found.vectors[rows], counts=found.counts[rows])


def _of_runs(name: str, runs: Sequence[tuple[IntArray, IntArray]]) -> _Found:
    """Measure the clusters of several runs, each against its truth."""
    tables = [Contingency.of(truth, labels) for labels, truth in runs]
    value = np.array([[measure(table) for measure in _MEASURES.values()] for table in tables])
    return _Found(name, runs[0][0], value)


def _gist(results: Sequence[_Found]) -> Table:
    """Return one row for each method: the measures and, for several runs, their standard deviations."""
    rows = []
    for one in results:
        several = len(one.value) > 1
        deviation = one.value.std(axis=0, ddof=1).tolist() if several else [None] * len(_MEASURES)
        sizes = np.sort(np.bincount(one.labels))[::-1]
        rows.append((one.name, *one.value.mean(axis=0).tolist(), len(one.value), *deviation, _plus(sizes)))
    names = ("method", *_MEASURES, "runs", *(f"{name}_deviation" for name in _MEASURES), "sizes_in_first_run")
    return Table.of_rows(names, rows)


def _plus(sizes: IntArray) -> str:
    """Return sizes as text that a spreadsheet does not evaluate as a sum."""
    return " + ".join(map(str, sizes.tolist()))


def _counts(one: _Found, truth: IntArray) -> IntArray:
    """Return the number of documents of each class in each cluster, largest cluster first."""
    counts = np.zeros((int(one.labels.max()) + 1, len(_CLASSES)), dtype=np.int64)
    np.add.at(counts, (one.labels, truth), 1)
    return counts[np.argsort(-counts.sum(axis=1), kind="stable")]


def _clusters(results: Sequence[_Found], truth: IntArray) -> Table:
    """Return one row for each cluster of each method."""
    rows = [
        (one.name, number, *row) for one in results for number, row in enumerate(_counts(one, truth).tolist(), start=1)
    ]
    return Table.of_rows(("method", "cluster", *_CLASSES), rows)


def _sentences(results: Sequence[_Found], together: _Found, corpus: Corpus, found: Documents) -> Iterator[str]:
    """Summarise the findings in sentences computed from the numbers."""
    sizes = ", ".join(f"{corpus.labels.count(name)} {name}" for name in _CLASSES)
    told = skip_sentence(found.n_items + len(found.skipped), found.skipped)
    yield f"{told}: {sizes}; {len(found.terms):,} terms."
    four = results[:5]
    for name, some in (("of the four linkages of the exercise", four), ("of all", results)):
        yield f"best {name}: {_best(some)}."
    for j, measure in enumerate(_MEASURES):
        alone = together.value[0, j]
        beaten = [one.name for one in results if one.value[:, j].mean() <= alone]
        yield f"all in one cluster has {measure} {alone:.3f}; no better than that: {', '.join(beaten) or 'none'}."
    lumps = [one.name for one in results if np.bincount(one.labels).max() > 0.9 * one.labels.size]
    if lumps:
        yield f"over 90% of the documents in one of the three clusters: {', '.join(lumps)}."


def _steadiest(parts: Sequence[_Found]) -> str:
    """Report how often each method is best by adjusted Rand when documents are omitted."""
    value = np.array([one.value[:, 1] for one in parts])
    times = (value == value.max(axis=0)).sum(axis=1)
    told = [f"{parts[i].name} {times[i]} times" for i in np.argsort(-times, kind="stable").tolist() if times[i]]
    return f"with one in ten documents left out, {value.shape[1]} times over, best by adjusted_rand: {', '.join(told)}."


def _best(results: Sequence[_Found]) -> str:
    """Return the best method, or methods if tied, by each measure."""
    value = np.array([one.value.mean(axis=0) for one in results])
    names = [
        " and ".join(results[i].name for i in np.flatnonzero(value[:, j] == value[:, j].max()).tolist())
        for j in range(len(_MEASURES))
    ]
    return "; ".join(f"by {measure} {name}" for measure, name in zip(_MEASURES, names, strict=True))


def _figure(results: Sequence[_Found], truth: IntArray) -> "Figure":
    """Draw the classes in the clusters of each method in its first run."""
    from matplotlib.figure import Figure

    from dendrometry.plot.canvas.palette import PALETTE

    figure = Figure(figsize=(9.0, 4.2), layout="constrained")
    ax = figure.subplots()
    for at, one in enumerate(results):
        for number, row in enumerate(_counts(one, truth).tolist()):
            bottom = 0
            for j, count in enumerate(row):
                label = _CLASSES[j] if at == number == 0 else None
                ax.bar(at + 0.28 * (number - 1), count, 0.26, bottom, color=PALETTE[j], label=label)
                bottom += count
    ax.set_xticks(range(len(results)), [one.name.replace(" ", "\n", 1) for one in results], fontsize=8)
    ax.set_ylabel("documents in each of three clusters")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return figure
