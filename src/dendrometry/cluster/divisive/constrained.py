"""Semi-supervised divisive clustering: two-means with constraints from triplets, at every level."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, count_held, random_generator, real_number
from dendrometry._check.points import finite_points, in_units, is_sparse, points_of, prepare_points
from dendrometry._display import plural
from dendrometry._flags import flag
from dendrometry._html import field_table, note
from dendrometry._kernels import tree as walks
from dendrometry._kernels.cluster import constrained as kernels
from dendrometry._progress import Advance, bar
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.cut.underflow import require_squares
from dendrometry.errors import InvalidInputError
from dendrometry.generate.triplets import satisfied_triplets, triplet_rows
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.parents import from_parents

_ROUNDS = 100  # of moving items, and of finding a direction; a split that has not converged by then is used as it is


@dataclass(frozen=True)
class TripletReport:
    """The number of satisfied triplets in a tree built with triplets.

    Attributes
    ----------
    n_items, n_triplets : int
        The number of items and of triplets given.
    n_satisfied : int
        The number of triplets whose first two items join in the tree before either joins the third.
    trust : float
        The penalty for a broken triplet that was requested.
    """

    n_items: int
    n_triplets: int
    n_satisfied: int
    trust: float

    @property
    def n_broken(self) -> int:
        """The number of triplets that the tree contradicts."""
        return self.n_triplets - self.n_satisfied

    def _repr_html_(self) -> str:
        return field_table(self)


@dataclass(frozen=True, eq=False, repr=False)
class ConstrainedDivision:
    """A hierarchy built by `bisect_constrained`, with a report on the triplets.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree, binary, one item in each leaf. The height of a node is its scatter: the sum of squared distances of
        its items from their mean.
    report : TripletReport
        The numbers of triplets given and satisfied.
    """

    hierarchy: Hierarchy
    report: TripletReport

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        report = self.report
        of_all = f"{report.n_satisfied:,} of {plural(report.n_triplets, 'triplet')} satisfied"
        return f"ConstrainedDivision({self.hierarchy!r}, {of_all})"


def bisect_constrained(
    X: Any,
    triplets: Any,
    *,
    trust: float = 1.0,
    trials: int = 3,
    propagate: bool = True,
    item_names: Iterable[str] | None = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> ConstrainedDivision:
    """Build a hierarchy from the top down that follows both the points and known relations of some items.

    The relations are triplets: x and y are closer to each other than to z. A cluster is split in two so as to reduce
    a cost: the scatter of the points about two means, plus a penalty for each broken triplet (x and y are separated),
    minus an eighth of the penalty for each satisfied one (z is separated from both). A broken triplet cannot be
    repaired further down, whereas a triplet that stays on one side counts again at the next level: hence the eighth.

    Parameters
    ----------
    X : (n, d) array of float or int
        The points, one row each. Columns are not scaled: scale them according to their weight.
    triplets : (n_triplets, 3) array of int
        Rows x, y, z of positions of items. They may be repeated and contradict each other: each triplet adds to the
        cost. Without triplets the result is bisecting k-means.
    trust : float above 0
        The penalty for a broken triplet, in mean squared distances of the items of a cluster from their mean.
    trials : int
        The number of pairs of items from which each split starts.
    propagate : bool
        Whether each split also starts from the direction in which the votes of the triplets agree most, which passes
        relations on to items that share triplets; otherwise from one more pair of items.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    rng : numpy Generator, int or None
        The source of random numbers, for the items to start from. The default seed, 0, gives the same result in every
        call; None does not.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    ConstrainedDivision
        ``hierarchy`` down to single items, and ``report`` with the number of satisfied triplets.

    Raises
    ------
    InvalidInputError
        If points are sparse or not finite, a triplet does not consist of three different items, or an option is out of
        range.

    Notes
    -----
    With sides 1 and -1, the triplets' part of the cost is a quadratic form: a vote of 17/32 for x with y and of -1/32
    for z with each. A split starts from pairs of items, of which the second is drawn with a probability proportional to
    its squared distance from the first, and with ``propagate`` from the direction in which the votes agree most: the
    leading eigenvector of their matrix, scaled by degrees, which propagates relations to items that share triplets.
    From each start, items move one by one while this lowers the cost, and the result with the least cost is used.
    Points therefore decide where there are no triplets, and a few wrong triplets are outvoted.

    O(rounds * (n d + triplets)) for each level of the tree, O(n d + triplets) memory. The same ``rng`` gives the same
    bits.

    References
    ----------
    .. [1] D. M. Johnson et al., "Comprehensive Cross-Hierarchy Cluster Agreement Evaluation", AAAI 2013: the task; the
       method is not given there.
    .. [2] S. Snir, S. Rao, "Using max cut to enhance rooted trees consistency", IEEE/ACM TCBB 2006: splits by what
       triplets want together and apart. doi:10.1109/TCBB.2006.58

    Examples
    --------
    >>> from dendrometry.cluster import bisect_constrained
    >>> points = [[0.0], [1.0], [5.0], [6.0]]
    >>> print(bisect_constrained(points, [], item_names=["ape", "bat", "cat", "dog"], rng=0).hierarchy.draw())
    • (26)
    ├─ • (0.5)
    │  ├─ ape
    │  └─ bat
    └─ • (0.5)
       ├─ cat
       └─ dog
    >>> known = [[0, 2, 1], [0, 2, 3], [1, 3, 0], [1, 3, 2]]
    >>> bisect_constrained(points, known, item_names=["ape", "bat", "cat", "dog"], rng=0)
    ConstrainedDivision(Hierarchy(4 items 'ape' to 'dog', 7 nodes, heights 0 to 26), 4 of 4 triplets satisfied)
    """
    points = points_of(X)
    if is_sparse(points):
        raise InvalidInputError("points must be dense for bisect_constrained; got a sparse matrix (use toarray())")
    n = points.shape[0]
    rows = triplet_rows(triplets, n)
    weight = real_number(trust, "trust", above=0.0)
    starts = count_held(trials, "trials", 1, 200 + n)  # a side for each item, in each trial
    further = _by_votes if flag(propagate, "propagate") else _by_pair
    random = random_generator(rng)
    names = name_items(X, item_names, n)
    ready = prepare_points(finite_points(points), "euclidean")
    with bar("splitting", n - 1, progress) as advance:
        parent, item_node, scatter = _divide(ready.points, rows, _Rule(weight, starts, further, random), advance)
    height = in_units(scatter, 2 * ready.exponent)
    if ((height == 0.0) & (scatter != 0.0)).any():
        raise InvalidInputError("heights above 0 must stay above 0; got an underflow (scale the points up)")
    tree = from_parents(parent, item_node, height, names)
    assert tree.height is not None  # they were given
    require_squares(tree, ready.points, tree.height)
    satisfied = int(satisfied_triplets(tree, rows).sum())
    return ConstrainedDivision(tree, TripletReport(n, rows.shape[0], satisfied, weight))


class _Rule(NamedTuple):
    """The options for splitting clusters."""

    trust: float
    trials: int
    further: Callable[[FloatArray, kernels.Votes, np.random.Generator], BoolArray]  # one more start, with triplets
    rng: np.random.Generator


class _Cluster(NamedTuple):
    """A cluster to be split: its node, its items, and the triplets within it, as positions among its items."""

    node: int
    items: IntArray
    triplet: IntArray


def _divide(
    points: FloatArray, triplets: IntArray, rule: _Rule, advance: Advance
) -> tuple[IntArray, IntArray, FloatArray]:
    """Split until every item is alone; return the parent of each node, the node of each item, and the scatter."""
    n = points.shape[0]
    parent, scatter = np.full(2 * n - 1, -1), np.zeros(2 * n - 1)
    item_node = np.zeros(n, dtype=np.int64)
    waiting, made = [_Cluster(0, np.arange(n), triplets)], 1
    while waiting:
        cluster = waiting.pop()
        if cluster.items.size == 1:
            item_node[cluster.items] = cluster.node
            continue
        own = points[cluster.items]
        scatter[cluster.node] = ((own - own.mean(axis=0)) ** 2).sum()
        side = _split(own, cluster.triplet, scatter[cluster.node] / own.shape[0], rule)
        for half in (side, ~side):
            parent[made] = cluster.node
            waiting.append(_Cluster(made, cluster.items[half], _within(cluster.triplet, half)))
            made += 1
        advance(1)
    # the scatter of a part exceeds that of the whole only by rounding
    upwards = np.ascontiguousarray(np.where(parent >= 0, 2 * n - 2 - parent, -1)[::-1])
    return parent, item_node, walks.accumulate_maximum(upwards, np.ascontiguousarray(scatter[::-1]))[::-1]


def _within(triplet: IntArray, half: BoolArray) -> IntArray:
    """Return the triplets that lie in one half, as positions among its items."""
    place = np.cumsum(half) - 1
    inside: IntArray = place[triplet[half[triplet].all(axis=1)]]
    return inside


def _split(points: FloatArray, triplet: IntArray, spread: float, rule: _Rule) -> BoolArray:
    """Return which items go to one side: the result with the least cost over all starts, the first of equal ones."""
    m = points.shape[0]
    if m == 2:
        return np.array([True, False])
    votes = kernels.votes_of(triplet, m)
    price = rule.trust * (spread if spread > 0.0 else 1.0)
    starts = [_by_pair(points, votes, rule.rng) for _ in range(rule.trials)]
    if triplet.size:
        starts.append(rule.further(points, votes, rule.rng))
    costs = [kernels.settle(points, votes, side, price, _ROUNDS) for side in starts]
    best: BoolArray = starts[int(np.argmin(costs))]
    return best


def _by_pair(points: FloatArray, _: kernels.Votes, rng: np.random.Generator) -> BoolArray:
    """Return the items nearer to one of two random items than to the other; half of them if all points are equal."""
    m = points.shape[0]
    first = int(rng.integers(m))
    from_first = ((points - points[first]) ** 2).sum(axis=1)
    total = from_first.sum()
    if total == 0.0:
        halves: BoolArray = np.arange(m) < m // 2
        return halves
    second = int(rng.choice(m, p=from_first / total))
    nearer: BoolArray = ((points - points[second]) ** 2).sum(axis=1) < from_first
    return nearer


def _by_votes(points: FloatArray, votes: kernels.Votes, rng: np.random.Generator) -> BoolArray:
    """Return the items on one side of the direction of the votes; those without votes go to the nearer mean."""
    direction = kernels.leading_direction(votes, rng.standard_normal((points.shape[0],)), _ROUNDS)
    side, other = direction > 0.0, direction < 0.0
    undecided = ~(side | other)
    if not side.any() or not other.any():
        return _by_pair(points, votes, rng)
    ours, theirs = points[side].mean(axis=0), points[other].mean(axis=0)
    side[undecided] = ((points[undecided] - ours) ** 2).sum(axis=1) < ((points[undecided] - theirs) ** 2).sum(axis=1)
    return side
