"""Names of the nodes of one run carried over to the nodes of the next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.numbers import real_number
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import fact_list
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.changes.diff import match_items
from dendrometry.changes.edits import Edits, edits_between
from dendrometry.changes.listing import Change, list_changes
from dendrometry.changes.matching import shared_items, sides
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


@dataclass(frozen=True, eq=False, repr=False)
class CarriedNames(Frozen, Tabular):
    """The tree of a new run with the names of an old one, and what became of the other nodes.

    Attributes
    ----------
    hierarchy : Hierarchy
        The new tree, with the names of the old nodes where the match is good.
    origin : (new nodes,) array of int
        The old node whose name each new node has, or -1.
    jaccard : (new nodes,) array of float
        The Jaccard index of both nodes: their common items as a share of the items of either. 0 without an old node.
    gone : tuple of int
        The old nodes that no new node continues.
    splits, merges : tuple of Change
        The old nodes that were split, and the new nodes that were merged.
    """

    hierarchy: Hierarchy
    origin: IntArray
    jaccard: FloatArray
    gone: tuple[int, ...]
    splits: tuple[Change, ...]
    merges: tuple[Change, ...]

    @property
    def fresh(self) -> IntArray:
        """The new nodes that continue no old one."""
        nodes: IntArray = np.flatnonzero(self.origin < 0)
        return nodes

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each new node: name, size, old node, Jaccard index, what it is.

        ``what`` is "merged" if several old nodes make up the node, else "split" if it is a part of an old one, else
        "carried" or "new".
        """
        pd = require("pandas", extra="tables", for_="to_frame()")
        what = ["carried" if u >= 0 else "new" for u in self.origin.tolist()]
        for change in self.splits:
            for v in change.part_nodes:
                what[v] = "split"
        for change in self.merges:
            what[change.new_node] = "merged"
        names = self.hierarchy.node_names or ("",) * self.hierarchy.n_nodes
        columns = {"name": names, "n_items": self.hierarchy.sizes, "old_node": self.origin}
        return pd.DataFrame(columns | {"jaccard": self.jaccard, "what": what})

    def tell(self) -> str:
        """Return in words what was carried, and what is new, gone, split and merged."""
        n_carried = int((self.origin >= 0).sum())
        first = (
            f"{n_carried:,} of {plural(self.origin.size, 'node')} continue an old one; {self.fresh.size:,} new,"
            f" {len(self.gone):,} gone, {len(self.splits):,} split, {len(self.merges):,} merged."
        )
        return "\n".join([first, *(change.tell() for change in (*self.splits, *self.merges))])

    def _repr_html_(self) -> str:
        return fact_list(self.tell().splitlines()) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        n_carried = int((self.origin >= 0).sum())
        return f"CarriedNames({n_carried:,} of {plural(self.origin.size, 'node')} continue one of {self._n_old:,})"

    @property
    def _n_old(self) -> int:
        return int((self.origin >= 0).sum()) + len(self.gone)


def carry_names(old: HierarchyLike, new: HierarchyLike, *, min_jaccard: float = 0.5) -> CarriedNames:
    """Return the tree of a new run with the names of an old run's nodes where the match is good.

    Nodes are matched by what they hold alone, as by ``diff(..., by_name=False)``: the names of a new run, such as
    numbers, say nothing about the old one.

    Parameters
    ----------
    old : Hierarchy, or anything that `as_hierarchy` takes
        The old run, whose nodes have names.
    new : Hierarchy, or anything that `as_hierarchy` takes
        The new run. Items that only one of the trees has do not count.
    min_jaccard : float
        A name is carried if the common items of both nodes are at least this share of the items of either, 0.5 to 1.

    Returns
    -------
    CarriedNames
        The new tree with the names; which nodes are new, gone, split or merged. A new node that continues no old one
        keeps the name it has, with a number behind it if that name was carried to another node.

    Raises
    ------
    InvalidInputError
        If an argument has the wrong type, or ``min_jaccard`` lies outside its range.

    See Also
    --------
    track_nodes : identifiers that stay the same over many runs.

    Examples
    --------
    >>> from dendrometry import from_labels
    >>> from dendrometry.changes import carry_names
    >>> old = from_labels(["cats", "cats", "cats", "dogs", "dogs", "birds"])
    >>> new = from_labels(["2", "2", "2", "0", "0", "1"])
    >>> print(carry_names(old, new).hierarchy.draw())
    •
    ├─ dogs: 3, 4
    ├─ birds: 5
    └─ cats: 0, 1, 2
    """
    old, new = as_hierarchy(old, what="old"), as_hierarchy(new, what="new")
    least = real_number(min_jaccard, "min_jaccard", least=0.5, most=1.0)
    edits, jaccard = content_match(old, new)
    good = (edits.origin >= 0) & (jaccard >= least)
    changes = list_changes(old, new, edits)
    origin = np.where(good, edits.origin, -1)
    gone = np.ones(old.n_nodes, dtype=bool)
    gone[origin[good]] = False
    return CarriedNames(
        replace(new, node_names=_names(old, new, origin, good)),
        origin,
        np.where(good, jaccard, 0.0),
        tuple(np.flatnonzero(gone).tolist()),
        tuple(change for change in changes if change.what == "split"),
        tuple(change for change in changes if change.what == "merged"),
    )


def content_match(old: Hierarchy, new: Hierarchy) -> tuple[Edits, FloatArray]:
    """Return the difference of two trees by content alone, and the Jaccard index of each new node with its old one."""
    item_match = match_items(old, new)
    edits = edits_between(old, new, item_match, by_name=False)
    one, other = sides(old, new, item_match, by_name=False)
    jaccard = np.zeros(new.n_nodes, dtype=np.float64)
    kept = np.flatnonzero(edits.origin >= 0)
    u = edits.origin[kept]
    both = shared_items(one, other, u, kept)
    jaccard[kept] = both / np.maximum(one.size[u] + other.size[kept] - both, 1)
    return edits, jaccard


def _names(old: Hierarchy, new: Hierarchy, origin: IntArray, good: BoolArray) -> tuple[str, ...]:
    """Return the names of the new nodes: carried ones, and their own as far as these are free."""
    before, after = (tree.node_names or ("",) * tree.n_nodes for tree in (old, new))
    carried = {before[u] for u in origin[good].tolist()} - {""}
    taken = Counter(name for name in after if name) + Counter(carried)
    names = []
    for v, u in enumerate(origin.tolist()):
        name = before[u] if u >= 0 else after[v]
        if u < 0 and name in carried:
            name = next(other for i in count(2) if (other := f"{name} ({i})") not in taken)
            taken[name] += 1
        names.append(name)
    return tuple(names)
