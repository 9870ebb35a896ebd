"""Hierarchical words: chi-square tests down the tree decide at which node a term stays."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import hierarchy as kernels
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.label.differential import chi_square
from dendrometry.label.ordered import Ordered
from dendrometry.label.plan import Plan, Words, best

__all__ = ["by_tests_down_the_tree"]

_ROUNDING = 1e-9  # statistics that differ by less, relatively, count as equal


class _Arrived(NamedTuple):
    """The terms that came down to a node, how well each marks the node off from its siblings, and its score."""

    column: IntArray
    mark: FloatArray
    score: FloatArray


class _Part(NamedTuple):
    """One of the parts that the documents of a node fall into: how many there are, and those that hold each term."""

    child: int
    size: int
    column: IntArray
    inside: IntArray


class _Clusters(NamedTuple):
    """The nodes that are clusters of their own, and for any node the one with the same documents furthest down."""

    foot: IntArray
    needed: BoolArray

    @classmethod
    def of(cls, tree: Hierarchy, nodes: IntArray) -> "_Clusters":
        """Return the clusters to visit for some nodes: theirs, and all above."""
        own = (tree.n_children != 1) | (tree.own_sizes > 0)
        foot = kernels.nearest_kept_below(tree.parent, own)
        asked = np.zeros(tree.n_nodes, dtype=np.int64)
        asked[foot[nodes]] = 1
        return cls(foot, own & (kernels.accumulate_sum(tree.parent, asked) > 0))


def by_tests_down_the_tree(documents: Ordered, nodes: IntArray, plan: Plan) -> list[Words]:
    """Return the words of nodes that tell each from its parent, its siblings and its children."""
    tree = documents.tree
    clusters = _Clusters.of(tree, nodes)
    root = int(clusters.foot[tree.root])
    everything = np.arange(len(documents.terms))
    pending = {root: _Arrived(everything, np.zeros(everything.size), documents.overall / documents.n)}
    found: dict[int, Words] = {}
    for v in tree.order.node[clusters.needed[tree.order.node]].tolist():
        arrived = pending.pop(v)
        inside = documents.frequency(v)
        parts = _parts(documents, v, clusters)
        independent, stays = _tested(arrived, inside, int(documents.size[v]), parts, plan)
        taken = np.flatnonzero(stays)[best(arrived.column[stays], arrived.score[stays], plan.n_terms)]
        found[v] = Words(
            tuple(documents.terms[c] for c in arrived.column[taken].tolist()), tuple(arrived.score[taken].tolist())
        )
        goes_on = ~independent
        goes_on[taken] = False
        passed = np.zeros(inside.size, dtype=bool)
        passed[arrived.column[goes_on]] = True
        for part in parts:
            if part.child >= 0 and clusters.needed[part.child]:
                pending[part.child] = _arrivals(part, passed, inside, int(documents.size[v]), plan)
    return [found[int(clusters.foot[v])] for v in nodes.tolist()]


def _parts(documents: Ordered, v: int, clusters: _Clusters) -> list[_Part]:
    """Return the parts of a node: the documents that belong to it itself, if any, and those of each child."""
    tree = documents.tree
    low, n_own = int(documents.low[v]), int(tree.own_sizes[v])
    spans = [(-1, low, low + n_own)] if n_own else []
    for child in tree.children.node[tree.children.start[v] : tree.children.start[v + 1]].tolist():
        spans.append((int(clusters.foot[child]), int(documents.low[child]), int(documents.high[child])))
    return [_part(documents, *span) for span in spans]


def _part(documents: Ordered, child: int, first: int, last: int) -> _Part:
    """Return the part at a range of places; what a single document holds needs no counting."""
    if last - first == 1:
        start = documents.counts.indptr
        column = documents.counts.indices[start[first] : start[last]]
        return _Part(child, 1, column, np.ones(column.size, dtype=np.int64))
    inside = documents.frequency_between(first, last)
    column = np.flatnonzero(inside)
    return _Part(child, last - first, column, inside[column])


def _tested(
    arrived: _Arrived, inside: IntArray, size: int, parts: list[_Part], plan: Plan
) -> tuple[BoolArray, BoolArray]:
    """Return which terms are independent of the parts of a node, and which are its own words."""
    from scipy.special import chdtri

    if len(parts) < 2:
        everywhere = np.ones(arrived.column.size, dtype=bool)
        return everywhere, everywhere
    squares = np.zeros(inside.size)
    for part in parts:
        squares[part.column] += part.inside * part.inside / part.size
    held = inside[arrived.column]
    share = held / size
    spread = share * (1.0 - share)
    apart = np.maximum(squares[arrived.column] - held * share, 0.0)
    statistic = np.divide(apart, spread, out=np.zeros(held.size), where=spread > 0)
    independent: BoolArray = statistic <= chdtri(len(parts) - 1, plan.significance)
    return independent, independent | (arrived.mark >= statistic * (1.0 - _ROUNDING))


def _arrivals(part: _Part, passed: BoolArray, inside: IntArray, size: int, plan: Plan) -> _Arrived:
    """Return the terms that go down to a child: those passed on that are more frequent there than in the node."""
    above = inside[part.column]
    chosen = passed[part.column] & (part.inside * size > above * part.size)
    column, held = part.column[chosen], part.inside[chosen]
    mark = chi_square(held, above[chosen], part.size, size)
    return _Arrived(column, mark, mark * plan.penalty(held, part.size))
