"""Exercise 17.8 of Manning et al.: which linkage recovers the Reuters classes crude, grain and interest."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.texts import chosen, planted, single_class
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.contingency import Contingency
from dendrometry.cut.count import cut_count
from dendrometry.cut.height import cut_height
from dendrometry.datasets.corpora import Corpus
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand
from dendrometry.measures.partitions.rand import rand
from dendrometry.measures.partitions.split_merge import split_merge
from dendrometry.text.collection import Documents, skip_sentence
from dendrometry.text.methods import TreeMethod
from dendrometry.text.tree import cluster_documents
from dendrometry.text.vectorize import vectorize_documents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CLASSES = ("crude", "grain", "interest")
_QUICK = {"crude": 20, "grain": 10, "interest": 15}
_MEASURES: dict[str, Callable[..., float]] = {"rand": rand, "adjusted_rand": adjusted_rand, "split_merge": split_merge}
_TITLE = "Which way of clustering finds the classes crude, grain and interest of Reuters stories again?"

_TIE_BREAKS = 25  # for each seed

_Way = Callable[[Documents, Sequence[int]], list[IntArray]]


class _Stories(NamedTuple):
    """The documents, where they come from in one sentence, and the class of each, as an index into `_CLASSES`."""

    corpus: Corpus
    source: str
    found: Documents
    truth: IntArray


class _Found(NamedTuple):
    """The clusters of one method in its first run, and all measures: ``value[i, j]`` is measure j of run i."""

    name: str
    labels: IntArray
    value: FloatArray


def reuters(
    data: str | os.PathLike[str] | None = None,
    *,
    quick: bool = False,
    rng: np.random.Generator | int | None = 0,
    progress: bool = False,
) -> StudyResult:
    """Cluster the Reuters stories of three classes into three clusters and report which method recovers the classes.

    The stories are those of the classes crude, grain and interest, as TF-IDF vectors of the terms that occur in at
    least two stories. The exercise takes them from Reuters-21578 and omits those in more than one of the three classes;
    so does the study, if the user has that collection. Otherwise it takes them from R8, which is smaller, because it
    keeps only the stories that have one topic of all 135.

    Trees are built by single, complete, group-average and centroid linkage, as the exercise asks, and by ward,
    bisecting k-means and Buckshot; each is cut into three clusters. Centroid linkage is used in two forms: by the
    similarity (dot product) of the centroids, as in the book, and by their distance. Bisecting k-means and Buckshot are
    random, so their numbers are means over 20 runs. With complete linkage, all pairs of the clusters left at the end
    have similarity 0, so that ties decide how they are merged: they are merged at random, 500 times. The dependence on
    individual stories is assessed by omitting one in ten, ten times.

    Parameters
    ----------
    data : str or path, optional
        A folder or archive of Reuters-21578, see `dendrometry.datasets.read_reuters`. By default the stories of R8 are
        loaded with `dendrometry.datasets.fetch`, which downloads them on first use.
    quick, rng, progress
        As for `reproduce`; ``quick`` uses 45 synthetic documents with planted classes unless there is
        ``data``, and two runs of each.

    Returns
    -------
    StudyResult
        Tables "methods" (Rand, adjusted Rand and S_H of each), "ranges" (the lowest and the highest of these over the
        runs or ties), "parts" (the same as "methods" with one in ten documents omitted) and "clusters" (the number of
        stories of each class in each cluster, in the first run); figure "clusters".

    Raises
    ------
    InvalidInputError
        If the stories cannot be fetched or read, or one of the classes has none.
    FormatError
        If the files of Reuters-21578 are damaged.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval", Cambridge University Press,
       2008, exercise 17.8.

    Examples
    --------
    >>> from dendrometry._studies.reuters import reuters
    >>> result = reuters(quick=True)
    >>> result
    StudyResult(reuters: tables methods, ranges, parts, clusters; figures clusters)
    >>> result.to_frame()["method"].tolist()[:4]
    ['single', 'complete', 'group average', 'centroid (similarity)']
    """
    source = random_generator(rng)
    stories = _stories(data, quick, source)
    found, truth = stories.found, stories.truth
    seeds = source.integers(2**31, size=2 if quick else 20).tolist()
    kept = [np.sort(source.permutation(truth.size)[truth.size // 10 :]) for _ in range(2 if quick else 10)]
    ways = _ways()
    results, parts = [], []
    for name, way in track(ways.items(), "ways of clustering", len(ways), progress):
        results.append(_of_runs(name, [(labels, truth) for labels in way(found, seeds)]))
        parts.append(_of_runs(name, [(way(_part(found, rows), seeds[:1])[0], truth[rows]) for rows in kept]))
    together = _of_runs("all in one cluster", [(np.zeros(truth.size, dtype=np.int64), truth)])
    return StudyResult(
        "reuters",
        _TITLE,
        {
            "methods": _gist([*results, together]),
            "ranges": _ranges(results),
            "parts": _gist(parts),
            "clusters": _clusters(results, truth),
        },
        (*_sentences(results, together, stories), _steadiest(parts)),
        figures={"clusters": partial(_figure, results, truth)},
    )


def _stories(data: str | os.PathLike[str] | None, quick: bool, rng: np.random.Generator) -> _Stories:
    """Return the documents of the study: those of the user, synthetic ones, or those of R8."""
    if data is not None:
        corpus, n_several = single_class(data, _CLASSES)
        source = f"Reuters-21578, without those in more than one of the three classes ({n_several:,})"
    elif quick:
        corpus, source = planted(_QUICK, rng), "synthetic documents"
    else:
        corpus = chosen("reuters-r8", _CLASSES)
        source = (
            "R8, whose stories have one topic of all 135; the exercise omits only those of Reuters-21578 in more than"
            " one of the three classes, and so keeps the stories of grain that are also of wheat or corn"
        )
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), min_documents=2)
    number = {name: at for at, name in enumerate(_CLASSES)}
    label_of = dict(zip(corpus.items, corpus.labels, strict=True))
    return _Stories(corpus, source, found, np.array([number[label_of[item]] for item in found.items]))


def _ways() -> dict[str, _Way]:
    """Return the methods of clustering into three, by name; each returns the clusters of one run or of several."""
    return {
        "single": lambda found, _: [_cut(found, "single")],
        "complete": _by_complete_linkage,
        "group average": lambda found, _: [_cut(found, "group_average")],
        "centroid (similarity)": lambda found, _: [_merged(found.vectors, "cosine")],
        "centroid (distance)": lambda found, _: [_merged(found.vectors.toarray(), "euclidean")],
        "ward": lambda found, _: [_cut(found, "ward")],
        "bisecting k-means": lambda found, seeds: [_cut(found, "bisect", seed) for seed in seeds],
        "Buckshot": lambda found, seeds: [_cut(found, "buckshot", seed) for seed in seeds],
    }


def _cut(found: Documents, method: TreeMethod, seed: int = 0) -> IntArray:
    """Return three clusters by a method of `cluster_documents`."""
    return cut_count(cluster_documents(found, method=method, n_clusters=3, rng=seed).hierarchy, 3).labels


def _by_complete_linkage(found: Documents, seeds: Sequence[int]) -> list[IntArray]:
    """Return three clusters by complete linkage, for each seed in several ways to break ties if these decide.

    No weight is negative, so that no similarity is below 0: where the least similar pair of any two clusters has
    similarity 0, all pairs of clusters are tied, and remain so whichever are merged.
    """
    similar = _similar(found)
    if similar.max() < 3:
        return [_cut(found, "complete")]
    return [_merge_at_random(similar, 3, rng) for rng in map(np.random.default_rng, seeds) for _ in range(_TIE_BREAKS)]


def _similar(found: Documents) -> IntArray:
    """Return the clusters that complete linkage forms at similarities above 0."""
    tree = cluster_documents(found, method="complete").hierarchy
    return cut_height(tree, np.nextafter(1.0, 0.0)).labels


def _merge_at_random(labels: IntArray, n_clusters: int, rng: np.random.Generator) -> IntArray:
    """Return clusters merged in pairs, each pair as probable as any other, until so many are left."""
    group = np.arange(labels.max() + 1)
    for n_left in range(group.size, n_clusters, -1):
        first, second = np.sort(rng.choice(n_left, size=2, replace=False))
        group[group == second] = first
        group[group == n_left - 1] = second
    merged: IntArray = group[labels]
    return merged


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


def _ranges(results: Sequence[_Found]) -> Table:
    """Return the lowest and highest value of each measure, for the methods with several runs."""
    rows = [
        (one.name, measure, len(one.value), one.value[:, j].min(), one.value[:, j].max())
        for one in results
        if len(one.value) > 1
        for j, measure in enumerate(_MEASURES)
    ]
    return Table.of_rows(("method", "measure", "runs", "lowest", "highest"), rows)


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


def _sentences(results: Sequence[_Found], together: _Found, stories: _Stories) -> Iterator[str]:
    """Summarise the findings in sentences computed from the numbers."""
    corpus, source, found, _ = stories
    sizes = ", ".join(f"{corpus.labels.count(name)} {name}" for name in _CLASSES)
    skipped = skip_sentence(found.n_items + len(found.skipped), found.skipped)
    yield f"{skipped}: {sizes}; {len(found.terms):,} terms."
    yield f"source: {source}."
    complete = results[1].value
    if len(complete) > 1:
        ends = zip(_MEASURES, complete.min(axis=0), complete.max(axis=0), strict=True)
        yield (
            f"complete: the last {_similar(found).max()} merges are all at similarity 0, so that ties decide its three"
            f" clusters; over {len(complete)} ways to break them"
            f" {', '.join(f'{measure} is {low:.3f} to {high:.3f}' for measure, low, high in ends)}."
        )
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
    wins = [f"{parts[i].name} {times[i]} times" for i in np.argsort(-times, kind="stable").tolist() if times[i]]
    return f"with one in ten documents left out, {value.shape[1]} times over, best by adjusted_rand: {', '.join(wins)}."


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

    from dendrometry.plot._axes.palette import PALETTE

    figure = Figure(figsize=(9.0, 4.2), layout="constrained")
    ax = figure.subplots()
    for at, one in enumerate(results):
        for number, row in enumerate(_counts(one, truth).tolist()):
            bottom = 0
            for j, count in enumerate(row):
                label = _CLASSES[j] if at == number == 0 else None
                ax.bar(at + 0.28 * (number - 1), count, 0.26, bottom, color=PALETTE[j], label=label)
                bottom += count
    first = [f"\n(first of {len(one.value)})" if len(one.value) > 1 else "" for one in results]
    names = [one.name.replace(" ", "\n", 1) + end for one, end in zip(results, first, strict=True)]
    ax.set_xticks(range(len(results)), names, fontsize=8)
    ax.set_ylabel("documents in each of three clusters")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return figure
