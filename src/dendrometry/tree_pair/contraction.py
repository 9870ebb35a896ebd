"""The contraction: one walk over two trees that counts the pairs of items together at every moment.

Every pair of items is first together in a tree at the *moment* of its lowest common node. A **clock** assigns a moment
to every node: `rank_clock` the number of merges done, `size_clock` the size of the node, `height_clock` its height.
`contract` walks both trees simultaneously by such a clock. Its record (`Meets`: which two edges of the contingency
table met, when, and with how many items) suffices for any measure of this kind: sums over cells of the table at every
tick are running sums over the meetings. For small trees the pairs together in both are counted from a table of all
pairs of rows instead, which is quick without compiled code.
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.tree import require_heights
from dendrometry._kernels.tree_pair import contraction as kernels
from dendrometry._kernels.tree_pair import layout
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.tree_pair.heights import above_lowest
from dendrometry.tree_pair.pair import Pair, Tree, both, heights_formed
from dendrometry.tree_pair.sums import running_sum

Ties = Literal["together", "order"]
_Result = TypeVar("_Result")


@dataclass(frozen=True, eq=False)
class Frame:
    """What the two trees alone decide of a walk, so that it is the same for all relabellings of the items.

    Attributes
    ----------
    time : (n_ticks,) array of int or float
        The moments at which something merges in either tree, ascending.
    trees : pair of Tree
        The trees.
    moments, ticks : pairs of arrays
        The moment of every node of either tree, and the tick at which it is formed (0 for a node of a single item).
    n_pairs : int
        The number of pairs of items.
    """

    time: NDArray[Any]
    trees: tuple[Tree, Tree]
    moments: tuple[NDArray[Any], NDArray[Any]]
    ticks: tuple[NDArray[np.int32], NDArray[np.int32]]
    n_pairs: int

    @cached_property
    def p(self) -> IntArray:
        """Pairs together in the first tree, from each tick until the next."""
        return self.sum_together(0, 2) >> 1

    @cached_property
    def q(self) -> IntArray:
        """Pairs together in the second tree, from each tick until the next."""
        return self.sum_together(1, 2) >> 1

    def sum_together(self, i: int, length: int, one: float = 1) -> NDArray[Any]:
        """Return the number of ordered pairs or triples of items together in tree i, from each tick until the next.

        With 1.0 in place of ``one`` they are floats.
        """
        tree, total = self.trees[i], np.zeros(self.time.size, dtype=type(one))
        joined = np.empty(tree.parent.size - tree.n_first, dtype=type(one))
        kernels.sum_together(side_of(tree, self.ticks[i]), tree.size, length, one, joined, total)
        return total

    @cached_property
    def laid_out(self) -> tuple[list[NDArray[np.int32]], layout.Parts] | None:
        """The places of the nodes, and the parts, for relabellings; None if several items may be at one node."""
        if max(tree.own.max() for tree in self.trees) > 1:
            return None
        sides = [side_of(tree, tick) for tree, tick in zip(self.trees, self.ticks, strict=True)]
        places, parts = lay_out(sides, self.time.size)
        of_nodes = [np.zeros(side.parent.size, dtype=np.int32) for side in sides]
        for of_node, side, place in zip(of_nodes, sides, places, strict=True):
            of_node[side.node] = place
        return of_nodes, parts

    @cached_property
    def expected_apart(self) -> FloatArray:
        """The mean of `Contraction.apart` over all relabellings, as a share of all pairs, from E[t] = p q / N."""
        p, q = self.p / max(self.n_pairs, 1), self.q / max(self.n_pairs, 1)
        return p * (1.0 - q) + q * (1.0 - p)

    @cached_property
    def expected_discordance(self) -> float:
        """The mean of `Contraction.discordance` over all relabellings of the items."""
        return float((np.diff(self.time) * self.expected_apart[:-1]).sum()) * self.n_pairs

    @cached_property
    def is_fixed(self) -> bool:
        """Whether every relabelling gives the same counts: at each tick, one tree has no pair together or all pairs."""
        p, q, most = self.p, self.q, self.n_pairs
        return bool(((p == 0) | (p == most) | (q == 0) | (q == most)).all())


@dataclass(frozen=True, eq=False)
class Contraction:
    """The numbers of pairs of items that are together at every tick, and the meetings of edges.

    ``row_tick`` is the tick at which the items of one row are together in both trees.
    """

    pair: Pair
    frame: Frame
    row_tick: IntArray

    @property
    def time(self) -> NDArray[Any]:
        """The moments at which something merges in either tree, ascending."""
        return self.frame.time

    @property
    def p(self) -> IntArray:
        """Pairs together in the first tree, from each tick until the next."""
        return self.frame.p

    @property
    def q(self) -> IntArray:
        """Pairs together in the second tree, from each tick until the next."""
        return self.frame.q

    @cached_property
    def _division(self) -> kernels.Division:
        """How the edges came apart, from the root down."""
        return self._divide(*self._lay_out())

    def _lay_out(self) -> tuple[NDArray[np.int32], layout.Parts]:
        """Return the places of the rows and the parts, found on two threads if there are many.

        Those of a relabelling are those of the frame, if every item has a node of its own.
        """
        trees = (self.pair.a, self.pair.b)
        if self.pair.a is not self.frame.trees[0] and self.frame.laid_out is not None:
            of_nodes, parts = self.frame.laid_out
            places = np.stack([of_node[tree.node] for of_node, tree in zip(of_nodes, trees, strict=True)])
            return places, parts._replace(part=parts.part.copy())  # which the kernel changes
        return lay_out([side_of(*side) for side in zip(trees, self.frame.ticks, strict=True)], self.time.size)

    def _divide(self, places: NDArray[np.int32], parts: layout.Parts) -> kernels.Division:
        """Return how the edges come apart, which takes one thread."""
        n = self.pair.count.size
        room = np.zeros((8, n), dtype=np.int32)  # at once: what is new in memory comes in large pages
        edges = kernels.Edges(room[0], room[1], room[2], room[3], room[4:6].reshape(n, 2))
        return kernels.divide((places[0], places[1]), parts, room[6:].reshape(2 * n), edges)

    @cached_property
    def meets(self) -> kernels.Meets:
        """The meetings of edges in order of time; an edge is numbered by its row of the pair."""
        return kernels.meetings(self._division, self.pair.count)

    @cached_property
    def t(self) -> IntArray:
        """Pairs together in both trees, from each tick until the next."""
        return self._count_pairs() if self.pair.has_few_pairs else self._count_meetings()

    def beside_t(self, other: Callable[[], _Result]) -> _Result:
        """Return what a function gives, called on a second thread while one counts `t`, if there are many rows."""
        if self.pair.has_few_pairs or "_division" in vars(self):
            return other()
        laid_out = self._lay_out()

        def count() -> None:
            vars(self)["_division"] = self._divide(*laid_out)
            _ = self.t

        jobs: list[Callable[[], Any]] = [count, other]
        result: _Result = both(lambda job: job(), jobs, self.pair.count.size)[1]
        return result

    def _count_pairs(self) -> IntArray:
        """Return `t` for small trees: a pair is together in both from the later of its two ticks on."""
        a, b = (tick[lowest] for tick, lowest in zip(self.frame.ticks, self.pair.lowest, strict=True))
        return running_sum(np.maximum(a, b).ravel(), self.pair.pairs.ravel(), self.time.size) >> 1

    def _count_meetings(self) -> IntArray:
        """Return `t` for trees of any size: pairs of different rows by the walk, and those of one row."""
        count, n_ticks = self.pair.count, self.time.size
        t = np.zeros(n_ticks, dtype=np.int64)
        kernels.pairs_in_both(self._division, count, np.empty_like(count), t)
        many = np.flatnonzero(count > 1)
        if many.size:
            t += running_sum(self.row_tick[many], count[many] * (count[many] - 1) // 2, n_ticks)
        return t

    @cached_property
    def apart(self) -> IntArray:
        """Pairs together in exactly one of the trees, at each tick."""
        p, q = self.beside_t(lambda: (self.p, self.q))
        return (p - self.t) + (q - self.t)

    @property
    def discordance(self) -> int | float:
        """The sum over pairs of |moment in a - moment in b|: exact if the moments are whole numbers."""
        if self.time.dtype.kind == "i":
            return exact_dot(np.diff(self.time), self.apart[:-1])
        return float((np.diff(self.time) * self.apart[:-1]).sum())

    def item_discordance(self) -> IntArray | FloatArray:
        """Return, for an item of each row, the sum over the others of |moment in a - moment in b|.

        Exact if the moments are whole numbers. Heights above the lowest are split into two whole numbers each, for
        their high and low bits, so that nothing cancels: 0 is exact, and other sums are correct up to rounding, or
        infinite.
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
        """Return `item_discordance` for ticks with these whole-numbered moments.

        |x - y| is 2 max(x, y) - x - y, and the larger moment of a pair is the time at which its two edges met.
        """
        pair = self.pair
        total: IntArray = kernels.resolve(time, self.meets, pair.count.size) + time[self.row_tick] * (pair.count - 1)
        total *= 2
        for tree, tick in zip((pair.a, pair.b), self.frame.ticks, strict=True):
            total -= kernels.moments_of_rows(tree.parent, time[tick], tree.size)[tree.node]
        return total


