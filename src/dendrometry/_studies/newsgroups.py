"""Trees of 18,821 newsgroup messages by every clustering method, compared with the hierarchy of the group names."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.cost import Cost, costed
from dendrometry._studies.inputs.texts import planted
from dendrometry._studies.result import StudyResult, Table
from dendrometry.comparison.compare import compare
from dendrometry.comparison.comparison import Comparison
from dendrometry.cut.coarsen import coarsen
from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.hierarchy import Hierarchy
from dendrometry.text.collection import Documents, skip_sentence
from dendrometry.text.methods import TreeMethod
from dendrometry.text.tree import cluster_documents
from dendrometry.text.vectorize import vectorize_documents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ON_TERMS: tuple[TreeMethod, ...] = ("bisect", "principal_direction", "buckshot", "group_average")
_ON_DIMENSIONS: tuple[TreeMethod, ...] = (*_ON_TERMS, "average", "complete", "single", "ward")
_MEASURES = ("hierarchy_agreement", "hierarchical_f", "partial_order_f")
_QUICK = ("comp.os.one", "comp.os.two", "comp.sys", "rec.autos", "rec.sport.one", "rec.sport.two", "sci.space")
_EACH = 10  # number of documents in each of these classes
_TITLE = "Which way of building finds the hierarchy of the newsgroups again, and at what cost?"


class _Found(NamedTuple):
    """The trees of one method on one type of vectors, compared with the truth: full trees and their tops."""

    method: str
    vectors: str
    full: Comparison
    top: Comparison
    cost: Cost


def newsgroups(
    *, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False
) -> StudyResult:
    """Cluster the newsgroup messages by every method and compare the trees with that of the dotted group names.

    The vectors are the TF-IDF weights of the terms that occur in at least three messages, or their reduction to 100
    dimensions by truncated SVD. Methods that do not need all pairwise distances between sparse vectors are applied to
    both, the other linkages to the reduced vectors. Each tree is compared with the truth in full, down to single
    messages, and by its top with as many leaves as there are groups: leaves of the top contain many messages, like
    those of the truth. Partial-order F depends on messages at the same node, which a tree of single messages does not
    have, so it is measured on the tops. The top of Buckshot is built with as many clusters as groups, the other tops by
    `dendrometry.cut.coarsen`.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` uses 70 synthetic documents with planted classes, and 20
        dimensions. Otherwise the messages are loaded with `dendrometry.datasets.fetch`, which downloads them on first
        use.

    Returns
    -------
    StudyResult
        Tables "tops" and "full" (HAI with its chance value and adjusted for chance, hierarchical F, partial-order F)
        and "cost" (elapsed seconds, CPU time and peak memory of each, which vary between runs); figure "measures".

    Raises
    ------
    InvalidInputError
        If the messages cannot be fetched.

    Examples
    --------
    >>> from dendrometry._studies.newsgroups import newsgroups
    >>> result = newsgroups(quick=True)
    >>> result
    StudyResult(newsgroups: tables tops, full, cost; figures measures)
    >>> result.to_frame().shape
    (12, 8)
    """
    source = random_generator(rng)
    corpus = planted(dict.fromkeys(_QUICK, _EACH), source) if quick else fetch("20newsgroups")
    seed = int(source.integers(2**31))
    texts = list(zip(corpus.items, corpus.texts, strict=True))
    n_dimensions = 20 if quick else 100
    terms, cost_of_terms = costed(lambda: vectorize_documents(texts, min_documents=3))
    dense, cost_of_dense = costed(
        lambda: vectorize_documents(texts, min_documents=3, n_dimensions=n_dimensions, rng=seed)
    )
    kinds = {"terms": terms, f"{n_dimensions} dimensions": dense}
    truth = corpus.truth.restrict(terms.items)
    ways = [(method, kind) for kind, some in zip(kinds, (_ON_TERMS, _ON_DIMENSIONS), strict=True) for method in some]
    found = [
        _built(method, kind, kinds[kind], truth, seed)
        for method, kind in track(ways, "ways of building", len(ways), progress)
    ]
    costs = [("vectors", kind, *cost) for kind, cost in zip(kinds, (cost_of_terms, cost_of_dense), strict=True)]
    costs += [(one.method, one.vectors, *one.cost) for one in found]
    return StudyResult(
        "newsgroups",
        _TITLE,
        {
            "tops": _table(found, [one.top for one in found], with_pairs=True),
            "full": _table(found, [one.full for one in found], with_pairs=False),
            "cost": Table.of_rows(("method", "vectors", *Cost._fields), costs),
        },
        tuple(_sentences(found, corpus, terms, truth)),
        figures={"measures": partial(_figure, found)},
    )


def _built(method: TreeMethod, kind: str, found: Documents, truth: Hierarchy, seed: int) -> _Found:
    """Build one tree and its top, and compare both with the truth."""
    built, cost = costed(lambda: cluster_documents(found, method=method, rng=seed))
    n_groups = truth.leaves.size
    if method == "buckshot":
        top = cluster_documents(found, method=method, n_clusters=n_groups, rng=seed).hierarchy
    else:
        top = coarsen(built.hierarchy, n_groups)
    full = compare(truth, built.hierarchy, measures=_MEASURES[:2], on_mismatch="intersect")
    return _Found(method, kind, full, compare(truth, top, measures=_MEASURES, on_mismatch="intersect"), cost)


def _table(found: Sequence[_Found], comparisons: Sequence[Comparison], *, with_pairs: bool) -> Table:
    """Return one row for each method and type of vectors, with the measures of the given comparisons."""
    names = ["method", "vectors", "hai", "hai_by_chance", "hai_adjusted", "hierarchical_f"]
    names += ["partial_order_f", "partial_order_f_adjusted"] if with_pairs else []
    rows = []
    for one, result in zip(found, comparisons, strict=True):
        hai = result["hierarchy_agreement"]
        row = [one.method, one.vectors, hai.value, hai.expected, hai.adjusted, result["hierarchical_f"].value]
        if with_pairs:
            row += [result["partial_order_f"].value, result["partial_order_f"].adjusted]
        rows.append(row)
    return Table.of_rows(names, rows)


def _sentences(found: Sequence[_Found], corpus: Corpus, terms: Documents, truth: Hierarchy) -> Iterator[str]:
    """Summarise the findings in sentences computed from the numbers."""
    skipped = skip_sentence(len(corpus.items), terms.skipped)
    yield f"{skipped}; {len(terms.terms):,} terms; {truth.leaves.size} groups in a tree of {truth.n_nodes} nodes."
    for what, tree in (("tops", "top"), ("full trees", "full")):
        best = []
        for measure in _MEASURES[: 3 if tree == "top" else 2]:
            one = max(found, key=lambda one: getattr(one, tree)[measure].value or 0.0)
            best.append(f"{_name(one)} by {measure} ({getattr(one, tree)[measure].value:.3f})")
        yield f"best of the {what}: {', '.join(best)}."
    for one in found:
        hai = one.top["hierarchy_agreement"]
        if hai.adjusted is not None and hai.adjusted < 0.05:
            yield f"{_name(one)} is hardly nearer to the truth than chance: adjusted HAI {hai.adjusted:.3f}."


def _name(one: _Found) -> str:
    """Return the name of a method with its type of vectors."""
    return f"{one.method} on {one.vectors}"


def _figure(found: Sequence[_Found]) -> "Figure":
    """Draw the measures of the tops: one row for each method, one dot for each measure."""
    from matplotlib.figure import Figure

    from dendrometry.plot._axes.palette import FAINT, PALETTE

    figure = Figure(figsize=(8.0, 0.32 * len(found) + 1.4), layout="constrained")
    ax = figure.subplots()
    rows = np.arange(len(found))[::-1]
    ax.hlines(rows, 0.0, 1.0, color=FAINT, linewidth=0.8)
    series = {
        "HAI, adjusted": [one.top["hierarchy_agreement"].adjusted for one in found],
        "hierarchical F": [one.top["hierarchical_f"].value for one in found],
        "partial-order F, adjusted": [one.top["partial_order_f"].adjusted for one in found],
    }
    for (name, values), colour, marker in zip(series.items(), PALETTE, "os^", strict=False):
        shown = [np.nan if value is None else value for value in values]
        ax.plot(shown, rows, marker, color=colour, label=name, clip_on=False)
    ax.set_yticks(rows, [_name(one) for one in found])
    ax.set_xlim(min(0.0, ax.get_xlim()[0]), 1.0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(left=False)
    ax.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure
