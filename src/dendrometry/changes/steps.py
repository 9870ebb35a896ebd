"""The way from an old tree to a new one as single steps, each of which leaves a tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dendrometry._kernels.tree import nearest_kept
from dendrometry._typing import IntArray
from dendrometry.changes.edits import Edits
from dendrometry.hierarchy import Hierarchy

Step = dict[str, Any]


def steps_between(old: Hierarchy, new: Hierarchy, edits: Edits) -> Iterator[Step]:
    """Yield steps that make the new tree of the old one, in this order.

    Old nodes are called "old:" and new ones "new:" with their number; a node that is in both keeps its old one. A node
    is added or moved only below one that is in its final place, so no step makes a cycle.
    """
    for i in np.flatnonzero(edits.item_match < 0).tolist():
        yield {"step": "remove_item", "item": old.items[i]}
    for u in np.flatnonzero(edits.match < 0).tolist():
        yield {"step": "dissolve_node", "node": f"old:{u}"}
    yield from _place_nodes(old, new, edits)
    yield from _change_nodes(old, new, edits)
    yield from _place_items(old, new, edits)


def _call(v: int, origin: IntArray) -> str:
    """Return what a node of the new tree is called."""
    return f"new:{v}" if origin[v] < 0 else f"old:{origin[v]}"


def _kept(old: Hierarchy, edits: Edits) -> IntArray:
    """Return each old node that stays, and for the others the nearest one above."""
    stays = edits.match >= 0
    return np.where(stays, np.arange(stays.size), nearest_kept(old.parent.copy(), stays))


def _place_nodes(old: Hierarchy, new: Hierarchy, edits: Edits) -> Iterator[Step]:
    """Yield the steps that add nodes, and those that put nodes below others, from the root down."""
    origin, kept = edits.origin, _kept(old, edits)
    names, heights = _names(new), _heights(new)
    before = np.full(new.n_nodes, -1, dtype=np.int64)
    both = np.flatnonzero(origin[:-1] >= 0)
    before[both] = kept[old.parent[origin[both]]]
    for v in np.flatnonzero((origin[:-1] < 0) | (before[:-1] != origin[new.parent[:-1]]))[::-1].tolist():
        step = {"node": _call(v, origin), "under": _call(int(new.parent[v]), origin)}
        if origin[v] < 0:
            yield {"step": "add_node", **step, "name": names[v], "height": heights[v]}
        else:
            yield {"step": "move_node" if edits.moved[v] else "regroup_node", **step}


def _change_nodes(old: Hierarchy, new: Hierarchy, edits: Edits) -> Iterator[Step]:
    """Yield the steps that rename nodes, and those that set their heights."""
    before, after = _names(old), _names(new)
    low, high = _heights(old), _heights(new)
    for v, u in enumerate(edits.origin.tolist()):
        if u >= 0 and before[u] != after[v]:
            yield {"step": "rename_node", "node": f"old:{u}", "name": after[v]}
        if u >= 0 and low[u] != high[v]:
            yield {"step": "set_height", "node": f"old:{u}", "height": high[v]}


def _place_items(old: Hierarchy, new: Hierarchy, edits: Edits) -> Iterator[Step]:
    """Yield the steps that rename, move and add items."""
    both = np.flatnonzero(edits.item_origin >= 0)
    first = edits.item_origin[both]
    pairs = zip(first.tolist(), both.tolist(), strict=True)
    renamed = {old.items[i]: new.items[j] for i, j in pairs if old.items[i] != new.items[j]}
    if renamed:
        yield {"step": "rename_items", "names": renamed}  # at once, since names may be exchanged
    elsewhere = both[_kept(old, edits)[old.item_node[first]] != edits.origin[new.item_node[both]]]
    for j in elsewhere.tolist():
        what = "move_item" if edits.item_moved[j] else "regroup_item"
        yield {"step": what, "item": new.items[j], "under": _call(int(new.item_node[j]), edits.origin)}
    for j in np.flatnonzero(edits.item_origin < 0).tolist():
        yield {"step": "add_item", "item": new.items[j], "under": _call(int(new.item_node[j]), edits.origin)}


def _names(tree: Hierarchy) -> tuple[str, ...]:
    """Return the names of the nodes, "" for none."""
    return tree.node_names or ("",) * tree.n_nodes


def _heights(tree: Hierarchy) -> list[float | None]:
    """Return the heights of the nodes, None if there are none."""
    return [None] * tree.n_nodes if tree.height is None else list(tree.height.tolist())
