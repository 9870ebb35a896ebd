"""Diff: what changed between two versions of a tree, in words, tables and steps."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.numbers import whole_number
from dendrometry._display import plain_signature, plural, printable
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels.tree import accumulate_down
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, IntArray
from dendrometry.changes.edits import Edits
from dendrometry.changes.listing import KINDS, Change, list_changes
from dendrometry.changes.paths import NodeNames
from dendrometry.changes.steps import Step, steps_between
from dendrometry.hierarchy import Hierarchy


@plain_signature
class ItemChange(NamedTuple):
    """An item that is not where it was.

    Attributes
    ----------
    item : str
        The item, by its name in the new tree, or in the old one if it was removed.
    old_path, new_path : str
        The named nodes from below the root to the item, "" if it is not in the tree or at the root.
    what : str
        "added", "removed", "moved" (the item itself), "moved along" (with a node that holds it), "renamed" (the item
        itself), or "path changed" (a node above it was renamed, dissolved or added).
    """

    item: str
    old_path: str
    new_path: str
    what: str


@dataclass(frozen=True, eq=False, repr=False)
class Diff(Frozen, Tabular):
    """What changed between two versions of a tree.

    It is true if anything changed: ``if diff(old, new): ...``.

    Attributes
    ----------
    old, new : Hierarchy
        The two trees.
    edits : Edits
        The matched nodes and items, and which of them moved.
    names : pair of str
        What the trees are called.
    """

    old: Hierarchy
    new: Hierarchy
    edits: Edits
    names: tuple[str, str] = ("old", "new")

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """All changes, by kind, the largest first; see `Change`."""
        return list_changes(self.old, self.new, self.edits)

    @property
    def moves(self) -> tuple[Change, ...]:
        """The moves among the changes: of nodes with all that they hold, and of items from one node to another."""
        return tuple(change for change in self.changes if change.what in ("moved", "lifted"))

    @property
    def match(self) -> IntArray:
        """The new node of each old node, or -1."""
        return self.edits.match

    @cached_property
    def n_heights(self) -> int:
        """The number of nodes in both trees whose heights differ."""
        both = np.flatnonzero(self.edits.match >= 0)
        before, after = self.old.height, self.new.height
        if before is None or after is None:
            return 0 if before is after else both.size
        return int((before[both] != after[self.edits.match[both]]).sum())

    @cached_property
    def n_moved(self) -> int:
        """The number of items in both trees that moved, by themselves or with a node that holds them."""
        _, along = self._steady_and_along()
        moved = self.edits.item_moved | along[self.new.item_node]
        return int((moved & (self.edits.item_origin >= 0)).sum())

    def __bool__(self) -> bool:
        return bool(self.changes or self.n_heights)

    def steps(self) -> Iterator[Step]:
        """Yield the steps that make the new tree of the old one, in their order.

        Each is a dict with the key ``step``. First come ``remove_item`` and ``dissolve_node``, which leaves what the
        node holds to the node above it; then, from the root down, ``add_node``, ``move_node``, and ``regroup_node``
        for a node that only goes into an added one; then ``rename_node``, ``set_height``, ``rename_items``,
        ``move_item``, ``regroup_item`` and ``add_item``. Nodes are called "old:" or "new:" with their number.
        """
        return steps_between(self.old, self.new, self.edits)

    def item_changes(self) -> list[ItemChange]:
        """Return the items that were added, removed, moved or renamed, or whose path changed.

        Removed items come first, then those of the new tree in its order.
        """
        before, after = NodeNames(self.old), NodeNames(self.new)
        edits, (steady, along) = self.edits, self._steady_and_along()
        rows = [
            ItemChange(self.old.items[i], before.path(int(self.old.item_node[i])), "", "removed")
            for i in np.flatnonzero(edits.item_match < 0).tolist()
        ]
        renamed = np.fromiter(
            (i >= 0 and self.old.items[i] != self.new.items[j] for j, i in enumerate(edits.item_origin.tolist())),
            dtype=bool,
            count=self.new.n_items,
        )
        node, origin = self.new.item_node, edits.item_origin
        stays = (origin >= 0) & steady[node] & (edits.origin[node] == self.old.item_node[origin]) & ~renamed
        for j in np.flatnonzero(~stays).tolist():
            i, v = int(origin[j]), int(node[j])
            old_path, path = before.path(int(self.old.item_node[i])) if i >= 0 else "", after.path(v)
            facts = (
                ("added", i < 0),
                ("moved", edits.item_moved[j]),
                ("moved along", along[v]),
                ("renamed", renamed[j]),
                ("path changed", path != old_path),
            )
            what = next((what for what, holds in facts if holds), None)
            if what is not None:
                rows.append(ItemChange(self.new.items[j], old_path, path, what))
        return rows

    def _steady_and_along(self) -> tuple[BoolArray, BoolArray]:
        """Return which new nodes have all their ancestors and names from before, and which moved or lie below such."""
        origin, parent = self.edits.origin, self.new.parent
        before, after = (tree.node_names or ("",) * tree.n_nodes for tree in (self.old, self.new))
        pairs = enumerate(origin.tolist())
        steady = np.fromiter((u >= 0 and before[u] == after[v] for v, u in pairs), dtype=bool, count=origin.size)
        steady[:-1] &= origin[parent[:-1]] == self.old.parent[origin[:-1]]
        steady[-1] = True  # paths start below the root
        return _on_all_above(parent, steady), ~_on_all_above(parent, ~self.edits.moved)

    def summary(self) -> str:
        """Return the number of changes of each kind in one sentence."""
        if not self:
            return f"{printable(self.names[0])} and {printable(self.names[1])} are the same tree."
        count = Counter(change.what for change in self.changes)
        parts = [f"{count[what]:,} {what}" for what in KINDS if count[what]]
        parts += [f"{plural(self.n_heights, 'height')} changed"] * bool(self.n_heights)
        moved = f"; {plural(self.n_moved, 'item')} changed place in {plural(len(self.moves), 'move')}"
        place = moved * bool(self.n_moved)
        return f"From {printable(self.names[0])} to {printable(self.names[1])}: {', '.join(parts)}{place}."

    def tell(self, max_lines: int | None = None) -> str:
        """Return the changes in words: the summary, then one line for each (None: all)."""
        most = len(self.changes) if max_lines is None else whole_number(max_lines, "max_lines", 0, also="None")
        lines = [self.summary(), *(change.tell() for change in self.changes[:most])]
        if len(self.changes) > most:
            lines.append(f"… {plural(len(self.changes) - most, 'more change')}")
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each change; its columns are the fields of `Change`."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame([*self.changes], columns=list(Change._fields))

    def to_csv(self) -> str:
        """Return the items that are not where they were as CSV: item, old path, new path, what.

        An apostrophe is put before a value that a spreadsheet would take for a formula.
        """
        from dendrometry.io._shared.formulas import guard_formula  # here, since few comparisons are written

        stream = io.StringIO(newline="")
        writer = csv.writer(stream)
        writer.writerow(["item", "old path", "new path", "what"])
        writer.writerows(map(guard_formula, row) for row in self.item_changes())
        return stream.getvalue()

    def to_excel(self) -> bytes:
        """Return the changes as a workbook of Excel (.xlsx): a sheet of categories, and one of items.

        Text stays text, also where it begins like a formula. Needs the extra ``tables``.
        """
        from dendrometry.changes.workbook import workbook  # here, since few comparisons are written

        return workbook(self.changes, self.item_changes())

    def to_json(self) -> str:
        """Return the summary, the changes and the steps as JSON."""
        content = {
            "summary": self.summary(),
            "names": self.names,
            "n_items": [self.old.n_items, self.new.n_items],
            "changes": [change._asdict() for change in self.changes],
            "steps": list(self.steps()),
        }
        return json.dumps(content, indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        shown = self.changes[:MOST_ROWS]
        columns: dict[str, list[Any]] = {"what": [], "name": [], "items": [], "change": []}
        for change in shown:
            for column, value in zip(
                columns.values(), (change.what, change.name, change.n_items, change.tell()), strict=True
            ):
                column.append(value)
        return preview(repr(self), columns, len(self.changes))

    def __repr__(self) -> str:
        trees = f"{plural(self.old.n_items, 'item')} to {plural(self.new.n_items, 'item')}"
        return f"Diff({trees}; {plural(len(self.changes), 'change')}, {plural(len(self.moves), 'move')})"


def _on_all_above(parent: IntArray, holds: BoolArray) -> BoolArray:
    """Return whether something holds at each node and at all nodes above it."""
    whole: BoolArray = accumulate_down(parent.copy(), (~holds).astype(np.float64)) == 0.0
    return whole
