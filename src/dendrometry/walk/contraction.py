"""The contraction: one walk over two trees that says how many pairs are together at every moment.

Every pair of items is first together in a tree at the *moment* of its lowest common node. A **clock** gives every
node its moment: `rank_clock` the number of merges done, `size_clock` the size of the node, `height_clock` its
height. `contract` walks both trees at once by such a clock. Its record of meetings (`Meets`: which two edges of the
contingency table met, when, and with how many items) is all that any measure of this kind needs:
sums over cells of the table at every tick are running sums over the meetings.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.walk import contraction as kernels
from dendrometry.errors import UndefinedMeasureError
from dendrometry.walk.heights import above_lowest
from dendrometry.walk.pair import Pair, Tree, joined_pairs

__all__ = [
    "Contraction",
    "Ties",
    "contract",
    "exact_dot",
    "height_clock",
    "merge_rank",
    "rank_clock",
    "size_clock",
]

Ties = Literal["together", "order"]


@dataclass(frozen=True, eq=False)
class Contraction:
    """How many pairs of items are together at every tick, and which edges met.

    Attributes
    ----------
    time : (n_ticks,) array of int or float
        The moments at which something merges in either tree, ascending.
    p, q, t : (n_ticks,) array of int
        Pairs together in the first tree, in the second, in both, from this tick until the next.
    meets : Meets
        The meetings of edges in order of time; an edge is numbered by its row of the pair.
    row_tick : (n_rows,) array of int
        The tick at which the items of one row are together in both trees.
    moments, ticks : pairs of arrays
        The moment of every node of either tree, and the tick at which it forms (0 for a node of a single item).
    """

    pair: Pair
    time: NDArray[Any]
    p: IntArray
    q: IntArray
    t: IntArray
    meets: kernels.Meets
    row_tick: IntArray
    moments: tuple[IntArray | FloatArray, IntArray | FloatArray]
    ticks: tuple[IntArray, IntArray]

    @cached_property
    def apart(self) -> IntArray:
        """Pairs together in exactly one of the trees, at each tick."""
        return (self.p - self.t) + (self.q - self.t)

    @property
    def discordance(self) -> int | float:
        """The sum over pairs of |moment in a - moment in b|: exact where the clock is whole-numbered."""
        if self.time.dtype.kind == "i":
            return exact_dot(np.diff(self.time), self.apart[:-1])
        return float((np.diff(self.time) * self.apart[:-1]).sum())

    @property
    def expected_apart(self) -> FloatArray:
        """The mean of `apart` over all relabellings of the items, as a share of all pairs, from E[t] = p q / N."""
        p, q = self.p / max(self.pair.n_pairs, 1), self.q / max(self.pair.n_pairs, 1)
        return p * (1.0 - q) + q * (1.0 - p)

    @property
    def expected_discordance(self) -> float:
        """The mean of `discordance` over all relabellings of the items."""
        return float((np.diff(self.time) * self.expected_apart[:-1]).sum()) * self.pair.n_pairs

    @property
    def is_fixed(self) -> bool:
        """Whether every relabelling gives the same counts: at each tick one tree has no pair together, or all."""
        p, q, most = self.p, self.q, self.pair.n_pairs
        return bool(((p == 0) | (p == most) | (q == 0) | (q == most)).all())

    def item_discordance(self) -> IntArray | FloatArray:
        """Return, for an item of each row, the sum over the others of |moment in a - moment in b|.

        Exact for whole-numbered clocks. Heights are taken above the lowest as two whole numbers each, for their high
        and low bits, so that nothing cancels: 0 is 0, and other sums are right up to rounding, or infinite.
        """
        if self.time.dtype.kind == "i":
            return self._whole_discordance(self.time)
        above, exponent = above_lowest(self.time)
        bits = 60 - self.pair.n_items.bit_length()  # so that 2 n moments, each below 2 * 2**bits, fit in 63 bits
        scaled = np.ldexp(above, bits)
        high = np.floor(scaled)
        low = np.rint(np.ldexp(scaled - high, bits))
        sums = [self._whole_discordance(part.astype(np.int64)) for part in (high, low)]
        with np.errstate(over="ignore"):
            return np.ldexp(sums[0] + np.ldexp(sums[1].astype(np.float64), -bits), exponent - bits)

    def _whole_discordance(self, time: IntArray) -> IntArray:
        """Return `item_discordance` where the ticks have these whole-numbered moments.

        |x - y| is 2 max(x, y) - x - y, and the larger moment of a pair is when its two edges met.
        """
        pair = self.pair
        total: IntArray = kernels.resolve(time, self.meets, pair.count.size) + time[self.row_tick] * (pair.count - 1)
        total *= 2
        for tree, tick in zip((pair.a, pair.b), self.ticks, strict=True):
            total -= kernels.moments_of_rows(tree.parent, time[tick], tree.size)[tree.node]
        return total


def size_clock(tree: Tree) -> IntArray:
    """Return the size of every node, and 0 for a leaf."""
    return np.where(tree.n_children == 0, 0, tree.size)


def height_clock(tree: Tree) -> FloatArray:
    """Return the height of every node; refuse a tree without heights or with inversions."""
    if tree.height is None:
        raise UndefinedMeasureError("the height of a pair needs trees with heights; got a tree without")
    below = tree.height[tree.parent[:-1]] < tree.height[:-1]
    if below.any():
        v = int(np.argmax(below))
        raise UndefinedMeasureError(
            "the height clock needs heights that do not fall towards the root; got"
            f" {tree.height[v]:.6g} at node {tree.original[v]} below {tree.height[tree.parent[v]]:.6g}"
        )
    return tree.height


def rank_clock(ties: Ties) -> Callable[[Tree], IntArray]:
    """Return the clock that counts merges done, with ties broken by node number or merged together."""
    return {"together": _rank_together, "order": merge_rank}[ties]


def merge_rank(tree: Tree) -> IntArray:
    """Return n minus the number of groups just after each node has formed, in ascending order of nodes."""
    _need_ranks(tree)
    ranks: IntArray = np.cumsum(tree.parts - 1)
    return ranks


def _rank_together(tree: Tree) -> IntArray:
    """Return n minus the number of groups just after all nodes up to each one's height have formed.

    A node forms when the last of its parts has: where it lies lower than a child, the child's height counts.
    """
    _need_ranks(tree)
    assert tree.height is not None
    formed = tree_kernels.accumulate_maximum(tree.parent, tree.height)
    order = np.argsort(formed, kind="stable")
    formed, merged = formed[order], np.cumsum(tree.parts[order] - 1)
    last = np.append(formed[1:] > formed[:-1], True)
    rank = np.empty_like(merged)
    rank[order] = merged[last][np.cumsum(last) - last]
    return rank


def _need_ranks(tree: Tree) -> None:
    """Refuse a tree that does not say in which order its nodes formed."""
    if tree.height is None:
        raise UndefinedMeasureError(
            "an order of merging is needed, and the tree has no heights: give heights, or use a measure by"
            " size of clusters, such as hierarchy_agreement"
        )


def contract(pair: Pair, clock: Callable[[Tree], IntArray] | Callable[[Tree], FloatArray]) -> Contraction:
    """Return the walk over both trees by a clock. O(n log n) time, O(n) space."""
    moments = clock(pair.a), clock(pair.b)
    merges = [tree.parts > 1 for tree in (pair.a, pair.b)]
    time = _distinct(np.concatenate([moment[merge] for moment, merge in zip(moments, merges, strict=True)]))
    ticks = _ticks(time, moments[0], merges[0]), _ticks(time, moments[1], merges[1])
    p, q = (
        kernels.running_sum(tick[merge], joined_pairs(tree)[merge], time.size)
        for tree, tick, merge in zip((pair.a, pair.b), ticks, merges, strict=True)
    )
    many = np.flatnonzero(pair.count > 1)
    row_tick = np.zeros(pair.count.size, dtype=np.int64)
    row_tick[many] = np.maximum(ticks[0][pair.a.node[many]], ticks[1][pair.b.node[many]])
    a, b = (kernels.Side(tree.parent, tick, tree.node) for tree, tick in zip((pair.a, pair.b), ticks, strict=True))
    meets = kernels.contract(a, b, pair.count)
    t = kernels.running_sum(meets.tick, meets.kept_count * meets.gone_count, time.size)
    if many.size:
        inside = pair.count[many] * (pair.count[many] - 1) // 2
        t += kernels.running_sum(row_tick[many], inside, time.size)
    return Contraction(pair, time, p, q, t, meets, row_tick, moments, ticks)


def _distinct(moments: NDArray[Any]) -> NDArray[Any]:
    """Return the different moments, ascending; a single item merges never, and has moment 0 alone."""
    if moments.size == 0:
        return np.zeros(1, dtype=moments.dtype)
    ascending: NDArray[Any] = np.sort(moments, kind="stable")  # two runs, often sorted
    distinct: NDArray[Any] = ascending[np.append(True, ascending[1:] > ascending[:-1])]
    return distinct


def _ticks(time: NDArray[Any], moment: NDArray[Any], merge: BoolArray) -> IntArray:
    """Return the tick at which each node forms."""
    tick = np.zeros(moment.size, dtype=np.int64)
    tick[merge] = np.searchsorted(time, moment[merge])
    return tick


def exact_dot(x: IntArray, y: IntArray) -> int:
    """Return the sum of products of two columns of non-negative whole numbers, exactly, however large."""
    if x.size == 0:
        return 0
    if int(x.sum()) * int(y.max()) < 2**63:
        return int((x * y).sum())
    if int(x.sum()) < 2**31:
        high, low = np.divmod(y, 2**32)
        return (int((x * high).sum()) << 32) + int((x * low).sum())
    return sum(map(operator.mul, x.tolist(), y.tolist()))
