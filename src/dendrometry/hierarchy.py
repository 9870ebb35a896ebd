"""Hierarchy: a rooted tree of clusters of named items, stored in read-only columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import float_column, int_column, read_only
from dendrometry._check.choices import elements
from dendrometry._check.names import is_numbered, item_names_of, name_column, names_of
from dendrometry._check.numbers import whole_number
from dendrometry._check.tree import check_tree, way_to_hierarchy
from dendrometry._display import first_to_last, plural, printable, quote_first
from dendrometry._html import Entry, folding_list
from dendrometry._kernels import tree as kernels
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError, InvalidTreeError, ItemMismatchError, Part

_MOST_ITEMS = 8  # of a node that are named where the tree is shown
_WIDEST = 3 * 200  # the most characters before a node in a drawing


class Children(NamedTuple):
    """The children of every node: those of v are ``node[start[v]:start[v + 1]]``, in ascending order."""

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

    Every item belongs to exactly one node, a leaf or an inner node; the cluster of a node consists of the items that
    belong to it or to a node below. A dendrogram has one item in each leaf, a flat clustering is a root with one leaf
    for each group, and a taxonomy may have items at any node. Most trees are made by ``from_linkage``,
    ``from_newick``, ``read`` and similar functions; the constructor takes complete columns, copies and checks them.

    Parameters
    ----------
    parent : (n_nodes,) array of int
        The parent of each node, ``parent[v] > v``: children come first; the root is last, with parent -1.
    height : (n_nodes,) array of float, or None
        The height of each node, growing towards the root; a node may lie lower than its child (an inversion).
        If there are heights, ascending node numbers are the order of merging.
    item_node : (n_items,) array of int
        The node to which each item belongs. Every leaf holds at least one item.
    items : sequence of str
        The name of each item; names must be distinct.
    node_names : sequence of str, optional
        The name of each node, "" for none. Equality of trees ignores them.

    Notes
    -----
    All columns are read-only. No function recurses, so trees of any depth work, a chain of a million nodes included.
    Derived columns (`sizes`, `children`, `order`, ...) take O(n_nodes) time on first access and are then stored.

    Examples
    --------
    >>> from dendrometry import Hierarchy
    >>> tree = Hierarchy([3, 3, 4, 4, -1], [0, 0, 0, 1, 2], [0, 1, 2], ["ape", "cat", "owl"])
    >>> tree
    Hierarchy(3 items 'ape' to 'owl', 5 nodes, heights 0 to 2)
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
        """Check every column once and store read-only copies."""
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
        # Here and below, read-only columns are copied: loops would be compiled a second time for them.
        sizes: IntArray = read_only(kernels.accumulate_sum(self.parent, self.own_sizes.copy()))
        return sizes

    @cached_property
    def depths(self) -> IntArray:
        """The number of edges between each node and the root."""
        depths: IntArray = read_only(kernels.depths(self.parent))
        return depths

    @cached_property
    def merge_height(self) -> FloatArray | None:
        """The height at which each node is formed: the greatest height at or below it; None if there are no heights.

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
        """The nodes without children, in ascending order."""
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
        """Whether no node lies lower than its child; True if there are no heights."""
        return self.height is None or bool((self.height[self.parent[:-1]] >= self.height[:-1]).all())

    def without_unary(self) -> Hierarchy:
        """Return the tree without nodes that hold exactly the items of their only child.

        Such a node is removed and its child is kept, with the child's height, so every pair of items keeps the
        lowest node that holds both. A child without a name takes the name of the removed node.
        """
        keep = (self.n_children != 1) | (self.own_sizes > 0)
        if keep.all():
            return self
        below = kernels.nearest_kept_below(self.parent, keep)
        names = list(self.node_names)
        for v in np.flatnonzero(~keep) if names else ():
            names[below[v]] = names[below[v]] or names[v]
        return self._sub(keep, np.ones(self.n_items, dtype=bool), tuple(names))

    def restrict(self, item_names: Iterable[str]) -> Hierarchy:
        """Return the tree restricted to some of the items: nodes that hold none of them are left out.

        Items keep their order and nodes their heights; nodes with a single remaining child are kept
        (see `without_unary`).

        Raises
        ------
        ItemMismatchError
            If a name is not an item of this hierarchy, or no name is given.
        """
        if isinstance(item_names, str | bytes) or not isinstance(item_names, Iterable):
            raise InvalidInputError(f"item_names must be a collection of names; got {printable(item_names)}")
        wanted = set(item_names_of(elements(item_names, "the names of items to keep"), "the names of items to keep"))
        missing = sorted(wanted.difference(self.items))
        if missing:
            raise ItemMismatchError(f"item_names must be items of the hierarchy; these are not: {quote_first(missing)}")
        if not wanted:
            raise ItemMismatchError("item_names must hold at least one item; got none")
        chosen = np.fromiter((name in wanted for name in self.items), dtype=bool, count=self.n_items)
        held = np.bincount(self.item_node[chosen], minlength=self.n_nodes)
        keep = kernels.accumulate_sum(self.parent, held) > 0
        return self._sub(keep, chosen, self.node_names)

    def _sub(self, keep: BoolArray, chosen: BoolArray, names: tuple[str, ...]) -> Hierarchy:
        """Return the tree of the kept nodes and chosen items; the parent of a node is its nearest kept ancestor."""
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
        """Return the tree as lines of text, truncated after ``max_lines`` nodes (None: draw all).

        Every 200 levels the lines start again from the left, after an ellipsis.
        """
        if max_lines is None:
            return _draw(self, self.n_nodes)
        return _draw(self, whole_number(max_lines, "max_lines", 1, also="None"))

    def __repr__(self) -> str:
        heights = "no heights"
        if self.height is not None:
            heights = f"heights {self.height.min():.6g} to {self.height.max():.6g}"
        names = "" if is_numbered(self.items) else f" {first_to_last(self.items)}"
        return f"Hierarchy({plural(self.n_items, 'item')}{names}, {plural(self.n_nodes, 'node')}, {heights})"

    def _repr_html_(self) -> str:
        return folding_list(
            repr(self),
            self.root,
            children=lambda v: _children_of(self, v),
            size=lambda v: int(self.sizes[v]),
            entry=lambda v: _entry(self, v),
        )

    def __eq__(self, other: object) -> bool:
        """Whether both are the same tree over the same items with the same heights.

        The order of children, nodes and items, and the names of nodes, are ignored.
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


def require_hierarchy(value: object, what: Part = "the tree") -> None:
    """Refuse what is not a hierarchy; the message says how to get one."""
    if not isinstance(value, Hierarchy):
        held = isinstance(getattr(value, "hierarchy", None), Hierarchy)
        hint = " (pass its .hierarchy)" if held else way_to_hierarchy(value)
        raise InvalidInputError(what, f" must be a Hierarchy; got {type(value).__name__}{hint}")


def _node_name_column(names: Iterable[str], n_nodes: int) -> tuple[str, ...]:
    """Return node names as a tuple, empty if no node has a name."""
    column = names_of(names, "node_names")
    if column and len(column) != n_nodes:
        raise InvalidTreeError(f"node_names must be as many as the nodes, {n_nodes:,}; got {len(column):,}")
    return column if any(column) else ()


class _Canonical(NamedTuple):
    """Columns that are the same for equal trees."""

    items: list[str]
    columns: tuple[IntArray | FloatArray, ...]


def _canonical(tree: Hierarchy) -> _Canonical:
    """Return columns that are the same for equal trees: items by name, nodes by (least item below, depth).

    Nodes with the same least item lie on one path, so their depths distinguish them.
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
    """Return the first nodes in pre-order as text, one line each, and the number of those left out."""
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
    """Return the name of a node, its height if it is an inner node, and the items that belong to it."""
    name = printable(tree.node_names[v]) if tree.node_names else ""
    items = _own_text(tree, v)
    if tree.n_children[v]:
        name = name or "•"
    line = items if name == items else ": ".join(part for part in (name, items) if part)
    if tree.height is not None and (tree.n_children[v] or tree.height[v]):
        line = f"{line} ({tree.height[v]:.4g})"
    return line


def _own_text(tree: Hierarchy, v: int) -> str:
    """Return the first items of node v itself, and how many more there are."""
    low, n_own = int(tree.order.item_low[v]), int(tree.own_sizes[v])
    held = [tree.items[i] for i in tree.order.item[low : low + min(n_own, _MOST_ITEMS)].tolist()]
    return ", ".join(map(printable, held)) + (f" … {n_own - len(held):,} more" if n_own > len(held) else "")


def _children_of(tree: Hierarchy, v: int) -> list[int]:
    """Return the children of a node."""
    start, stop = tree.children.start[v : v + 2].tolist()
    return list(tree.children.node[start:stop].tolist())


def _entry(tree: Hierarchy, v: int) -> Entry:
    """Return what a notebook shows of a node: its name, how many items it holds, its height, the items of its own."""
    items = _own_text(tree, v)
    name = tree.node_names[v] if tree.node_names and printable(tree.node_names[v]) != items else ""
    if not tree.n_children[v]:
        return Entry(name, "", items)
    height = "" if tree.height is None else f", height {tree.height[v]:.4g}"
    return Entry(name, f"{plural(int(tree.sizes[v]), 'item')}{height}", items)
