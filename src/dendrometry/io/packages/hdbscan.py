"""The trees of HDBSCAN: single linkage, and the condensed tree with the points that fall out of each cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.arrays import int_column
from dendrometry._check.choices import one_of
from dendrometry._check.frames import columns_of, is_frame
from dendrometry._check.names import names_or_numbers
from dendrometry._display import printable, quote_first
from dendrometry.errors import InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.known_columns import CONDENSED_COLUMNS, SINGLE_LINKAGE_COLUMNS
from dendrometry.io.formats.linkage import from_linkage
from dendrometry.io.parents import from_parents

_Tree = Literal["single_linkage", "condensed"]


def from_hdbscan(model: Any, item_names: Iterable[str] | None = None, *, tree: _Tree = "single_linkage") -> Hierarchy:
    """Return a tree of a fitted HDBSCAN, of the package hdbscan or of scikit-learn.

    Parameters
    ----------
    model : fitted HDBSCAN, or its ``single_linkage_tree_`` or ``condensed_tree_``
        The model, or one of the two trees of the package hdbscan, or such a tree as a NumPy array of records or as the
        frame that its ``to_pandas`` returns.
    item_names : sequence of str, optional
        The names of the points; by default "0", "1", and so on.
    tree : {"single_linkage", "condensed"}
        Which tree of a model. The single linkage of mutual reachability distances is a dendrogram. The condensed tree
        has the clusters of at least ``min_cluster_size`` points, and each point belongs to the last cluster before it
        falls out; noise belongs to the clusters, often the root, from which it falls. scikit-learn keeps only the
        first.

    Returns
    -------
    Hierarchy
        Heights are distances. A cluster of the condensed tree lies where it splits or its last point leaves it, at
        1 / lambda; its node has the number of the cluster as a name.

    Raises
    ------
    InvalidInputError
        If the model is not fitted or does not have this tree, or an argument is neither.
    InvalidTreeError
        If the records do not form a tree.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.io import from_hdbscan
    >>> records = [(4, 5, 0.5, 2), (4, 6, 0.5, 2), (5, 0, 1.0, 1), (5, 1, 1.0, 1), (6, 2, 2.0, 1), (6, 3, 2.0, 1)]
    >>> kinds = [("parent", int), ("child", int), ("lambda_val", float), ("child_size", int)]
    >>> print(from_hdbscan(np.array(records, dtype=kinds)).draw())
    4 (2)
    ├─ 6: 2, 3 (0.5)
    └─ 5: 0, 1 (1)
    """
    one_of(tree, "tree", get_args(_Tree))
    records = _records(model, tree)
    fields = records.dtype.names or ()
    if set(CONDENSED_COLUMNS) <= set(fields):
        return _from_condensed(records, item_names)
    if len(fields) == 4:
        return from_linkage(np.column_stack([records[name].astype(np.float64) for name in fields]), item_names)
    if not fields and records.ndim == 2:
        return from_linkage(records, item_names)
    raise InvalidInputError(
        "the records must be those of a single linkage (two clusters, distance, size) or of a condensed tree"
        f" (parent, child, lambda_val, child_size); got {', '.join(fields) or f'an array of shape {records.shape}'}"
    )


def _records(model: Any, tree: str) -> Any:
    """Return the records of the tree of a model, or of what is a tree itself."""
    source = model
    if hasattr(model, "fit"):
        names = (f"{tree}_tree_", f"_{tree}_tree_")
        source = next((found for name in names if (found := _attribute(model, name)) is not None), None)
        if source is None:
            has = "scikit-learn keeps only the single linkage" if tree == "condensed" else "it is not fitted"
            raise InvalidInputError(
                f"the model must have a {tree} tree; got {type(model).__name__} without one ({has})"
            )
    if is_frame(source) or isinstance(source, Mapping):
        return _records_of_columns(columns_of(source))
    if hasattr(source, "to_numpy"):
        source = source.to_numpy()
    if not isinstance(source, np.ndarray):
        raise InvalidInputError(
            f"model must be a fitted HDBSCAN, one of its trees, an array or a frame; got {type(source).__name__}"
        )
    return source


def _records_of_columns(columns: dict[str, list[Any]]) -> Any:
    """Return the records of a tree that is given as columns."""
    names = next((names for names in (CONDENSED_COLUMNS, SINGLE_LINKAGE_COLUMNS) if set(names) <= columns.keys()), None)
    if names is None:
        raise InvalidInputError(
            f"a frame of HDBSCAN must have the columns {', '.join(CONDENSED_COLUMNS)}, or"
            f" {', '.join(SINGLE_LINKAGE_COLUMNS)}; got {quote_first(list(columns))}"
        )
    try:
        rows = list(zip(*(map(float, columns[name]) for name in names), strict=True))
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"a frame of HDBSCAN must hold numbers; got {printable(str(error))}") from None
    return np.array(rows, dtype=[(name, np.float64) for name in names])


def _attribute(model: Any, name: str) -> Any:
    """Return an attribute of a model, or None if it has none or raises an error of its own before it is fitted."""
    try:
        return getattr(model, name, None)
    except Exception:  # what a foreign property raises may be anything
        return None


def _from_condensed(records: Any, item_names: Iterable[str] | None) -> Hierarchy:
    """Return the hierarchy of a condensed tree: clusters are nodes, points belong to the cluster they fall out of."""
    parents, children = (int_column(records[name], f"{name} of a condensed tree") for name in ("parent", "child"))
    if not parents.size:
        raise InvalidTreeError("a condensed tree must have at least one record; got none")
    root = int(parents.min())
    points = children < root
    n_items = int(points.sum())
    if n_items != root or np.unique(children[points]).size != n_items or children.min() < 0:
        raise InvalidTreeError(
            f"a condensed tree must hold each of its {root:,} points once; got {n_items:,} records of points"
        )
    clusters = np.unique(np.append(parents, children[~points]))
    number = {cluster: v for v, cluster in enumerate(clusters.tolist())}
    above = np.full(clusters.size, -1, dtype=np.int64)
    for cluster, p in zip(children[~points].tolist(), parents[~points].tolist(), strict=True):
        if above[number[cluster]] >= 0:
            raise InvalidTreeError(f"each cluster of a condensed tree must have one parent; {cluster} has two")
        above[number[cluster]] = number[p]
    item_node = np.empty(n_items, dtype=np.int64)
    item_node[children[points]] = np.searchsorted(clusters, parents[points])
    dense = np.zeros(clusters.size)
    np.maximum.at(dense, np.searchsorted(clusters, parents), records["lambda_val"].astype(np.float64))
    if np.isnan(dense).any() or (dense <= 0).any():
        raise InvalidTreeError("lambda_val of a condensed tree must be positive")
    names = [str(cluster) for cluster in clusters.tolist()]
    return from_parents(above, item_node, 1.0 / dense, names_or_numbers(item_names, n_items), names)
