"""Pair: an overlap whose two trees are prepared for the measures, without unary nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._exact import group_sums
from dendrometry._kernels import tree as kernels
from dendrometry._threads import n_cores, run_in_threads
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, NthTree
from dendrometry.hierarchy import Hierarchy
from dendrometry.overlap import Overlap, Side, overlap_of_same_items
from dendrometry.tree_pair.relabelling import Cells, most_cells, relabel
from dendrometry.tree_pair.sums import less_children, lowest_common

MOST_ITEMS = 3_037_000_499  # the greatest n whose n * n fits in 63 bits
MOST_ROWS = 2**29  # whose nodes and ticks, up to four times as many, the walk numbers in 32 bits
_SMALL = 2**16  # pairs: NumPy fills a table of all of them in about the time of a few calls of compiled code
_MANY = 2**17  # rows: fewer take little longer than starting threads

_Side = TypeVar("_Side")
_Result = TypeVar("_Result")


class Tree(NamedTuple):
    """One tree of a pair, in read-only columns, so that kernels are compiled only once.

    Every node is a distinct cluster, since nodes with a single part are left out.

    ``node`` is the node of each row; ``own`` and ``size`` count the items of each node itself and of its whole
    cluster; ``parts`` counts the children and own items that merge at each node; ``kept`` is the number of each node in
    the original tree, None if no node was left out; ``which`` is what the tree is called in messages. The first
    ``n_first`` nodes, at least, are leaves of one item each. An unrooted tree has the ``length`` of the branch above
    each node in place of heights, if it has any.
    """

    parent: IntArray
    height: FloatArray | None
    node: IntArray
    own: IntArray
    size: IntArray
    parts: IntArray
    kept: IntArray | None
    which: NthTree
    n_first: int
    length: FloatArray | None = None

    @property
    def n_children(self) -> IntArray:
        """The number of children of each node."""
        return self.parts - self.own

    @property
    def original(self) -> IntArray:
        """The number of each node in the original tree."""
        return np.arange(self.parent.size) if self.kept is None else self.kept


@dataclass(frozen=True, eq=False)
class Pair(Frozen):
    """Two trees over the same items: row r has ``count[r]`` items at ``a.node[r]`` and ``b.node[r]``.

    If they are ``unrooted``, both are rooted beside the same item, and its place is all that the root says.
    """

    a: Tree
    b: Tree
    count: IntArray
    n_items: int
    unrooted: bool = False

    @classmethod
    def of(cls, overlap: Overlap) -> "Pair":
        """Return the pair of an overlap, O(n)."""
        n_items = overlap.n_items
        if n_items > MOST_ITEMS:
            raise InvalidInputError(f"there must be at most {MOST_ITEMS:,} items to count pairs; got {n_items:,}")
        if overlap.count.size > MOST_ROWS:
            raise InvalidInputError(
                f"at most {MOST_ROWS:,} pairs of nodes of the two trees may share items; got {overlap.count.size:,}"
            )
        sides = [(overlap.a, NthTree("first")), (overlap.b, NthTree("second"))]
        a, b = both(lambda side: _tree(side[0], overlap.count, side[1]), sides, overlap.count.size)
        return cls(a, b, overlap.count, n_items)

    @classmethod
    def of_trees(cls, a: Hierarchy, b: Hierarchy) -> "Pair":
        """Return the pair of two trees, their items matched by name: how every single measure takes its trees."""
        return cls.of(overlap_of_same_items(a, b))

    @property
    def n_pairs(self) -> int:
        """The number of unordered pairs of different items."""
        return self.n_items * (self.n_items - 1) // 2

    @property
    def most_rows(self) -> int:
        """The largest number of rows after a relabelling of the items."""
        return most_cells(self.a.own, self.b.own)

    @property
    def is_small(self) -> bool:
        """Whether measures read tables of all nodes of both trees, which need no compiled code, rather than walk."""
        return max(self.a.parent.size, self.b.parent.size) ** 2 <= _SMALL

    @property
    def has_few_pairs(self) -> bool:
        """Whether the same holds for tables of all pairs of rows."""
        return self.is_small and self.count.size**2 <= _SMALL

    @cached_property
    def lowest(self) -> tuple[IntArray, IntArray]:
        """The lowest common node of each two rows, in the first tree and in the second. O(n_rows**2 + n_nodes**2)."""
        a, b = (lowest_common(tree.parent).take(tree.node, 0).take(tree.node, 1) for tree in (self.a, self.b))
        return a, b

    @cached_property
    def pairs(self) -> IntArray:
        """The number of ordered pairs of different items, one of each of two rows. O(n_rows**2)."""
        table = np.outer(self.count, self.count)
        np.fill_diagonal(table, self.count * (self.count - 1))
        return table

    @cached_property
    def shared(self) -> IntArray:
        """The number of items below each node of the first tree (rows) and of the second. O(n_nodes**2)."""
        table = np.zeros((self.a.parent.size, self.b.parent.size), dtype=np.int64)
        np.add.at(table, (self.a.node, self.b.node), self.count)
        for counts, tree in ((table, self.a), (table.T, self.b)):
            for v, p in enumerate(tree.parent[:-1].tolist()):
                counts[p] += counts[v]
        return table

    def shuffle(self, rng: np.random.Generator) -> "Pair":
        """Return the pair after a random relabelling of the items of the second tree."""
        cells = relabel(Cells(self.a.node, self.b.node, self.count), self.a.own, self.b.own, rng)
        return Pair(self.a._replace(node=cells.a), self.b._replace(node=cells.b), cells.n_items, self.n_items)


def _tree(side: Side, count: IntArray, which: NthTree) -> Tree:
    """Return one side without nodes that hold the same items as their only child."""
    parent, height, node = side
    own = np.bincount(node, minlength=parent.size) if count.max() == 1 else group_sums(node, count, parent.size)
    parts, size, kept = own.copy(), own.copy(), None
    kernels.add_children(parent, parts, size)
    unary = parts == 1
    unary &= own == 0
    if unary.any():
        keep = ~unary
        number = np.append(np.cumsum(keep) - 1, -1)
        parent = number[kernels.nearest_kept(parent, keep)[keep]]
        height = None if height is None else height[keep]
        node, own, parts, size = number[node], own[keep], parts[keep], size[keep]
        kept = read_only(np.flatnonzero(keep))
    n_first = int(parent[:-1].min(initial=parent.size - 1))
    if own[:n_first].max(initial=1) > 1:
        n_first = 0
    return Tree(
        read_only(parent),
        None if height is None else read_only(height),
        read_only(node),
        read_only(own),
        read_only(size),
        read_only(parts),
        kept,
        which,
        n_first,
    )


def heights_formed(tree: Tree) -> FloatArray | None:
    """Return the height at which each node is formed, the greatest at or below it; None without heights."""
    if tree.height is None or (tree.height[1:] >= tree.height[:-1]).all():
        return tree.height
    return read_only(kernels.accumulate_maximum(tree.parent, tree.height))


def joined_pairs(tree: Tree) -> IntArray:
    """Return the number of pairs of items whose lowest common node is each node."""
    return less_children(tree.parent, tree.size * (tree.size - 1) >> 1)


def both(function: Callable[[_Side], _Result], sides: Sequence[_Side], n_rows: int) -> tuple[_Result, _Result]:
    """Return the result of a function for the first tree and for the second, on two threads if they are large."""
    threaded = n_rows >= _MANY and n_cores() > 1
    first, second = run_in_threads(function, sides, 2) if threaded else map(function, sides)
    return first, second