def size_clock(tree: Tree) -> IntArray:
    """Return the size of every node, and 0 for a leaf."""
    return np.where(tree.n_children == 0, 0, tree.size)


def height_clock(tree: Tree) -> FloatArray:
    """Return the height of every node, refusing a tree without heights or with inversions."""
    height = require_heights(tree.height, tree.which, "the heights of pairs", UndefinedMeasureError)
    below = height[tree.parent[:-1]] < height[:-1]
    if below.any():
        v = int(np.argmax(below))
        raise UndefinedMeasureError(
            "heights must not decrease towards the root for this measure; got"
            f" {height[v]:.6g} at node {tree.original[v]} below {height[tree.parent[v]]:.6g} in ",
            tree.which,
        )
    return height


def rank_clock(ties: Ties) -> Callable[[Tree], IntArray]:
    """Return the clock that counts the merges done, with ties broken by node number or merged together."""
    return {"together": _rank_together, "order": merge_rank}[ties]


def merge_rank(tree: Tree) -> IntArray:
    """Return n minus the number of clusters just after each node is formed, in ascending order of nodes."""
    _merge_heights(tree)
    ranks: IntArray = np.cumsum(tree.parts - 1)
    return ranks


def _rank_together(tree: Tree) -> IntArray:
    """Return n minus the number of clusters just after all nodes up to the height of each node are formed.

    A node is formed when its last part is: if it lies lower than a child, the child's height counts.
    """
    _merge_heights(tree)
    formed = heights_formed(tree)
    assert formed is not None
    return rank_formed(tree, formed)


