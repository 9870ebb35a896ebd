"""The changes between two trees as a list: each node once, items that take the same way together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from dendrometry._display import plain_signature, plural, printable, quote_first
from dendrometry._kernels.tree import nearest_kept
from dendrometry._typing import BoolArray, IntArray
from dendrometry.changes.edits import Edits, is_at_or_below
from dendrometry.changes.paths import BETWEEN, NodeNames
from dendrometry.hierarchy import Hierarchy

# What can happen to a node or to items, in the order in which it is told.
KINDS = ("moved", "lifted", "split", "merged", "renamed", "dissolved", "grouped", "removed", "added")
_FEW = 3  # items that are named
_MOST_PARTS = 6  # parts of a split or merged node that a line names


@plain_signature
class Change(NamedTuple):
    """One change: of a node with all that it holds, or of items that take the same way.

    Attributes
    ----------
    what : str
        "moved"; "lifted", moved to a node above its former parent; "split", into the nodes ``parts``; "merged", from
        the nodes ``parts``; "renamed"; "dissolved", its content left to the nodes above it or to others; "grouped", a
        new node for what was there before; "removed" or "added", with all that it holds.
    name : str
        The name of the node, in the new tree if it is there; for items, their names, at most three.
    is_node : bool
        Whether it is a node, and not items of a node.
    n_items : int
        The number of items that it holds, in the new tree if it is there.
    before, after : str
        Where it was and where it is: the path of the node above it. The old and the new name of what is renamed.
    parts : tuple of str
        The paths of the nodes into which it was split, or of which it was merged, the largest first.
    old_node, new_node : int
        The node in either tree, or that of the items; -1 if there is none.
    part_nodes : tuple of int
        The nodes of ``parts``, in the new tree if it was split, in the old one if it was merged.
    """

    what: str
    name: str
    is_node: bool
    n_items: int
    before: str = ""
    after: str = ""
    parts: tuple[str, ...] = ()
    old_node: int = -1
    new_node: int = -1
    part_nodes: tuple[int, ...] = ()

    def tell(self) -> str:
        """Return the change as one line."""
        name = printable(self.name, 200)
        who = f"{name}, {plural(self.n_items, 'item')}" if self.is_node or self.n_items == 1 else name
        who = name if not self.is_node and self.n_items == 1 else who
        before, after = printable(self.before, 200), printable(self.after, 200)
        parts = _enumerate([printable(part, 200) for part in _beside(self.name, self.parts)])
        return {
            "moved": f"{who}: from {before} to {after}",
            "lifted": f"{who}: lifted from {before} to {after}",
            "split": f"{who}: split into {parts}",
            "merged": f"{who}: merged from {parts}",
            "renamed": f"{who}: renamed from {before}",
            "dissolved": f"{who}: dissolved into {after}",
            "grouped": f"{who}: new within {after}, for what was there before",
            "removed": f"{who}: removed from {before}",
            "added": f"{who}: added to {after}",
        }[self.what]


def list_changes(old: Hierarchy, new: Hierarchy, edits: Edits) -> tuple[Change, ...]:
    """Return all changes, by kind in the order of `KINDS`, the largest first."""
    found = list(_Lister(old, new, edits).all())
    rank = {what: i for i, what in enumerate(KINDS)}
    found.sort(key=lambda change: (rank[change.what], not change.is_node, -change.n_items, change.name))
    return tuple(found)


class _Lister:
    """Makes the changes of two trees."""

    def __init__(self, old: Hierarchy, new: Hierarchy, edits: Edits) -> None:
        self.old, self.new, self.edits = old, new, edits
        self.before, self.after = NodeNames(old), NodeNames(new)
        self.parts, self.sources = _parts(new, edits), _sources(old, edits)
        self.listed_old = {u for u, parts in self.parts.items() if len(parts) > 1}
        self.listed_old |= {u for sources in self.sources.values() if len(sources) > 1 for u in sources}
        self.listed_new = {v for parts in self.parts.values() if len(parts) > 1 for v in parts}
        self.listed_new |= {v for v, sources in self.sources.items() if len(sources) > 1}

    def all(self) -> Iterator[Change]:
        """Yield the changes of every kind."""
        yield from self.moved_nodes()
        yield from self.moved_items()
        yield from self.split_and_merged()
        yield from self.renamed()
        yield from self.dissolved_and_grouped()
        yield from self.removed_and_added()

    def moved_nodes(self) -> Iterator[Change]:
        """Yield the nodes that moved."""
        for v in np.flatnonzero(self.edits.moved).tolist():
            u = int(self.edits.origin[v])
            yield self._move(int(self.old.parent[u]), int(self.new.parent[v]), self.after.call(v), v)

    def _move(self, before: int, after: int, name: str, v: int) -> Change:
        """Return the move of a node from one parent to another."""
        return Change(
            "lifted" if self._is_above(after, before) else "moved",
            name,
            True,
            int(self.new.sizes[v]),
            self.before.place(before),
            self.after.place(after),
            old_node=int(self.edits.origin[v]),
            new_node=v,
        )

    def _is_above(self, after: int, before: int) -> bool:
        """Whether a new node was above an old one."""
        u = int(self.edits.origin[after])
        return u >= 0 and u != before and is_at_or_below(self.old, before, u)

    def moved_items(self) -> Iterator[Change]:
        """Yield the items that moved by themselves, those from one node to another together."""
        moved = np.flatnonzero(self.edits.item_moved)
        before, after = self.old.item_node[self.edits.item_origin[moved]], self.new.item_node[moved]
        for u, v, items in _by_pair(before, after, moved):
            yield Change(
                "lifted" if self._is_above(v, u) else "moved",
                self._items(self.new, items),
                False,
                items.size,
                self.before.place(u),
                self.after.place(v),
                old_node=u,
                new_node=v,
            )

    def split_and_merged(self) -> Iterator[Change]:
        """Yield the nodes that were split, and those that were merged."""
        for u, parts in self.parts.items():
            if len(parts) > 1:
                nodes = _largest_first(parts, self.new)
                texts, size = tuple(map(self.after.place, nodes)), int(self.old.sizes[u])
                v = int(self.edits.match[u])
                yield Change("split", self.before.place(u), True, size, "", "", texts, u, v, nodes)
        for v, sources in self.sources.items():
            if len(sources) > 1:
                nodes = _largest_first(sources, self.old)
                texts, size = tuple(map(self.before.place, nodes)), int(self.new.sizes[v])
                u = int(self.edits.origin[v])
                yield Change("merged", self.after.place(v), True, size, "", "", texts, u, v, nodes)

    def renamed(self) -> Iterator[Change]:
        """Yield the nodes and items that have another name."""
        before, after = _names(self.old), _names(self.new)
        for v in np.flatnonzero(self.edits.origin >= 0).tolist():
            u = int(self.edits.origin[v])
            if before[u] != after[v]:
                n_items = int(self.new.sizes[v])
                names = (before[u] or "no name", after[v] or "no name")
                yield Change("renamed", after[v] or self.after.call(v), True, n_items, *names, (), u, v)
        for j in np.flatnonzero(self.edits.item_origin >= 0).tolist():
            i = int(self.edits.item_origin[j])
            if self.old.items[i] != self.new.items[j]:
                at = int(self.old.item_node[i]), int(self.new.item_node[j])
                yield Change("renamed", self.new.items[j], False, 1, self.old.items[i], self.new.items[j], (), *at)

    def dissolved_and_grouped(self) -> Iterator[Change]:
        """Yield the old nodes whose content stays without them, and new nodes for content that was there."""
        edits = self.edits
        matched_above = edits.match[nearest_kept(self.old.parent.copy(), edits.match >= 0)]
        for u in np.flatnonzero((edits.match < 0) & ~edits.gone).tolist():
            if u not in self.listed_old:
                v = int(edits.target[u] if edits.target[u] >= 0 else matched_above[u])
                places = self.before.place(int(self.old.parent[u])), self.after.place(v)
                yield Change("dissolved", self.before.place(u), True, int(self.old.sizes[u]), *places, (), u)
        for v in np.flatnonzero((edits.origin < 0) & ~edits.fresh).tolist():
            if v not in self.listed_new:
                after = self.after.place(int(self.new.parent[v]))
                yield Change("grouped", self.after.call(v), True, int(self.new.sizes[v]), "", after, (), -1, v)

    def removed_and_added(self) -> Iterator[Change]:
        """Yield what is only in the old tree, and what is only in the new: the uppermost nodes, and single items."""
        for what, tree, names, lone, item_match in (
            ("removed", self.old, self.before, self.edits.gone, self.edits.item_match),
            ("added", self.new, self.after, self.edits.fresh, self.edits.item_origin),
        ):
            removed = what == "removed"
            for v in np.flatnonzero(_uppermost(tree, lone)).tolist():
                place = names.place(int(tree.parent[v]))
                places, nodes = ((place, ""), (v, -1)) if removed else (("", place), (-1, v))
                yield Change(what, names.call(v), True, int(tree.sizes[v]), *places, (), *nodes)
            items = np.flatnonzero((item_match < 0) & ~lone[tree.item_node])
            for v, _, some in _by_pair(tree.item_node[items], tree.item_node[items], items):
                places, nodes = ((names.place(v), ""), (v, -1)) if removed else (("", names.place(v)), (-1, v))
                yield Change(what, self._items(tree, some), False, some.size, *places, (), *nodes)

    @staticmethod
    def _items(tree: Hierarchy, items: IntArray) -> str:
        """Return items by name, or their number and the first few."""
        if items.size == 1:
            return tree.items[int(items[0])]
        named = quote_first([tree.items[i] for i in items[:_FEW].tolist()])
        return f"{items.size:,} items ({named}{', …' if items.size > _FEW else ''})"


def _by_pair(first: IntArray, second: IntArray, values: IntArray) -> Iterator[tuple[int, int, IntArray]]:
    """Yield the values of each pair of nodes."""
    if not values.size:
        return
    order = np.lexsort((values, second, first))
    first, second, values = first[order], second[order], values[order]
    starts = np.flatnonzero(np.append(True, (first[1:] != first[:-1]) | (second[1:] != second[:-1])))
    for start, some in zip(starts.tolist(), np.split(values, starts[1:]), strict=True):
        yield int(first[start]), int(second[start]), some


def _parts(new: Hierarchy, edits: Edits) -> dict[int, list[int]]:
    """Return, for old nodes, the new nodes into which they were split: their match, and new nodes elsewhere.

    A new node without a match belongs to the old node that held more than half of its items, unless it lies within
    the match of that node, where it only groups what was there, or its parent belongs to the same.
    """
    parts: dict[int, list[int]] = defaultdict(list)
    for v in np.flatnonzero(edits.source >= 0).tolist():
        u = int(edits.source[v])
        m = int(edits.match[u])
        within = m >= 0 and is_at_or_below(new, v, m)
        if not within and edits.source[new.parent[v]] != u:
            parts[u].append(v)
    for u, found in parts.items():
        if edits.match[u] >= 0:
            found.append(int(edits.match[u]))
    return parts


def _sources(old: Hierarchy, edits: Edits) -> dict[int, list[int]]:
    """Return, for new nodes, the old nodes of which they were merged: their match, and nodes from elsewhere."""
    backwards = edits._replace(match=edits.origin, origin=edits.match, source=edits.target, target=edits.source)
    return _parts(old, backwards)


def _uppermost(tree: Hierarchy, chosen: BoolArray) -> BoolArray:
    """Return the chosen nodes whose parent is not chosen."""
    top = chosen.copy()
    top[:-1] &= ~chosen[tree.parent[:-1]]
    return top


def _names(tree: Hierarchy) -> tuple[str, ...]:
    """Return the names of the nodes, "" for none."""
    return tree.node_names or ("",) * tree.n_nodes


def _largest_first(nodes: Iterable[int], tree: Hierarchy) -> tuple[int, ...]:
    """Return nodes, the largest first."""
    return tuple(sorted(nodes, key=lambda v: (-int(tree.sizes[v]), v)))


def _beside(name: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths of parts, or their names alone if all of them lie where the whole does."""
    above, between, _ = name.rpartition(BETWEEN)
    prefix = above + between
    return tuple(part.removeprefix(prefix) for part in parts) if all(p.startswith(prefix) for p in parts) else parts


def _enumerate(texts: list[str]) -> str:
    """Return texts as a list in a sentence, the first few of many."""
    if len(texts) > _MOST_PARTS:
        texts = [*texts[: _MOST_PARTS - 1], f"{len(texts) - _MOST_PARTS + 1:,} more"]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else ""
