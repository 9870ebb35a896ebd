"""Hierarchy: a rooted tree of clusters over named items, as frozen columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import float_column, int_column, read_only
from dendrometry._check.names import elements, name_column, names_of
from dendrometry._check.numbers import whole_number
from dendrometry._display import plural, printable, quote_first
from dendrometry._kernels import tree as kernels
from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError, InvalidTreeError, ItemMismatchError

__all__ = ["Children", "Hierarchy", "Order", "check_tree", "require_hierarchy"]


_WIDEST = 3 * 200  # the most characters before a node in a drawing


class Children(NamedTuple):
    """The children of every node: those of v are ``node[start[v]:start[v + 1]]``, in ascending number."""

    start: IntArray
    node: IntArray


class Order(NamedTuple):
    """Nodes and items in pre-order, with the span of every subtree.

    The subtree of v is ``node[low[v]:high[v]]``, v itself first; the items at or below v are
    ``item[item_low[v]:item_high[v]]``, those of v itself before those of its children.
    """

    node: IntArray
    low: IntArray
    high: IntArray
    item: IntArray
    item_low: IntArray
    item_high: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """A rooted tree whose nodes are clusters of named items.

    Every item belongs to exactly one node, a leaf or an inner node; the cluster of a node is what belongs to
    it or to a node below. A dendrogram has one item in each leaf, a flat clustering is a root with one leaf
    for each group, a taxonomy may hold items anywhere. Most trees come from a door (``from_linkage``,
    ``from_newick``, ``read`` and so on); the constructor takes finished columns, copies and checks them.

    Parameters
    ----------
    parent : (n_nodes,) array of int
        The parent of each node, ``parent[v] > v``: children come first, the root last with -1.
    height : (n_nodes,) array of float, or None
        Height of each node, growing towards the root; a node may lie lower than its child (an inversion).
        Where there are heights, ascending node numbers are an order of merging.
    item_node : (n_items,) array of int
        The node to which each item belongs. Every leaf holds at least one item.
    items : sequence of str
        The name of each item, all different.
    node_names : sequence of str, optional
        The name of each node, "" for none. Names of nodes are for reading and do not take part in equality.

    Notes
    -----
    All columns are read-only. Nothing here recurses, so a chain of a million nodes is an ordinary tree.
    Derived columns (`sizes`, `children`, `order`, ...) cost O(n_nodes) when first asked for and are then kept.

    Examples
    --------
    >>> from dendrometry import Hierarchy
    >>> tree = Hierarchy([3, 3, 4, 4, -1], [0, 0, 0, 1, 2], [0, 1, 2], ["ape", "cat", "owl"])
    >>> tree
    Hierarchy(3 items, 5 nodes, heights 0 to 2)
    >>> print(tree.draw())
    • (2)
    ├─ owl
    └─ • (1)
       ├─ ape
       └─ cat
    >>> tree.sizes.tolist()
    [1, 1, 1, 2, 3]
    """

    parent: IntArray
    height: FloatArray | None
    item_node: IntArray
    items: tuple[str, ...]
    node_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check every column once, and keep read-only copies."""
        parent = int_column(self.parent, "parent")
        item_node = int_column(self.item_node, "item_node")
        check_tree(parent, item_node)
        height = None if self.height is None else float_column(self.height, "height")
        if height is not None and height.size != parent.size:
            raise InvalidTreeError(f"height must have one value for each of {parent.size:,} nodes; got {height.size:,}")
        object.__setattr__(self, "parent", parent)
        object.__setattr__(self, "height", height)
        object.__setattr__(self, "item_node", item_node)
        object.__setattr__(self, "items", name_column(self.items, item_node.size))
        object.__setattr__(self, "node_names", _node_name_column(self.node_names, parent.size))

    @property
    def n_items(self) -> int:
        """The number of items."""
        return len(self.items)

    @property
    def n_nodes(self) -> int:
        """The number of nodes, leaves and inner nodes together."""
        return self.parent.size

    @property
    def root(self) -> int:
        """The root, which is the last node."""
        return self.parent.size - 1

    @cached_property
    def own_sizes(self) -> IntArray:
        """The number of items that belong to each node itself."""
        counts: IntArray = read_only(np.bincount(self.item_node, minlength=self.n_nodes))
        return counts

    @cached_property
    def sizes(self) -> IntArray:
        """The number of items at or below each node."""
        # Here and below, a copy of what is read-only: loops would be compiled a second time for it.
        sizes: IntArray = read_only(kernels.accumulate_sum(self.parent, self.own_sizes.copy()))
        return sizes

    @cached_property
    def depths(self) -> IntArray:
        """The number of edges between each node and the root."""
        depths: IntArray = read_only(kernels.depths(self.parent))
        return depths

    @cached_property
    def merge_height(self) -> FloatArray | None:
        """The height at which each node has formed: the greatest at or below it; None where there are no heights.

        It differs from `height` only where a node lies lower than a node below it (an inversion).
        """
        if self.height is None:
            return None
        formed: FloatArray = read_only(kernels.accumulate_maximum(self.parent, self.height))
        return formed

    @cached_property
    def n_children(self) -> IntArray:
        """The number of children of each node."""
        counts: IntArray = read_only(np.bincount(self.parent[:-1], minlength=self.n_nodes))
        return counts

    @cached_property
    def children(self) -> Children:
        """The children of every node, as a `Children` of two columns."""
        start = np.zeros(self.n_nodes + 1, dtype=np.int64)
        np.cumsum(self.n_children, out=start[1:])
        return Children(read_only(start), read_only(kernels.by_number(self.parent[:-1].copy(), self.n_nodes)))

    @cached_property
    def leaves(self) -> IntArray:
        """The nodes without children, in ascending number."""
        leaves: IntArray = read_only(np.flatnonzero(self.n_children == 0))
        return leaves

    @cached_property
    def order(self) -> Order:
        """Nodes and items in pre-order, as an `Order` of spans."""
        n_below = kernels.accumulate_sum(self.parent, np.ones(self.n_nodes, dtype=np.int64))
        low = kernels.spans(self.parent, n_below)
        node = np.empty(self.n_nodes, dtype=np.int64)
        node[low] = np.arange(self.n_nodes)
        item_low = kernels.spans(self.parent, self.sizes.copy())
        item = kernels.by_number(low[self.item_node], self.n_nodes)
        columns = (node, low, low + n_below, item, item_low, item_low + self.sizes)
        return Order(*map(read_only, columns))

    @property
    def is_binary(self) -> bool:
        """Whether every inner node has exactly two children."""
        return bool(np.isin(self.n_children, (0, 2)).all())

    @property
    def is_monotone(self) -> bool:
        """Whether no node lies lower than its child; True where there are no heights."""
        return self.height is None or bool((self.height[self.parent[:-1]] >= self.height[:-1]).all())

    def without_unary(self) -> Hierarchy:
        """Return the tree without nodes that hold exactly what their only child holds.

        Such a node goes and its child stays, with the child's height, so every pair of items keeps the lowest
        node that holds both. An unnamed child takes over the name.
        """
        keep = (self.n_children != 1) | (self.own_sizes > 0)
        below = kernels.nearest_kept_below(self.parent, keep)
        names = list(self.node_names)
        if names:
            for v in np.flatnonzero(~keep):
                names[below[v]] = names[below[v]] or names[v]
        return self._sub(keep, np.ones(self.n_items, dtype=bool), tuple(names))

    def restrict(self, item_names: Iterable[str]) -> Hierarchy:
        """Return the tree of some of the items: nodes that hold none of them are left out.

        Items keep their order and nodes their heights; nodes left with a single child stay
        (see `without_unary`).

        Raises
        ------
        ItemMismatchError
            If a name is not an item of this hierarchy, or none is given.
        """
        if isinstance(item_names, str | bytes) or not isinstance(item_names, Iterable):
            raise InvalidInputError(f"restrict takes a collection of item names; got {printable(item_names)}")
        wanted = set(names_of(elements(item_names, "the names of items to keep"), "the names of items to keep"))
        missing = sorted(wanted.difference(self.items))
        if missing:
            raise ItemMismatchError(f"restrict takes items of the hierarchy; it does not hold {quote_first(missing)}")
        if not wanted:
            raise ItemMismatchError("restrict needs at least one item; got none")
        chosen = np.fromiter((name in wanted for name in self.items), dtype=bool, count=self.n_items)
        held = np.bincount(self.item_node[chosen], minlength=self.n_nodes)
        keep = kernels.accumulate_sum(self.parent, held) > 0
        return self._sub(keep, chosen, self.node_names)

    def _sub(self, keep: BoolArray, chosen: BoolArray, names: tuple[str, ...]) -> Hierarchy:
        """Return the tree of the kept nodes and chosen items; each kept node hangs from its nearest kept ancestor."""
        number = np.append(np.cumsum(keep) - 1, -1)
        above = kernels.nearest_kept(self.parent, keep)
        return Hierarchy(
            number[above[keep]],
            None if self.height is None else self.height[keep],
            number[self.item_node[chosen]],
            tuple(name for name, stays in zip(self.items, chosen.tolist(), strict=True) if stays),
            tuple(name for name, stays in zip(names, keep.tolist(), strict=True) if stays) if names else (),
        )

    def own_items(self, v: int) -> list[str]:
        """Return the names of the items that belong to node v itself."""
        v = whole_number(v, "a node", 0, self.n_nodes - 1)
        low = int(self.order.item_low[v])
        return [self.items[i] for i in self.order.item[low : low + int(self.own_sizes[v])].tolist()]

    def draw(self, max_lines: int | None = 60) -> str:
        """Return the tree as lines of text, cut after ``max_lines`` nodes (None: draw all).

        Every 200 levels the lines start again from the left, behind an ellipsis.
        """
        if max_lines is None:
            return _draw(self, self.n_nodes)
        return _draw(self, whole_number(max_lines, "max_lines", 1, also="None"))

    def __repr__(self) -> str:
        heights = "no heights"
        if self.height is not None:
            heights = f"heights {self.height.min():.6g} to {self.height.max():.6g}"
        return f"Hierarchy({plural(self.n_items, 'item')}, {plural(self.n_nodes, 'node')}, {heights})"

    def _repr_html_(self) -> str:
        from dendrometry.notebook import hierarchy_html

        return hierarchy_html(self)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same tree over the same items with the same heights.

        The order of children, of nodes and of items, and the names of nodes do not matter.
        """
        if not isinstance(other, Hierarchy):
            return NotImplemented
        if (self.n_items, self.n_nodes) != (other.n_items, other.n_nodes):
            return False
        if (self.height is None) != (other.height is None):
            return False
        mine, theirs = _canonical(self), _canonical(other)
        return mine.items == theirs.items and all(
            np.array_equal(x, y) for x, y in zip(mine.columns, theirs.columns, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.n_nodes, frozenset(self.items)))

    def __reduce__(self) -> tuple[object, ...]:
        return Hierarchy, (self.parent, self.height, self.item_node, self.items, self.node_names)


def require_hierarchy(value: object, what: str = "the tree") -> None:
    """Refuse what is not a hierarchy, and say where in it one is."""
    if not isinstance(value, Hierarchy):
        hint = " (pass its .hierarchy)" if isinstance(getattr(value, "hierarchy", None), Hierarchy) else ""
        raise InvalidInputError(f"{what} must be a Hierarchy; got {type(value).__name__}{hint}")


def check_tree(parent: IntArray, item_node: IntArray) -> None:
    """Refuse columns that do not describe a rooted tree with an item in every leaf."""
    if item_node.size == 0:
        raise InvalidTreeError("a hierarchy needs at least one item; got none")
    if parent.size == 0 or parent[-1] != -1:
        raise InvalidTreeError("the last node must be the root, with parent -1; see from_parents for other orders")
    wrong = (parent[:-1] <= np.arange(parent.size - 1)) | (parent[:-1] >= parent.size)
    if wrong.any():
        v = int(np.argmax(wrong))
        raise InvalidTreeError(
            f"the parent of node {v} must be a later node, below {parent.size}; got {parent[v]}"
            " (from_parents takes nodes in any order)"
        )
    outside = (item_node < 0) | (item_node >= parent.size)
    if outside.any():
        i = int(np.argmax(outside))
        raise InvalidTreeError(f"item {i} must belong to a node from 0 to {parent.size - 1}; got {item_node[i]}")
    used = np.zeros(parent.size, dtype=bool)
    used[parent[:-1]] = True
    used[item_node] = True
    if not used.all():
        raise InvalidTreeError(f"every leaf must hold at least one item; node {int(np.argmin(used))} holds none")


def _node_name_column(names: Iterable[str], n_nodes: int) -> tuple[str, ...]:
    """Return node names as a tuple, empty if no node has a name."""
    column = names_of(names, "node_names")
    if column and len(column) != n_nodes:
        raise InvalidTreeError(f"node_names must be as many as the nodes, {n_nodes:,}; got {len(column):,}")
    return column if any(column) else ()


class _Canonical(NamedTuple):
    """What equal trees have in common."""

    items: list[str]
    columns: tuple[IntArray | FloatArray, ...]


def _canonical(tree: Hierarchy) -> _Canonical:
    """Return columns that are the same for equal trees: items by name, nodes by (least item below, depth).

    Nodes that share their least item lie on one path, so their depths tell them apart.
    """
    by_name = np.array(sorted(range(tree.n_items), key=tree.items.__getitem__), dtype=np.int64)
    own = np.full(tree.n_nodes, tree.n_items, dtype=np.int64)
    np.minimum.at(own, tree.item_node[by_name], np.arange(tree.n_items))
    least = kernels.accumulate_minimum(tree.parent, own)
    order = np.lexsort((tree.depths, least))
    rank = np.empty(tree.n_nodes + 1, dtype=np.int64)
    rank[order] = np.arange(tree.n_nodes)
    rank[-1] = -1
    names = [tree.items[i] for i in by_name.tolist()]
    heights = () if tree.height is None else (tree.height[order],)
    return _Canonical(names, (rank[tree.parent[order]], rank[tree.item_node[by_name]], *heights))


def _draw(tree: Hierarchy, max_lines: int) -> str:
    """Draw the first nodes in pre-order, one line each, and say how many are left."""
    lines: list[str] = []
    indent = {-1: ""}
    last_child = tree.children.node[tree.children.start[1:] - 1] if tree.n_nodes > 1 else np.zeros(1, dtype=np.int64)
    for v in tree.order.node[:max_lines].tolist():
        p = int(tree.parent[v])
        if p == -1:
            lines.append(_line(tree, v))
            indent[v] = ""
            continue
        is_last = last_child[p] == v
        lines.append(indent[p] + ("└─ " if is_last else "├─ ") + _line(tree, v))
        indent[v] = indent[p] + ("   " if is_last else "│  ")
        if len(indent[v]) >= _WIDEST:
            indent[v] = "… "
    if tree.n_nodes > max_lines:
        lines.append(f"… {plural(tree.n_nodes - max_lines, 'more node')}")
    return "\n".join(lines)


def _line(tree: Hierarchy, v: int) -> str:
    """Return what one node is called, its height if it is an inner one, and the items that belong to it."""
    name = printable(tree.node_names[v]) if tree.node_names else ""
    held = tree.own_items(v)
    items = ", ".join(map(printable, held[:8])) + (f" … {len(held) - 8} more" if len(held) > 8 else "")
    if tree.n_children[v]:
        name = name or "•"
    line = items if name == items else ": ".join(part for part in (name, items) if part)
    if tree.height is not None and (tree.n_children[v] or tree.height[v]):
        line = f"{line} ({tree.height[v]:.4g})"
    return line