def rank_formed(tree: Tree, formed: FloatArray | IntArray) -> IntArray:
    """Return n minus the number of clusters just after all nodes up to the moment of each node are formed.

    ``formed`` are these moments, which do not decrease towards the root.
    """
    if not (formed[1:] >= formed[:-1]).all():
        order = np.argsort(formed, kind="stable")
        rank = np.empty_like(tree.parts)
        rank[order] = _ranks_in_order(tree.parts[order], formed[order])
        return rank
    return _ranks_in_order(tree.parts, formed)


def _ranks_in_order(parts: IntArray, formed: FloatArray | IntArray) -> IntArray:
    """Return `rank_formed` for nodes in the order of their moments; all in one column, since new memory takes time."""
    merged: IntArray = parts - 1
    np.cumsum(merged, out=merged)
    kernels.keep_last_of_ties(formed, merged)
    return merged


def _merge_heights(tree: Tree) -> FloatArray:
    """Return the heights, which give the order of merging, refusing a tree without them."""
    return require_heights(tree.height, tree.which, "stages", UndefinedMeasureError)


def contract(pair: Pair, clock: Callable[[Tree], IntArray] | Callable[[Tree], FloatArray]) -> Contraction:
    """Return the walk over both trees by a clock. O(n log n) time, O(n) space."""
    return follow(pair, frame_of(pair, clock))


def follow(pair: Pair, frame: Frame) -> Contraction:
    """Return the walk over both trees, given the frame of the pair or of one with its items labelled otherwise."""
    row_tick = np.zeros(pair.count.size, dtype=np.int64)
    if pair.n_items > pair.count.size:
        many = np.flatnonzero(pair.count > 1)
        row_tick[many] = np.maximum(frame.ticks[0][pair.a.node[many]], frame.ticks[1][pair.b.node[many]])
    return Contraction(pair, frame, row_tick)


