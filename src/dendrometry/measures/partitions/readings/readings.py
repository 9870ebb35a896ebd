"""PartitionReadings: intermediate results shared by the measures of two partitions, each computed once, on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dendrometry.contingency import Contingency
from dendrometry.measures.partitions.readings.expected_information import entropies, expected_mutual_information
from dendrometry.measures.partitions.readings.pair_counts import PairCounts, pair_counts

__all__ = ["PartitionReadings"]


@dataclass(frozen=True, eq=False)
class PartitionReadings:
    """Counts and expectations of two partitions, each of at most ``max_clusters`` clusters, if given."""

    table: Contingency
    max_clusters: int | None = None

    def shuffle(self, rng: np.random.Generator) -> PartitionReadings:
        """Return the readings of the same partitions with the items of the second relabelled at random."""
        first, second = (np.repeat(side, self.table.count) for side in (self.table.row, self.table.column))
        return PartitionReadings(Contingency.of(first, rng.permutation(second)), self.max_clusters)

    @property
    def is_fixed(self) -> bool:
        """Whether every relabelling gives the same table: both partitions are one cluster, or both all singletons."""
        return self.table.n_a == self.table.n_b and self.table.n_a in (1, self.table.n_items)

    @cached_property
    def pairs(self) -> PairCounts:
        """The numbers of pairs of items together in each partition and in both."""
        return pair_counts(self.table)

    @cached_property
    def entropies(self) -> tuple[float, float]:
        """The entropies of the two partitions, in nats."""
        return entropies(self.table)

    @cached_property
    def expected_information(self) -> float | None:
        """The mean mutual information over all relabellings, in nats; None if that would take too long."""
        return self.entropies[0] if self.is_fixed else expected_mutual_information(self.table)

    @property
    def expected_variation(self) -> float | None:
        """The mean variation of information over all relabellings, in nats; None if that would take too long."""
        if self.is_fixed:
            return 0.0
        told = self.expected_information
        return None if told is None else sum(self.entropies) - 2.0 * told
