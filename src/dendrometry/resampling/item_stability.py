"""Stability of items: with whom each item is together in replicates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import real_number, whole_number
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels.cut.cut import highest_kept
from dendrometry._memory import require_memory
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cut.count import cut_count
from dendrometry.errors import UndefinedMeasureError
from dendrometry.resampling.agreement import clusters_formed
from dendrometry.resampling.replicates.replicate import Replicate
from dendrometry.resampling.stability import Stability
from dendrometry.resampling.stable_clusters import require_stability


@dataclass(frozen=True, eq=False, repr=False)
class ItemStability(Frozen, Tabular):
    """How firmly each item belongs to its cluster, as arrays with one value for each item.

    Attributes
    ----------
    items : tuple of str
        The items, in the order of the tree.
    labels : array of int
        The cluster of each item in the cut of the tree.
    own : array of float
        The mean share of the other items of its cluster that are with the item in a replicate; for an item that is
        alone in its cluster, the share of replicates in which it is alone; 0 for an item that no replicate holds.
    rival : array of int
        The cluster, other than its own, of which the largest share is with the item.
    other : array of float
        That share.
    """

    items: tuple[str, ...]
    labels: IntArray
    own: FloatArray
    rival: IntArray
    other: FloatArray

    def unstable(self, threshold: float = 0.5) -> list[str]:
        """Return the items whose own share is below a threshold, or below that of another cluster; least stable first.

        Whether a stable item is well placed is another question: see the silhouette.
        """
        least = real_number(threshold, "threshold", least=0.0, most=1.0)
        wrong = np.flatnonzero((self.own < least) | (self.own < self.other))
        return [self.items[i] for i in wrong[np.argsort(self.own[wrong], kind="stable")].tolist()]

    def columns(self) -> dict[str, list[Any]]:
        """Return the table as columns."""
        names = ("labels", "own", "rival", "other")
        return {"item": list(self.items), **{name: getattr(self, name).tolist() for name in names}}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each item."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).set_index("item")

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        count = int(self.labels.max()) + 1
        return (
            f"ItemStability({plural(len(self.items), 'item')} in {plural(count, 'cluster')},"
            f" {len(self.unstable()):,} unstable)"
        )


def item_stability(result: Stability, n_clusters: int) -> ItemStability:
    """Return how firmly each item belongs to its cluster, at a number of clusters of the tree and of its replicates.

    Parameters
    ----------
    result : Stability
        The result of `stability`.
    n_clusters : int
        The number of clusters, from 2 on.

    Returns
    -------
    ItemStability
        For each item the share of its cluster that it meets again, and the cluster that it meets most besides.

    Raises
    ------
    InvalidInputError
        If there is no cut into ``n_clusters`` clusters.
    UndefinedMeasureError
        If a replicate has no heights.

    Notes
    -----
    This is the item consensus of Monti et al. [1]_. O(n ``n_clusters``) for each replicate.

    References
    ----------
    .. [1] S. Monti et al., "Consensus clustering: a resampling-based method for class discovery", Machine Learning 52
       (2003), doi:10.1023/A:1023949509487.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import stability
    >>> from dendrometry.resampling import item_stability
    >>> points = np.append(np.random.default_rng(0).normal(size=40) + np.repeat([0, 9], 20), 4.5)[:, None]
    >>> item_stability(stability(points, n_replicates=30, n_references=0), 2).unstable(0.9)
    ['40']
    """
    wanted = _checked(result, n_clusters)
    cut = cut_count(result.hierarchy, wanted)
    n, k = result.hierarchy.n_items, cut.n_clusters
    total, count = np.zeros((n, k)), np.zeros((n, k))
    for row, label in _cuts(result, n_clusters):
        own = cut.labels[row]
        table = np.zeros((int(label.max()) + 1, k))
        np.add.at(table, (label, own), 1.0)
        with_item, held = table[label], np.broadcast_to(table.sum(axis=0), (row.size, k)).copy()
        here = np.arange(row.size)
        with_item[here, own] -= 1.0
        held[here, own] -= 1.0
        known = held > 0.0
        total[row] += np.divide(with_item, held, out=np.zeros_like(held), where=known)
        count[row] += known
        alone = np.bincount(cut.labels)[own] == 1
        total[row[alone], own[alone]] += table.sum(axis=1)[label[alone]] == 1.0
        count[row[alone], own[alone]] += 1.0
    share = np.divide(total, count, out=np.zeros_like(total), where=count > 0.0)
    at = np.arange(n)
    mine = share[at, cut.labels]
    share[at, cut.labels] = -1.0
    rival = share.argmax(axis=1)
    columns = (cut.labels, mine, rival, share[at, rival])
    return ItemStability(result.hierarchy.items, *(read_only(column.copy()) for column in columns))


def co_membership(result: Stability, n_clusters: int) -> FloatArray:
    """Return, for each two items, the share of the replicates with both in which they are in one cluster.

    Parameters
    ----------
    result : Stability
        The result of `stability`.
    n_clusters : int
        The number of clusters into which each replicate is cut, from 2 on.

    Returns
    -------
    (n_items, n_items) array of float
        Shares from 0 to 1, in the order of the items of the tree; 1 on the diagonal, 0 for two items that no replicate
        holds together.

    Raises
    ------
    InvalidInputError
        If ``n_clusters`` is invalid, or the matrix does not fit into memory.
    UndefinedMeasureError
        If a replicate has no heights.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import stability
    >>> from dendrometry.resampling import co_membership
    >>> result = stability(np.array([[0.0], [1.0], [9.0], [10.0]]), n_replicates=30, n_references=0)
    >>> bool(co_membership(result, 2)[0, 1] > co_membership(result, 2)[0, 2])
    True
    """
    _checked(result, n_clusters)
    n = result.hierarchy.n_items
    require_memory(32 * n * n, f"the co-membership of {n:,} items", "Use item_stability().")
    together, both = np.zeros((n, n)), np.zeros((n, n))
    for row, label in _cuts(result, n_clusters):
        square = np.ix_(row, row)
        together[square] += label[:, None] == label[None, :]
        both[square] += 1.0
    share = np.divide(together, both, out=np.zeros_like(both), where=both > 0.0)
    np.fill_diagonal(share, 1.0)
    return share


def _checked(result: Stability, n_clusters: int) -> int:
    """Return the number of clusters, refusing replicates without heights."""
    require_stability(result)
    if any(replicate.height is None for replicate in result.replicates):
        raise UndefinedMeasureError("the replicates must have heights to be cut into clusters; one has none")
    return whole_number(n_clusters, "n_clusters", 2, result.hierarchy.n_items)


def _cuts(result: Stability, n_clusters: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the items of each replicate, at all scales, and their clusters at a number of clusters."""
    for replicate in result.replicates:
        yield replicate.row, _labels(replicate, n_clusters)


def _labels(replicate: Replicate, n_clusters: int) -> IntArray:
    """Return the cluster of each item in the coarsest cut with at least ``n_clusters`` clusters."""
    own = np.bincount(replicate.node, minlength=replicate.parent.size)
    merges = np.bincount(replicate.parent[:-1], minlength=own.size) + own > 1
    undone = merges & (clusters_formed(replicate) < n_clusters)
    top = highest_kept(replicate.parent, ~undone)[replicate.node]
    key = np.where(undone[replicate.node], own.size + np.arange(top.size), top)
    labels: IntArray = np.unique(key, return_inverse=True)[1]
    return labels
