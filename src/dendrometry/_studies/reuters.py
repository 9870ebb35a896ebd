"""Exercise 17.8 of Manning et al.: which linkage recovers the Reuters classes crude, grain and interest."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.texts import chosen, planted, single_class
from dendrometry._studies.inputs.ways import part, similar, ways
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency
from dendrometry.datasets.corpora import Corpus
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand
from dendrometry.measures.partitions.rand import rand
from dendrometry.measures.partitions.split_merge import split_merge
from dendrometry.resampling.rank_stability import RankStability, rank_stability
from dendrometry.text.collection import Documents, skip_sentence
from dendrometry.text.vectorize import vectorize_documents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CLASSES = ("crude", "grain", "interest")
_QUICK = {"crude": 20, "grain": 10, "interest": 15}
_MEASURES: dict[str, Callable[..., float]] = {"rand": rand, "adjusted_rand": adjusted_rand, "split_merge": split_merge}
_TITLE = "Which way of clustering finds the classes crude, grain and interest of Reuters stories again?"

_VECTORISERS: dict[str, dict[str, Any]] = {
    "words": {"min_documents": 2},
    "words in five stories": {"min_documents": 5},
    "words and phrases": {"min_documents": 2, "phrases": True},
    "100 dimensions": {"min_documents": 2, "n_dimensions": 100},
}
_QUICK_VECTORISERS: dict[str, dict[str, Any]] = {
    "words": {"min_documents": 2},
    "5 dimensions": {"min_documents": 2, "n_dimensions": 5},
}
_FACTORS = ("vectoriser", "sample", "run")
_N_RUNS = 5  # random starts and tie-breaks in each condition
_N_LINKAGES = 5  # the ways of the exercise, which come first: four linkages, one of them in two forms
_AMONG = {"linkages of the exercise": slice(_N_LINKAGES), "all ways": slice(None)}


class _Stories(NamedTuple):
    """The documents, where they come from in one sentence, and the class of each, as an index into `_CLASSES`."""

    corpus: Corpus
    source: str
    found: Documents
    truth: IntArray


class _Conditions(NamedTuple):
    """Vectoriser, sample and run of each condition, and the measures: ``value[i, way, j]`` is measure j."""

    level: dict[str, list[str]]
    value: FloatArray


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

    How often the best method changes is counted over four vectorisers (words in two stories, words in five, words and
    phrases, 100 dimensions of the words by SVD), over all stories and the ten samples, and over five runs with other
    random starts and tie-breaks.

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
        runs or ties), "parts" (the same as "methods" with one in ten documents omitted), "clusters" (the number of
        stories of each class in each cluster, in the first run), "conditions" (the Rand index of each method for each
        vectoriser, sample and run), "winners" (how often each method is best in them) and "changes" (how often the best
        method changes, and with what); figures "clusters" and "winners".

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
    >>> list(result.tables)
    ['methods', 'ranges', 'parts', 'clusters', 'conditions', 'winners', 'changes']
    >>> result.to_frame()["method"].tolist()[:4]
    ['single', 'complete', 'group average', 'centroid (similarity)']
    """
    source = random_generator(rng)
    stories = _stories(data, quick, source)
    found, truth = stories.found, stories.truth
    seeds = source.integers(2**31, size=2 if quick else 20).tolist()
    kept = [np.sort(source.permutation(truth.size)[truth.size // 10 :]) for _ in range(2 if quick else 10)]
    results, parts = [], []
    for name, way in ways().items():
        results.append(_of_runs(name, [(labels, truth) for labels in way(found, seeds)]))
        parts.append(_of_runs(name, [(way(part(found, rows), seeds[:1])[0], truth[rows]) for rows in kept]))
    together = _of_runs("all in one cluster", [(np.zeros(truth.size, dtype=np.int64), truth)])
    conditions = _conditions(stories, _QUICK_VECTORISERS if quick else _VECTORISERS, kept, seeds[:_N_RUNS], progress)
    ranks = {
        (measure, among): _ranks(conditions, j, _AMONG[among])
        for (j, measure), among in product(enumerate(_MEASURES), _AMONG)
    }
    return StudyResult(
        "reuters",
        _TITLE,
        {
            "methods": _gist([*results, together]),
            "ranges": _ranges(results),
            "parts": _gist(parts),
            "clusters": _clusters(results, truth),
            "conditions": _condition_table(conditions),
            "winners": _winners(ranks),
            "changes": _changes(ranks),
        },
        (*_sentences(results, together, stories), _steadiest(parts), *_verdicts(ranks)),
        figures={"clusters": partial(_figure, results, truth), "winners": partial(_winner_figure, ranks)},
    )


def _conditions(
    stories: _Stories,
    vectorisers: dict[str, dict[str, Any]],
    kept: Sequence[IntArray],
    seeds: Sequence[int],
    progress: bool,
) -> _Conditions:
    """Measure all ways for each vectoriser, for all stories and each sample, and in several runs."""
    samples = {"all": set(stories.found.items)}
    samples |= {f"draw {at}": {stories.found.items[i] for i in rows.tolist()} for at, rows in enumerate(kept, start=1)}
    level: dict[str, list[str]] = {name: [] for name in _FACTORS}
    values = []
    for name, options in track(vectorisers.items(), "vectorisers", len(vectorisers), progress):
        found, truth = _vectors(stories.corpus, options)
        for sample, items in samples.items():
            rows = np.flatnonzero([item in items for item in found.items])
            drawn, known = part(found, rows), truth[rows]
            runs = [way(drawn, seeds) for way in ways().values()]
            for run in range(len(seeds)):
                # a way without random starts has one run for all seeds, complete linkage several for each
                clusters = [labels[run * len(labels) // len(seeds)] for labels in runs]
                tables = [Contingency.of(known, labels) for labels in clusters]
                values.append([[measure(table) for measure in _MEASURES.values()] for table in tables])
                for factor, at in zip(_FACTORS, (name, sample, str(run + 1)), strict=True):
                    level[factor].append(at)
    return _Conditions(level, np.array(values))


def _ranks(conditions: _Conditions, measure: int, among: slice) -> RankStability:
    """Return the ranks of some ways by a measure."""
    names = list(ways())[among]
    scores = dict(zip(names, conditions.value[:, among, measure].T, strict=True))
    return rank_stability(scores, factors=conditions.level)


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
    return _Stories(corpus, source, *_vectors(corpus, _VECTORISERS["words"]))


def _vectors(corpus: Corpus, options: dict[str, Any]) -> tuple[Documents, IntArray]:
    """Return the documents as vectors, and their classes."""
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), **options)
    class_of = dict(zip(corpus.items, map(_CLASSES.index, corpus.labels), strict=True))
    return found, np.array([class_of[item] for item in found.items])


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


def _condition_table(conditions: _Conditions) -> Table:
    """Return the Rand index of each way in each condition."""
    value = conditions.value[:, :, list(_MEASURES).index("rand")].tolist()
    design = zip(*conditions.level.values(), strict=True)
    rows = [(*levels, int(run), *row) for (*levels, run), row in zip(design, value, strict=True)]
    return Table.of_rows((*_FACTORS, *ways()), rows)


def _winners(ranks: dict[tuple[str, str], RankStability]) -> Table:
    """Return one row for each way, measure and set of ways: its wins, ranks and scores."""
    rows = [(*key, *row) for key, found in ranks.items() for row in zip(*found.columns().values(), strict=True)]
    return Table.of_rows(("measure", "among", *next(iter(ranks.values())).columns()), rows)


def _changes(ranks: dict[tuple[str, str], RankStability]) -> Table:
    """Return how often the best way changes, over all pairs of conditions and those that differ in one factor alone."""
    rows: list[tuple[Any, ...]] = []
    for key, found in ranks.items():
        n = len(found.rank)
        rows.append((*key, "any", n, n * (n - 1) // 2, found.change))
        rows += [(*key, one.factor, one.n_levels, one.n_pairs, one.change) for one in found.factors]
    return Table.of_rows(("measure", "among", "factor", "levels", "pairs", "change"), rows)


def _verdicts(ranks: dict[tuple[str, str], RankStability]) -> Iterator[str]:
    """Report who wins by the Rand index, and how often that changes."""
    for among in _AMONG:
        found = ranks["rand", among]
        yield f"{among}, by rand, over vectorisers, samples and runs: {found.verdict}"
        yield "; ".join(line for line in found.tell().splitlines() if line.startswith("vectoriser ")) + "."


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
            f"complete: the last {similar(found).max()} merges are all at similarity 0, so that ties decide its three"
            f" clusters; over {len(complete)} ways to break them"
            f" {', '.join(f'{measure} is {low:.3f} to {high:.3f}' for measure, low, high in ends)}."
        )
    four = results[:_N_LINKAGES]
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


def _winner_figure(ranks: dict[tuple[str, str], RankStability]) -> "Figure":
    """Draw how often each way wins by the Rand index, among the linkages of the exercise and among all."""
    from matplotlib.figure import Figure

    from dendrometry.plot.rank_stability import rank_stability as draw

    figure = Figure(figsize=(13.0, 6.6), layout="constrained")
    for ax, among in zip(figure.subplots(1, 2), _AMONG, strict=True):
        draw(ranks["rand", among], ax=ax)
        ax.set_xlabel(f"{among}: share of the conditions in which one wins, by rand")
    return figure
