"""Identifiers of nodes that stay the same over many runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.numbers import real_number
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.changes.carry_names import content_match
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


@dataclass(frozen=True, eq=False, repr=False)
class Tracks(Frozen, Tabular):
    """The nodes of several runs, with identifiers that stay the same while a node continues.

    Attributes
    ----------
    trees : tuple of Hierarchy
        The runs, in their order.
    names : tuple of str
        What the runs are called.
    identifiers : tuple of (n_nodes,) arrays of int
        The identifier of each node of each run, from 0.
    jaccard : tuple of (n_nodes,) arrays of float
        The Jaccard index of each node with the node that it continues, 0 for a new one.
    """

    trees: tuple[Hierarchy, ...]
    names: tuple[str, ...]
    identifiers: tuple[IntArray, ...]
    jaccard: tuple[FloatArray, ...]

    @property
    def n_identifiers(self) -> int:
        """The number of identifiers of all runs together."""
        return 1 + max(int(column.max()) for column in self.identifiers)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each node of each run: identifier, name, size, Jaccard index."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        parts = []
        for name, tree, identifier, jaccard in zip(self.names, self.trees, self.identifiers, self.jaccard, strict=True):
            called = tree.node_names or ("",) * tree.n_nodes
            columns = {"run": name, "node": np.arange(tree.n_nodes), "identifier": identifier, "name": called}
            parts.append(pd.DataFrame(columns | {"n_items": tree.sizes, "jaccard": jaccard}))
        return pd.concat(parts, ignore_index=True)

    def _repr_html_(self) -> str:
        columns: dict[str, Sequence[Any]] = {"run": self.names, "nodes": [tree.n_nodes for tree in self.trees]}
        new = [int((column == 0.0).sum()) for column in self.jaccard]
        return preview(repr(self), columns | {"new nodes": new})

    def __repr__(self) -> str:
        return f"Tracks({plural(len(self.trees), 'run')}, {plural(self.n_identifiers, 'identifier')})"


def track_nodes(trees: Mapping[str, HierarchyLike] | Sequence[HierarchyLike], *, min_jaccard: float = 0.5) -> Tracks:
    """Return identifiers of the nodes of several runs that stay the same while a node continues.

    A node continues a node of the run before if they are matched by what they hold, as by `carry_names`. Other nodes
    have identifiers that no earlier node has. So an identifier is never given to two nodes of one run, and never again
    to another node after its own is gone.

    Parameters
    ----------
    trees : mapping of names to hierarchies, or sequence of hierarchies, or of what `as_hierarchy` takes
        The runs in their order, by name or not.
    min_jaccard : float
        A node continues another if the common items are at least this share of the items of either, 0.5 to 1.

    Returns
    -------
    Tracks
        The identifier of each node of each run.

    Raises
    ------
    InvalidInputError
        If there is no tree, or an argument has the wrong type.

    Examples
    --------
    >>> from dendrometry import from_labels
    >>> from dendrometry.changes import track_nodes
    >>> runs = [from_labels([0, 0, 0, 1, 1, 1]), from_labels([1, 1, 1, 0, 0, 2]), from_labels([1, 1, 1, 2, 2, 2])]
    >>> [column.tolist() for column in track_nodes(runs).identifiers]
    [[0, 1, 2], [1, 0, 3, 2], [0, 1, 2]]
    """
    least = real_number(min_jaccard, "min_jaccard", least=0.5, most=1.0)
    names, runs = _series(trees)
    identifiers, jaccards = [np.arange(runs[0].n_nodes)], [np.zeros(runs[0].n_nodes)]
    n = runs[0].n_nodes
    for old, new in pairwise(runs):
        edits, jaccard = content_match(old, new)
        good = (edits.origin >= 0) & (jaccard >= least)
        identifier = np.empty(new.n_nodes, dtype=np.int64)
        identifier[good] = identifiers[-1][edits.origin[good]]
        n_fresh = int((~good).sum())
        identifier[~good] = np.arange(n, n + n_fresh)
        n += n_fresh
        identifiers.append(identifier)
        jaccards.append(np.where(good, jaccard, 0.0))
    return Tracks(runs, names, tuple(identifiers), tuple(jaccards))


def _series(trees: object) -> tuple[tuple[str, ...], tuple[Hierarchy, ...]]:
    """Return the names of the runs, and their trees."""
    if isinstance(trees, Mapping):
        names, runs = tuple(map(str, trees)), tuple(trees.values())
    elif isinstance(trees, Sequence) and not isinstance(trees, str | bytes):
        runs = tuple(trees)
        names = tuple(f"run {i}" for i in range(len(runs)))
    else:
        raise InvalidInputError(f"trees must be a mapping or a sequence of hierarchies; got {printable(trees)}")
    if not runs:
        raise InvalidInputError("trees must be at least one; got none")
    return names, tuple(as_hierarchy(tree, what=name) for name, tree in zip(names, runs, strict=True))
