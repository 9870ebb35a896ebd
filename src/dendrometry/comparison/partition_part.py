"""PartitionPart: what two flat clusterings have beyond what any two trees have."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._kernels._jit import IntArray
from dendrometry.contingency import Contingency
from dendrometry.measures.partitions.overlaps.matching import match_cells
from dendrometry.measures.partitions.readings.readings import PartitionReadings
from dendrometry.partition.graph import Bipartite, bipartite

__all__ = ["PartitionPart"]


@dataclass(frozen=True, eq=False)
class PartitionPart:
    """The overlaps of two partitions, and what they have in common.

    Attributes
    ----------
    table : Contingency
        How many items every two clusters have in common; every measure, `bipartite` and `decompose` take it.
    max_clusters : int or None
        The most clusters that a partition may have, for the measures that need it.
    graph : Bipartite
        Which clusters overlap: components, splits, merges, and the flow from one partition to the other.
    matched : (n_matched,) array of int
        The overlaps of the one-to-one matching of clusters that holds the most items. All other items differ: they
        are the fewest that have to move for the partitions to be the same (see `classification_accuracy`).
    """

    table: Contingency
    max_clusters: int | None = None

    @cached_property
    def readings(self) -> PartitionReadings:
        """What the measures of partitions share."""
        return PartitionReadings(self.table, self.max_clusters)

    @cached_property
    def graph(self) -> Bipartite:
        """Which clusters overlap."""
        return bipartite(self.table)

    @cached_property
    def matched(self) -> IntArray:
        """The overlaps of the one-to-one matching of clusters that holds the most items."""
        cells: IntArray = read_only(match_cells(self.table))
        return cells

    @property
    def n_differing(self) -> int:
        """How many items have to move, at least, for the partitions to be the same."""
        return self.table.n_items - int(self.table.count[self.matched].sum())

    @property
    def n_kept(self) -> int:
        """How many clusters occur in both partitions, item for item."""
        table = self.table
        return int(((table.count == table.sizes_a[table.row]) & (table.count == table.sizes_b[table.column])).sum())

    @property
    def n_split(self) -> int:
        """How many clusters of the first partition lie in more than one of the second."""
        return int((np.bincount(self.table.row) > 1).sum())

    @property
    def n_merged(self) -> int:
        """How many clusters of the second partition hold parts of more than one of the first."""
        return int((np.bincount(self.table.column) > 1).sum())
