"""The report of a `Diff`: what changed between two trees, both trees with the moves drawn, and item by item."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._display import plural
from dendrometry._kernels.tree import accumulate_sum
from dendrometry._version import __version__
from dendrometry.changes.listing import KINDS, Change
from dendrometry.changes.paths import NodeNames
from dendrometry.changes.result import Diff, ItemChange
from dendrometry.hierarchy import Hierarchy
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.packed import pack, pack_names
from dendrometry.report.page import Page, Section, fragment

_MOST_CHANGES = 20_000
_MOST_ITEMS = 300_000
_ITEM_KINDS = ("moved", "moved along", "renamed", "removed", "added", "path changed")  # in the order of the table


def changes_page(diff: Diff) -> Page:
    """Return the report on a difference as a page."""
    lead = tag("p", "From ", tag("b", label(diff.names[0])), " to ", tag("b", label(diff.names[1])), class_="pair")
    summary = tag("p", diff.summary(), class_="verdict")
    made = Section("made", "How it was made", _made(diff))
    if not diff.changes:
        return Page("What changed?", lead, (Section("what", "What changed", summary), made))
    changes = sorted(diff.changes, key=lambda change: -change.n_items)[:_MOST_CHANGES]
    items = diff.item_changes()
    sections = (
        Section("what", "What changed", join_html((summary, _figures(diff)))),
        Section("moves", "Both trees", join_html((_left_out(diff), fragment("changes_trees.html")))),
        Section("each", "Item by item", _items_part(len(items))),
        made,
    )
    ends = [_ends(diff, change) for change in changes]
    data = {
        "kinds": KINDS,
        "names": diff.names,
        "changes": _columns(changes),
        "old": _tree(diff.old, {u for olds, _ in ends for u in olds}),
        "new": _tree(diff.new, {v for _, news in ends for v in news}),
        "ends": ends,
        "items": _item_columns(items) if len(items) <= _MOST_ITEMS else None,
    }
    return Page("What changed?", lead, sections, data, ("changes.js",))


def _figures(diff: Diff) -> Html:
    """Return the key figures, for display in large type."""
    n_added, n_removed = (int((match < 0).sum()) for match in (diff.edits.item_origin, diff.edits.item_match))
    figures = [
        ("moves" if len(diff.moves) != 1 else "move", f"{len(diff.moves):,}"),
        ("item changed place" if diff.n_moved == 1 else "items changed place", f"{diff.n_moved:,}"),
        ("items added", f"{n_added:,}"),
        ("items removed", f"{n_removed:,}"),
    ]
    return description_list(figures, class_="figures")


def _left_out(diff: Diff) -> Html:
    """Return a note on the changes that are not on the page."""
    n = len(diff.changes)
    text = f"The largest {_MOST_CHANGES:,} of {n:,} changes; to_json() holds all." if n > _MOST_CHANGES else ""
    return tag("p", text, class_="note") if text else Html("")


def _items_part(n: int) -> Html:
    """Return the container of the items, or the reason why there is none."""
    if n > _MOST_ITEMS:
        return tag(
            "p",
            f"{n:,} items are not where they were. Up to {_MOST_ITEMS:,} are listed; to_csv() holds all.",
            class_="reason",
        )
    return fragment("changes_items.html")


def _columns(changes: list[Change]) -> dict[str, Any]:
    """Return the changes as columns."""
    return {
        "what": pack(np.array([KINDS.index(change.what) for change in changes], dtype=np.int64)),
        "size": pack(np.array([change.n_items for change in changes], dtype=np.int64)),
        "name": pack_names(change.name for change in changes),
        "before": pack_names(_side(change, "merged", change.before) for change in changes),
        "after": pack_names(_side(change, "split", change.after) for change in changes),
        "sentences": pack_names(change.tell() for change in changes),
    }


def _side(change: Change, of_parts: str, place: str) -> str:
    """Return where something was or is: its parts if it was merged of them or split into them, else its place."""
    return ", ".join(change.parts) if change.what == of_parts else place


def _ends(diff: Diff, change: Change) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the old nodes from which a change comes, and the new ones to which it leads."""
    olds = change.part_nodes if change.what == "merged" else (change.old_node,)
    news = change.part_nodes if change.what == "split" else (change.new_node,)
    if change.what == "dissolved":
        news = (int(diff.edits.target[change.old_node]),)
    if change.what == "grouped":
        olds = (int(diff.edits.source[change.new_node]),)
    return tuple(u for u in olds if u >= 0), tuple(v for v in news if v >= 0)


def _tree(tree: Hierarchy, ends: set[int]) -> dict[str, Any]:
    """Return the nodes that changes touch and all nodes above them, in pre-order: number, level, name and size."""
    wanted = np.zeros(tree.n_nodes, dtype=np.int64)
    wanted[[*ends, tree.root]] = 1
    nodes = tree.order.node[accumulate_sum(tree.parent.copy(), wanted)[tree.order.node] > 0]
    names = NodeNames(tree)
    return {
        "node": pack(nodes),
        "level": pack(tree.depths[nodes]),
        "size": pack(tree.sizes[nodes]),
        "name": pack_names(names.call(v) for v in nodes.tolist()),
    }


def _item_columns(items: list[ItemChange]) -> dict[str, Any]:
    """Return the items that are not where they were as columns; paths are numbers in a list."""
    paths = {path: i for i, path in enumerate(dict.fromkeys(path for row in items for path in row[1:3]))}
    return {
        "name": pack_names(row.item for row in items),
        "old": pack(np.array([paths[row.old_path] for row in items], dtype=np.int64)),
        "new": pack(np.array([paths[row.new_path] for row in items], dtype=np.int64)),
        "what": pack(np.array([_ITEM_KINDS.index(row.what) for row in items], dtype=np.int64)),
        "kinds": _ITEM_KINDS,
        "paths": pack_names(paths),
    }


def _made(diff: Diff) -> Html:
    """Return the section on what the results are based on."""
    rows = [
        ("Old tree", join_html((label(diff.names[0]), f": {_size(diff.old)}"))),
        ("New tree", join_html((label(diff.names[1]), f": {_size(diff.new)}"))),
        ("Items in both", f"{int((diff.edits.item_match >= 0).sum()):,}, matched by name"),
        (
            "Nodes in both",
            f"{int((diff.match >= 0).sum()):,}, matched by what they hold and by name, the best pairs first",
        ),
        ("Moves", "the fewest that lead from the old tree to the new one, for the nodes that are matched"),
        ("Made by", f"dendrometry {__version__}"),
    ]
    return description_list(rows, class_="facts")


def _size(tree: Hierarchy) -> str:
    """Return the size of a tree in words."""
    return f"{plural(tree.n_items, 'item')}, {plural(tree.n_nodes, 'node')}"
