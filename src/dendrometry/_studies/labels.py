"""The labels of a flat clustering of Reuters stories by several methods: Table 17.2 of Manning et al. (2008)."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.texts import Titled, planted, with_titles
from dendrometry._studies.result import StudyResult, Table
from dendrometry.datasets.corpora import fetch
from dendrometry.label.label import label_table
from dendrometry.label.methods import Method
from dendrometry.text.collection import Documents, skip_sentence
from dendrometry.text.tree import cluster_documents
from dendrometry.text.vectorize import vectorize_documents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_QUICK = {"crude": 16, "grain": 12, "trade": 14}
_WORDS: tuple[Method, ...] = ("centroid", "mutual_information", "chi_square")
_PAIRS: tuple[tuple[Method, Method], ...] = (("mutual_information", "chi_square"), ("mutual_information", "centroid"))
_N_TERMS = 10
_PRINTED = 3  # clusters of the table of the book, of ten
_MOST = 10_000  # stories of Reuters-21578, as many as the book takes from RCV1
_QUICK_MOST = 300
_TITLE = "Which words do centroids, mutual information, chi-square and titles give to the clusters of k-means?"


class _Cluster(NamedTuple):
    """A cluster: its number of documents, its most frequent class with its share, its words and its title."""

    size: int
    main_class: str
    share: float
    words: dict[Method, tuple[str, ...]]
    title: str
    title_topics: tuple[str, ...]

    def common(self, one: Method, other: Method) -> int:
        """Return the number of words that two methods have in common."""
        return len(set(self.words[one]) & set(self.words[other]))


def labels(
    data: str | os.PathLike[str] | None = None,
    *,
    quick: bool = False,
    rng: np.random.Generator | int | None = 0,
    progress: bool = False,
) -> StudyResult:
    """Label the clusters of k-means by their centroids, mutual information, chi-square, and the nearest titles.

    The book uses the first 10,000 documents of RCV1, which are not free. The data here are the first 10,000 stories of
    Reuters-21578 that have a topic, a title and a text, if the user has that collection, else the 7,674 Reuters stories
    of R8, which have no titles, so that their first words stand for them. They are TF-IDF vectors of the terms that
    occur in at least three stories. The clustering is k-means into ten clusters, started from the clusters of a sample
    (Buckshot). The labels have ten words each, with the default penalty for rare terms. Ten runs with other samples
    show how far the counts depend on the clustering.

    Parameters
    ----------
    data : str or path, optional
        A folder or archive of Reuters-21578, see `dendrometry.datasets.read_reuters`. By default the stories of R8 are
        loaded with `dendrometry.datasets.fetch`, which downloads them on first use.
    quick, rng, progress
        As for `reproduce`; ``quick`` uses 42 synthetic documents with planted classes, or the first 300 stories of
        ``data``, three clusters and two runs.

    Returns
    -------
    StudyResult
        Tables "clusters" (the words of each cluster in the first run), "printed" (three of the clusters as the book
        prints them, with the terms that only one of the first two methods has in bold) and "runs" (the words that
        methods have in common, and how frequent the words are in all documents, for each run); figure "common".

    Raises
    ------
    InvalidInputError
        If the stories cannot be fetched or read.
    FormatError
        If the files of Reuters-21578 are damaged.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval", Cambridge University Press,
       2008, section 17.7, table 17.2.

    Examples
    --------
    >>> from dendrometry._studies.labels import labels
    >>> result = labels(quick=True)
    >>> result
    StudyResult(labels: tables clusters, printed, runs; figures common)
    >>> result.to_frame()["main_class"].tolist()
    ['crude', 'trade', 'grain']
    """
    source = random_generator(rng)
    stories = _stories(data, quick, source)
    found = vectorize_documents(zip(stories.items, stories.texts, strict=True), min_documents=2 if quick else 3)
    seeds = source.integers(2**31, size=2 if quick else 10).tolist()
    n_clusters = len(_QUICK) if quick else 10
    runs = [_label_clusters(found, stories, n_clusters, seed) for seed in track(seeds, "runs", len(seeds), progress)]
    return StudyResult(
        "labels",
        _TITLE,
        {"clusters": _clusters(runs[0]), "printed": _as_printed(runs[0]), "runs": _runs(runs, found)},
        tuple(_sentences(runs, found)),
        figures={"common": partial(_figure, runs)},
    )


def _stories(data: str | os.PathLike[str] | None, quick: bool, rng: np.random.Generator) -> Titled:
    """Return the documents of the study: those of the user, synthetic ones, or those of R8."""
    if data is not None:
        return with_titles(data, _QUICK_MOST if quick else _MOST)
    corpus = planted(_QUICK, rng) if quick else fetch("reuters-r8")
    topics = {item: (label,) for item, label in zip(corpus.items, corpus.labels, strict=True)}
    return Titled(corpus.items, corpus.texts, topics)


def _label_clusters(found: Documents, stories: Titled, n_clusters: int, seed: int) -> list[_Cluster]:
    """Return the labelled clusters of one run of k-means, the largest first."""
    tree = cluster_documents(found, method="buckshot", n_clusters=n_clusters, rng=seed).hierarchy
    nodes = tree.leaves[np.argsort(-tree.sizes[tree.leaves], kind="stable")]
    table = label_table(tree, found, nodes.tolist(), methods=(*_WORDS, "title"), n_terms=_N_TERMS)
    made = []
    for at, node in enumerate(nodes.tolist()):
        members = [tree.items[i] for i in np.flatnonzero(tree.item_node == node).tolist()]
        topics = Counter(topic for item in members for topic in stories.topics[item])
        main_class, count = topics.most_common(1)[0] if topics else ("none", 0)
        words = {method: table[method].terms[at] for method in _WORDS}
        title = table["title"].terms[at][0]
        made.append(
            _Cluster(len(members), main_class, count / len(members), words, title, stories.topics.get(title, ()))
        )
    return made


def _clusters(clusters: Sequence[_Cluster]) -> Table:
    """Return one row for each cluster, as in the table of the book."""
    rows = [
        (one.size, one.main_class, one.share, *(" ".join(one.words[method]) for method in _WORDS), one.title)
        for one in clusters
    ]
    return Table.of_rows(("documents", "main_class", "share", *_WORDS, "title"), rows)


def _as_printed(clusters: Sequence[_Cluster]) -> Table:
    """Return three clusters as in table 17.2, those purest in different topics; terms of one method only are bold."""
    purest: dict[str, int] = {}
    for at in sorted(range(len(clusters)), key=lambda i: -clusters[i].share):
        purest.setdefault(clusters[at].main_class, at)
    rows = []
    for at in sorted(list(purest.values())[:_PRINTED]):
        one = clusters[at]
        pair = [one.words["centroid"], one.words["mutual_information"]]
        both = set(pair[0]) & set(pair[1])
        bold = [" ".join(word if word in both else f"**{word}**" for word in words) for words in pair]
        rows.append((at + 1, one.size, *bold, one.title.partition(": ")[2]))
    return Table.of_rows(("cluster", "documents", "centroid", "mutual_information", "title"), rows)


def _runs(runs: Sequence[Sequence[_Cluster]], found: Documents) -> Table:
    """Return one row for each run: words in common, and the mean share of all documents that contain a word."""
    names = [f"{one}_and_{other}" for one, other in _PAIRS]
    rows = []
    for number, clusters in enumerate(runs, start=1):
        common = [float(np.mean([one.common(*pair) for one in clusters])) for pair in _PAIRS]
        rows.append((number, *common, *(_mean_frequency(clusters, method, found) for method in _WORDS)))
    return Table.of_rows(("run", *names, *(f"frequency_{method}" for method in _WORDS)), rows)


def _mean_frequency(clusters: Sequence[_Cluster], method: Method, found: Documents) -> float:
    """Return the mean, over the words of all clusters, of the share of all documents that contain the word."""
    at = {term: column for column, term in enumerate(found.terms)}
    columns = [at[word] for one in clusters for word in one.words[method]]
    return float(found.document_frequency[columns].mean() / found.n_items)


def _sentences(runs: Sequence[Sequence[_Cluster]], found: Documents) -> Iterator[str]:
    """Summarise the findings in sentences computed from the numbers."""
    skipped = skip_sentence(found.n_items + len(found.skipped), found.skipped)
    yield f"{skipped}; {len(found.terms):,} terms, {len(runs[0])} clusters, {len(runs)} runs."
    for pair in _PAIRS:
        common = [np.mean([one.common(*pair) for one in clusters]) for clusters in runs]
        yield (
            f"of {_N_TERMS} words, {pair[0]} and {pair[1]} have {np.mean(common):.1f} in common"
            f" (runs: {min(common):.1f} to {max(common):.1f})."
        )
    for method in _WORDS:
        share = np.mean([_mean_frequency(clusters, method, found) for clusters in runs])
        words = Counter(word for clusters in runs for one in clusters for word in one.words[method])
        usual = ", ".join(f"{word} ({count / len(runs):.1f})" for word, count in words.most_common(5))
        yield (
            f"{method}: a word is in {share:.1%} of all documents on average;"
            f" in the labels of the most clusters for each run: {usual}."
        )
    same = [one.main_class in one.title_topics for clusters in runs for one in clusters]
    yield f"the title is of a document of the main class of its cluster in {np.mean(same):.0%} of the clusters."
    single = [len(set(one.words["centroid"]) ^ set(one.words["mutual_information"])) for one in runs[0]]
    yield (
        f"terms that only one of centroid and mutual_information has, of {2 * _N_TERMS} for each cluster in the first"
        f" run: {np.mean(single):.1f} on average; in the three clusters that the book prints, 4 to 8."
    )


def _figure(runs: Sequence[Sequence[_Cluster]]) -> "Figure":
    """Draw the number of words that methods have in common, for each cluster of each run."""
    from matplotlib.figure import Figure

    from dendrometry.plot._axes.palette import PALETTE

    figure = Figure(figsize=(7.0, 3.6), layout="constrained")
    ax = figure.subplots()
    edges = np.arange(_N_TERMS + 2) - 0.5
    for at, pair in enumerate(_PAIRS):
        counts = [one.common(*pair) for clusters in runs for one in clusters]
        height, _ = np.histogram(counts, edges)
        ax.bar(
            np.arange(_N_TERMS + 1) + 0.4 * (at - 0.5),
            height,
            width=0.4,
            color=PALETTE[at],
            label=" and ".join(name.replace("_", " ") for name in pair),
        )
    ax.set(xlabel=f"words in common, of {_N_TERMS}", ylabel="clusters of all runs", xticks=range(_N_TERMS + 1))
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return figure
