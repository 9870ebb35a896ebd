"""Element-centric similarity of hierarchies: how alike the surroundings of an item are in two trees, at all levels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._check.numbers import real_number
from dendrometry._exact import inside, total
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.shared_clusters import same_clusters
from dendrometry.tree_pair.spans import Spans, spans
from dendrometry.tree_pair.statistics import PairStatistics

_DAMPING = 0.9  # the share of the steps of a walk that do not return to its item
_MOST_ITEMS = 20_000  # whose affinities of all pairs take some seconds
_MOST_EXPECTED = 1_000  # items whose pairs are sorted for the expectation


def element_centric_hierarchy(a: HierarchyLike, b: HierarchyLike, *, r: float = 1.0) -> float:
    """Element-centric similarity of two trees.

    The surroundings of an item are the shares of time that a random walk spends at each item, which returns to its own
    item at every tenth step on average (personalised PageRank). A step goes from an item to one of the clusters that
    hold it, with a probability in proportion to exp(r l), and on to an item of that cluster at random. l is the place
    of the cluster between the root, 0, and the leaves, 1: its depth over the length of the longest path through it. The
    similarity is 1 minus half the L1 distance of these shares in both trees, over 0.9, averaged over the items.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.
    r : float
        The weight of low clusters: positive values emphasise clusters near the leaves, negative ones those near the
        root.

    Returns
    -------
    float
        From 0 to 1 (the same clusters). Higher is more alike.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If ``r`` is not between -50 and 50, or the trees have more than 20,000 different items; items at the same nodes
        in both trees count once.

    Notes
    -----
    O(n**2) time; O(n) space. Every affinity follows from the lowest common node of two items alone: adding one cluster
    after the other to the graph changes the inverse of its matrix by a product of two vectors. ``1 -
    element_centric_hierarchy`` obeys the triangle inequality. Heights are not used. `element_centric` of two partitions
    has no root cluster, and so is not this similarity of two flat trees. The mean over relabellings is exact, and left
    out for more than 1,000 different items.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9 (2019) 8574, doi:10.1038/s41598-019-44892-y.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import element_centric_hierarchy
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> round(element_centric_hierarchy(a, b), 4), round(element_centric_hierarchy(a, b, r=-5.0), 4)
    (0.8925, 0.966)
    """
    real_number(r, "r", least=-50.0, most=50.0)
    a, b = as_hierarchies(a, b)
    return _similarity(PairStatistics(Pair.of_trees(a, b)), r)


class _Walk(NamedTuple):
    """Affinities of one tree: of items in rows i and j, ``from_row[i] * to_row[j] * common[lowest common node]``.

    An item has this affinity to itself and ``1 - damping`` more. ``spans`` and ``path`` find the lowest common nodes.
    """

    from_row: FloatArray
    to_row: FloatArray
    common: FloatArray
    spans: Spans
    tree: Tree

    def of(self, row: int) -> FloatArray:
        """Return the affinities of an item of a row to another item of each row."""
        path = [int(self.tree.node[row])]
        while self.tree.parent[path[-1]] >= 0:
            path.append(int(self.tree.parent[path[-1]]))
        nodes = np.array(path[::-1])
        low, high = self.spans.low[nodes], self.spans.high[nodes]
        ends = np.concatenate((low, high[::-1]))
        values = np.concatenate((self.common[nodes], self.common[nodes][-2::-1]))
        found = np.empty(self.to_row.size)
        found[self.spans.row] = np.repeat(values, np.diff(ends))
        affinity: FloatArray = self.from_row[row] * self.to_row * found
        return affinity

    @property
    def to_self(self) -> FloatArray:
        """The affinity of the items of each row to themselves."""
        own: FloatArray = 1.0 - _DAMPING + self.from_row * self.to_row * self.common[self.tree.node]
        return own


def _walk(tree: Tree, r: float) -> _Walk:
    """Return the affinities of the items of a tree, from the leaves to the root and back."""
    parent, n_nodes = tree.parent.tolist(), tree.parent.size
    depth, below = np.zeros(n_nodes), np.zeros(n_nodes)
    for v in range(n_nodes - 1):
        below[parent[v]] = max(below[parent[v]], below[v] + 1.0)
    for v in range(n_nodes - 2, -1, -1):
        depth[v] = depth[parent[v]] + 1.0
    weight = np.exp(r * np.divide(depth, depth + below, out=np.zeros(n_nodes), where=depth + below > 0.0))
    strength = weight.copy()
    for v in range(n_nodes - 2, -1, -1):
        strength[v] += strength[parent[v]]
    held = tree.own / strength
    factor, update = np.ones(n_nodes), np.zeros(n_nodes)
    for v in range(n_nodes):
        share = _DAMPING * weight[v] / tree.size[v]
        factor[v] = 1.0 / (1.0 - share * held[v])
        update[v] = share * factor[v]
        if parent[v] >= 0:
            held[parent[v]] += factor[v] * held[v]
    common = update / factor**2
    for v in range(n_nodes - 2, -1, -1):
        factor[v] *= factor[parent[v]]
        common[v] = common[parent[v]] + update[v] / factor[v] ** 2
    raised = factor[tree.node]
    from_row = (1.0 - _DAMPING) * raised / strength[tree.node]
    return _Walk(from_row, raised, common, spans(tree), tree)


def _similarity(statistics: PairStatistics, r: float) -> float:
    """Return the similarity of two trees."""
    pair = statistics.pair
    exceeded = limit(statistics)
    if exceeded:
        raise InvalidInputError(exceeded)
    if same_clusters(pair):
        return 1.0
    in_a, in_b = _walk(pair.a, r), _walk(pair.b, r)
    apart = np.abs(in_a.to_self - in_b.to_self)
    for row in range(pair.count.size):
        other = np.abs(in_a.of(row) - in_b.of(row))
        apart[row] += float(np.dot(pair.count, other)) - other[row]
    return inside(1.0 - total(pair.count * apart) / (2.0 * _DAMPING * pair.n_items))


def limit(statistics: PairStatistics) -> str:
    """Return why there are too many items, or "" if there are not."""
    n_rows = statistics.pair.count.size
    return "" if n_rows <= _MOST_ITEMS else f"there must be at most {_MOST_ITEMS:,} different items; got {n_rows:,}"


def score(statistics: PairStatistics) -> Score:
    """Return the similarity for r = 1 with its expectation: affinities to itself, and to others, meet at random."""
    value, pair = _similarity(statistics, 1.0), statistics.pair
    if pair.count.size > _MOST_EXPECTED:
        return Score(value)
    walks = [_walk(tree, 1.0) for tree in (pair.a, pair.b)]
    own = [_with_counts(walk.to_self, pair.count) for walk in walks]
    others = [_affinities(walk, pair.count) for walk in walks]
    apart = _mean_difference(*own) + (pair.n_items - 1) * _mean_difference(*others)
    expected = 1.0 - apart / (2.0 * _DAMPING)
    return Score(value, expected, adjust(value, expected, 1.0))


class _Counted(NamedTuple):
    """Values in ascending order and how often each occurs."""

    value: FloatArray
    times: FloatArray


def _with_counts(value: FloatArray, times: IntArray | FloatArray) -> _Counted:
    """Return values in ascending order with their counts."""
    order = np.argsort(value, kind="stable")
    return _Counted(value[order], times[order].astype(np.float64))


def _affinities(walk: _Walk, count: IntArray) -> _Counted:
    """Return the affinities of all ordered pairs of different items."""
    values = np.concatenate([walk.of(row) for row in range(count.size)])
    times = np.outer(count, count) - np.diag(count)
    return _with_counts(values, times.ravel())


def _mean_difference(x: _Counted, y: _Counted) -> float:
    """Return the mean absolute difference of a value of x and one of y, drawn independently; 0 of no values.

    The area between both distribution functions F and G weighted by F (1 - G) + G (1 - F).
    """
    n_x, n_y = x.times.sum(), y.times.sum()
    if not n_x or not n_y:
        return 0.0
    every = np.unique(np.concatenate((x.value, y.value)))
    below = [
        np.append(0.0, np.cumsum(some.times))[np.searchsorted(some.value, every[:-1], side="right")] / some.times.sum()
        for some in (x, y)
    ]
    return total(np.diff(every) * (below[0] * (1.0 - below[1]) + below[1] * (1.0 - below[0])))


def cost(statistics: PairStatistics) -> int:
    """Return the number of pairs of rows."""
    return 4 * int(statistics.pair.count.size) ** 2


MEASURE = Measure(
    call=element_centric_hierarchy,
    of="trees",
    symbol="ECH",
    title="Element-centric hierarchy",
    aliases=("element-centric similarity of hierarchies", "CluSim"),
    score=score,
    triangle=True,
    exact=False,
    default=False,
    cost=cost,
    slow="comparing the affinities of all pairs of items",
    limit=limit,
    meaning="how alike the surroundings of an item are in both trees, on average over the items",
    formula=(
        "ECH = 1 - (1/n) Σ_i Σ_j |p_ij - q_ij| / (2 · 0.9)\n"
        "p_i = the shares of a random walk that returns to item i; clusters weigh exp(r l) at level l from 0 to 1"
    ),
    chance="the mean difference of affinities of items to themselves, and of those to others, in both trees, exact",
    source="Gates et al. 2019",
    bibtex="gates2019",
)
