"""How a file or table was read, in one line: what it holds, and what was made of it."""

from __future__ import annotations

from typing import NamedTuple

from dendrometry._display import plural, printable, quote_first
from dendrometry.hierarchy import Hierarchy


class Account(NamedTuple):
    """What was read, and how.

    Attributes
    ----------
    kind : str
        What was found: "paths", "levels", "labels", "lineages", "points", or "tree" for all formats of trees.
    n_items, n_levels : int
        The items, and the most nodes from below the root down to an item; of points, the columns.
    columns : tuple of str
        The columns of a table that were taken: the levels from the top down, or the one of paths.
    sep : str or None
        The separator of paths.
    n_dropped : int
        The rows that were left out.
    missing : tuple of (str, int)
        The words that were taken as missing, and how often.
    n_noise : int
        The items that no cluster holds, by their label -1.
    item : str or None
        The column of a table that names the items.
    n_at_root : int
        The items that no node below the root holds.
    """

    kind: str
    n_items: int
    n_levels: int
    columns: tuple[str, ...] = ()
    sep: str | None = None
    n_dropped: int = 0
    missing: tuple[tuple[str, int], ...] = ()
    n_noise: int = 0
    item: str | None = None
    n_at_root: int = 0

    def tell(self) -> str:
        """Return the account as one line: items, levels, rows dropped, and what else there was."""
        named = f" in '{printable(self.item)}'" if self.item else ""
        among = f" in {quote_first(self.columns)}" if self.columns else ""
        noun = "column" if self.kind == "points" else "level"
        parts = [f"{plural(self.n_items, 'item')}{named}", f"{plural(self.n_levels, noun)}{among}"]
        if (self.columns and self.kind != "points") or self.n_dropped:
            parts.append(f"{plural(self.n_dropped, 'row')} dropped")
        if self.columns and self.n_at_root:
            parts.append(f"{plural(self.n_at_root, 'item')} at the root")
        if self.sep is not None:
            parts.append(f"separator '{printable(self.sep)}'")
        if self.missing:
            parts.append("missing: " + ", ".join(f"'{printable(word)}' ({n:,})" for word, n in self.missing))
        if self.n_noise:
            parts.append(f"{self.n_noise:,} noise (-1)")
        return f"{self.kind}: {', '.join(parts)}"


def account_of(kind: str, tree: Hierarchy) -> Account:
    """Return the account of a tree of which all was read."""
    depth = tree.depths[tree.item_node]
    return Account(kind, tree.n_items, int(depth.max()), n_at_root=int((depth == 0).sum()))
