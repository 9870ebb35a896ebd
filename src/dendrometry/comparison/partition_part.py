"""PartitionPart: the results for two flat clusterings that two trees in general do not have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._typing import IntArray
from dendrometry.contingency import Contingency
from dendrometry.measures._shared.matching import match_cells
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.partition.graph import Bipartite, bipartite


@dataclass(frozen=True, eq=False)
class PartitionPart:
    """The overlaps of two partitions, and the clusters they have in common.

    Attributes
    ----------
    table : Contingency
        The number of items that each pair of clusters has in common; the input of every measure, `bipartite` and
        `decompose`.
    max_clusters : int or None
        The maximum number of clusters that a partition may have, for the measures that need it.
    graph : Bipartite
        Which clusters overlap: components, splits, merges, and the flow from one partition to the other.
    matched : (n_matched,) array of int
        The overlaps in the one-to-one matching of clusters that covers the most items. All other items differ: their
        number is the minimum that must be moved to make the partitions identical (see `classification_accuracy`).
    """

    table: Contingency
    max_clusters: int | None = None

    @cached_property
    def statistics(self) -> PartitionStatistics:
        """The intermediate results that the measures of partitions share."""
        return PartitionStatistics(self.table, self.max_clusters)

    @cached_property
    def graph(self) -> Bipartite:
        """Which clusters overlap."""
        return bipartite(self.table)

    @cached_property
    def matched(self) -> IntArray:
        """The overlaps in the one-to-one matching of clusters that covers the most items."""
        cells: IntArray = read_only(match_cells(self.table))
        return cells

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    @property
    def n_differing(self) -> int:
        """The minimum number of items that must be moved to make the partitions identical."""
        return self.table.n_items - int(self.table.count[self.matched].sum())

    @property
    def n_kept(self) -> int:
        """The number of clusters that occur, with exactly the same items, in both partitions."""
        table = self.table
        return int(((table.count == table.sizes_a[table.row]) & (table.count == table.sizes_b[table.column])).sum())

    @property
    def n_split(self) -> int:
        """The number of clusters of the first partition that overlap more than one of the second."""
        return int((np.bincount(self.table.row) > 1).sum())

    @property
    def n_merged(self) -> int:
        """The number of clusters of the second partition that overlap more than one of the first."""
        return int((np.bincount(self.table.column) > 1).sum())

    def summary(self) -> dict[str, Any]:
        """Return the numbers of clusters, of common clusters, of components and of items that differ."""
        return {
            "clusters": [self.table.n_a, self.table.n_b],
            "clusters_in_both": self.n_kept,
            "components": self.graph.n_components,
            "items_that_differ": self.n_differing,
        }