def frame_of(pair: Pair, clock: Callable[[Tree], IntArray] | Callable[[Tree], FloatArray]) -> Frame:
    """Return what the trees alone decide of the walk by a clock. O(n), if moments are whole numbers of about n."""
    trees, n_rows = (pair.a, pair.b), pair.count.size
    moments = both(clock, trees, n_rows)
    time, ticks = _ticks(moments, (pair.a.parts > 1, pair.b.parts > 1))
    return Frame(time, trees, moments, ticks, pair.n_pairs)


def lay_out(sides: Sequence[layout.Side], n_ticks: int) -> tuple[NDArray[np.int32], layout.Parts]:
    """Return the places of the rows in orders of both trees, those of the second after all others, and the parts."""
    n_rows = sides[0].node.size
    counts = np.zeros((2, n_ticks), dtype=np.int32)
    nodes = [np.zeros((side.parent.size - side.n_first, 4), dtype=np.int32) for side in sides]
    both(lambda job: layout.count_parts(*job), list(zip(sides, nodes, counts, strict=True)), n_rows)
    before = counts[0] + counts[1]
    np.subtract(2 * n_rows - 2, np.cumsum(before, out=before), out=before)
    np.add(before, counts[0], out=counts[1])  # the parts of the second tree come after those of the first
    counts[0] = before
    parts = layout.Parts(np.empty((2 * n_rows - 2, 2), dtype=np.int32), before)
    place = np.empty((2, 2, n_rows), dtype=np.int32)
    jobs = list(zip(sides, nodes, counts, (0, n_rows), (parts.part, parts.part), place, strict=True))
    both(lambda job: layout.lay_out(*job), jobs, n_rows)
    return place[:, 0], parts


def side_of(tree: Tree, tick: NDArray[np.int32]) -> layout.Side:
    """Return one of the two trees as kernels take it, given the tick of each node."""
    return layout.Side(tree.parent, tick, tree.node, tree.n_first)


def _ticks(
    moments: tuple[NDArray[Any], NDArray[Any]], merges: tuple[BoolArray, BoolArray]
) -> tuple[NDArray[Any], tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """Return the distinct moments of merging, ascending, and the tick of each node of both trees.

    A node of a single item never merges and has tick 0; if no node merges, there is only moment 0.
    """
    n_nodes = moments[0].size
    merged = both(lambda side: side[0][side[1]], list(zip(moments, merges, strict=True)), n_nodes)
    found = [moment for moment in merged if moment.size] or [np.zeros(1, dtype=moments[0].dtype)]
    tick_of: Callable[[NDArray[Any]], NDArray[Any]]
    if (
        found[0].dtype.kind == "i"
        and min(moment.min() for moment in found) >= 0
        and (last := int(max(moment.max() for moment in found))) <= 4 * sum(moment.size for moment in found)
    ):
        is_time = np.zeros(last + 1, dtype=np.bool_)
        for moment in found:
            is_time[moment] = True
        time, number = np.flatnonzero(is_time), np.cumsum(is_time, dtype=np.int32)
        number -= 1
        tick_of = number.__getitem__
    else:
        merging = np.concatenate(found)
        merging.sort(kind="stable")  # two runs, often sorted
        time = merging[np.append(True, merging[1:] > merging[:-1])]
        tick_of = time.searchsorted

    def ticks(side: tuple[BoolArray, NDArray[Any]]) -> NDArray[np.int32]:
        merge, moment = side
        tick = np.zeros(merge.size, dtype=np.int32)
        tick[merge] = tick_of(moment)
        return tick

    return time, both(ticks, list(zip(merges, merged, strict=True)), n_nodes)


def exact_dot(x: IntArray, y: IntArray) -> int:
    """Return the exact sum of products of two columns of non-negative whole numbers of any size."""
    if x.size == 0:
        return 0
    whole = float(x.sum(dtype=np.float64))  # of whole numbers it may overflow
    if whole * float(y.max()) < 2**62:
        return int((x * y).sum())
    if whole < 2**52:
        n_bits = 61 - int(whole).bit_length()  # of y that are summed at once: at least 9
        parts = ((shift, (y >> shift) & ((1 << n_bits) - 1)) for shift in range(0, int(y.max()).bit_length(), n_bits))
        return sum(int((x * part).sum()) << shift for shift, part in parts)
    return sum(map(operator.mul, x.tolist(), y.tolist()))
