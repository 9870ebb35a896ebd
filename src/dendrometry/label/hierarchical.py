"""Hierarchical words: tests down the tree and mutual information decide to which node a term belongs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as kernels
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.label.differential import information
from dendrometry.label.ordered import Ordered
from dendrometry.label.plan import LabelPlan, Words, best

_ROUNDING = 1e-9  # values of mutual information that differ by less, relatively, count as equal


class _Candidates(NamedTuple):
    """The terms that may be words of a node: their mutual information with it among all documents, and their scores.

    ``shown`` are the words of the nodes above.
    """

    column: IntArray
    tells: FloatArray
    score: FloatArray
    shown: IntArray


class _Part(NamedTuple):
    """One part of the documents of a node: its number of documents, and the number that contain each term."""

    child: int
    size: int
    column: IntArray
    inside: IntArray


class _Split(NamedTuple):
    """A node and its parts: the number of documents with each term, and the chi-square statistic of term and part.

    A statistic up to ``bound`` is not significant: the term is independent of the parts.
    """

    size: int
    inside: IntArray
    parts: list[_Part]
    statistic: FloatArray
    bound: float


class _Clusters(NamedTuple):
    """The nodes that are distinct clusters, and for any node the lowest one with the same documents."""

    foot: IntArray
    needed: BoolArray

    @classmethod
    def of(cls, tree: Hierarchy, nodes: IntArray) -> _Clusters:
        """Return the clusters to visit for some nodes: their own, and all above."""
        own = (tree.n_children != 1) | (tree.own_sizes > 0)
        foot = kernels.nearest_kept_below(tree.parent, own)
        wanted = np.zeros(tree.n_nodes, dtype=np.int64)
        wanted[foot[nodes]] = 1
        return cls(foot, own & (kernels.accumulate_sum(tree.parent, wanted) > 0))


def by_tests_down_the_tree(documents: Ordered, nodes: IntArray, plan: LabelPlan) -> list[Words]:
    """Return the words of nodes that distinguish each from its parent, its siblings and its children."""
    tree = documents.tree
    clusters = _Clusters.of(tree, nodes)
    common = np.flatnonzero(2 * documents.overall >= documents.n)
    share = documents.overall[common] / documents.n
    pending = {int(clusters.foot[tree.root]): _Candidates(common, np.zeros(common.size), share, common[:0])}
    found: dict[int, Words] = {}
    for v in tree.order.node[clusters.needed[tree.order.node]].tolist():
        candidates = pending.pop(v)
        split = _split(documents, v, clusters, plan)
        places = _own_terms(documents, candidates, split, plan)
        taken = candidates.column[places]
        found[v] = Words(tuple(documents.terms[c] for c in taken.tolist()), tuple(candidates.score[places].tolist()))
        shown = np.concatenate([candidates.shown, taken])
        for part in split.parts:
            if part.child >= 0 and clusters.needed[part.child]:
                pending[part.child] = _candidates(documents, split, part, shown, plan)
    return [found[int(clusters.foot[v])] for v in nodes.tolist()]


def _own_terms(documents: Ordered, candidates: _Candidates, split: _Split, plan: LabelPlan) -> IntArray:
    """Return the candidates that become words of a node: the best of those that do not fit its children better."""
    independent = split.statistic[candidates.column] <= split.bound
    of_children = _information_on_children(documents, candidates.column[~independent], split)
    stays = independent
    stays[~independent] = candidates.tells[~independent] >= of_children * (1.0 - _ROUNDING)
    own = np.flatnonzero(stays)
    used: frozenset[str] = frozenset()
    if documents.is_phrase.any():
        used = frozenset(word for c in candidates.shown.tolist() for word in documents.terms[c].split(" "))
    taken: IntArray = own[best(documents, candidates.column[own], candidates.score[own], plan.n_terms, used)]
    return taken


def _information_on_children(documents: Ordered, column: IntArray, split: _Split) -> FloatArray:
    """Return the greatest mutual information of each term with a child; 0 if it is not more frequent in any."""
    place = np.full(len(documents.terms), -1, dtype=np.int64)
    place[column] = np.arange(column.size)
    most = np.zeros(column.size)
    for part in split.parts:
        if part.child < 0:
            continue
        above = split.inside[part.column]
        chosen = (place[part.column] >= 0) & (part.inside * split.size > above * part.size)
        terms, held = part.column[chosen], part.inside[chosen]
        share = information(held, documents.overall[terms], part.size, documents.n)
        most[place[terms]] = np.maximum(most[place[terms]], share)
    return most


def _candidates(documents: Ordered, split: _Split, part: _Part, shown: IntArray, plan: LabelPlan) -> _Candidates:
    """Return the terms that may be words of a child: they distinguish the parts, and are more frequent in it."""
    apart = split.statistic > split.bound
    apart[shown] = False
    above, overall = split.inside[part.column], documents.overall[part.column]
    more = (part.inside * split.size > above * part.size) & (part.inside * documents.n > overall * part.size)
    chosen = apart[part.column] & more
    held = part.inside[chosen]
    of_all = information(held, overall[chosen], part.size, documents.n)
    of_parent = information(held, above[chosen], part.size, split.size)
    score = np.sqrt(of_all * of_parent) * plan.penalty(held, part.size)
    return _Candidates(part.column[chosen], of_all, score, shown)


def _split(documents: Ordered, v: int, clusters: _Clusters, plan: LabelPlan) -> _Split:
    """Return a node and its parts, tested."""
    from scipy.special import chdtri

    size, inside, parts = int(documents.size[v]), documents.frequency(v), _parts(documents, v, clusters)
    if len(parts) < 2:
        return _Split(size, inside, parts, np.zeros(inside.size), 0.0)
    squares = np.zeros(inside.size)
    for part in parts:
        squares[part.column] += part.inside * part.inside / part.size
    share = inside / size
    spread = share * (1.0 - share)
    apart = np.maximum(squares - inside * share, 0.0)
    statistic = np.divide(apart, spread, out=np.zeros(inside.size), where=spread > 0)
    return _Split(size, inside, parts, statistic, float(chdtri(len(parts) - 1, plan.alpha)))


def _parts(documents: Ordered, v: int, clusters: _Clusters) -> list[_Part]:
    """Return the parts of a node: the documents that belong to it itself, if any, and those of each child."""
    tree = documents.tree
    low, n_own = int(documents.low[v]), int(tree.own_sizes[v])
    spans = [(-1, low, low + n_own)] if n_own else []
    for child in tree.children.node[tree.children.start[v] : tree.children.start[v + 1]].tolist():
        spans.append((int(clusters.foot[child]), int(documents.low[child]), int(documents.high[child])))
    return [_part(documents, *span) for span in spans]


def _part(documents: Ordered, child: int, first: int, last: int) -> _Part:
    """Return the part at a range of positions; the terms of a single document need not be counted."""
    if last - first == 1:
        start = documents.counts.indptr
        column = documents.counts.indices[start[first] : start[last]]
        return _Part(child, 1, column, np.ones(column.size, dtype=np.int64))
    inside = documents.frequency_between(first, last)
    column = np.flatnonzero(inside)
    return _Part(child, last - first, column, inside[column])
