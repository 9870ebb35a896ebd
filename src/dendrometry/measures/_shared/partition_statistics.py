"""PartitionStatistics: intermediate results of the measures of two partitions, each computed once, on demand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import comb

import numpy as np

from dendrometry.contingency import Contingency
from dendrometry.measures._shared.expected_information import entropies, expected_mutual_information
from dendrometry.measures._shared.expected_largest import expected_largest
from dendrometry.measures._shared.pair_counts import PairCounts, pair_counts
from dendrometry.tree_pair.relabelling import Cells, relabel

_MOST_ITEMS = 10_000  # of which the ways to fill a table are counted, in whole numbers of any length
_OF_SIZES = ("entropies", "expected_information", "expected_largest_a", "expected_largest_b")


@dataclass(frozen=True, eq=False)
class PartitionStatistics:
    """Counts and expectations of two partitions, each of at most ``max_clusters`` clusters, if given."""

    table: Contingency
    max_clusters: int | None = None

    def shuffle(self, rng: np.random.Generator) -> PartitionStatistics:
        """Return the statistics of the same partitions with the items of the second relabelled at random.

        What follows from the sizes of the clusters alone is taken over, if it was computed.
        """
        shuffled = PartitionStatistics(shuffle_table(self.table, rng), self.max_clusters)
        shuffled.__dict__.update({name: self.__dict__[name] for name in _OF_SIZES if name in self.__dict__})
        return shuffled

    def shuffles(self, most: int) -> list[tuple[float, PartitionStatistics]] | None:
        """Return all that a relabelling can give, with their chances; None if there are more than ``most``."""
        if self.table.n_items > _MOST_ITEMS or self.table.n_a * self.table.n_b > most * 2:
            return None
        filled = list(islice(_fillings(self.table.sizes_a.tolist(), self.table.sizes_b.tolist()), most + 1))
        if len(filled) > most:
            return None
        total = sum(ways for ways, _ in filled)
        return [
            (ways / total, PartitionStatistics(_table_like(self.table, cells), self.max_clusters))
            for ways, cells in filled
        ]

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
        shared = self.expected_information
        return None if shared is None else sum(self.entropies) - 2.0 * shared

    @cached_property
    def expected_largest_a(self) -> float | None:
        """The mean sum over the clusters of a of their largest overlap with one of b; None if it takes too long."""
        return expected_largest(self.table.sizes_b, self.table.sizes_a, self.table.n_items)

    @cached_property
    def expected_largest_b(self) -> float | None:
        """The mean sum over the clusters of b of their largest overlap with one of a; None if it takes too long."""
        return expected_largest(self.table.sizes_a, self.table.sizes_b, self.table.n_items)


def shuffle_table(table: Contingency, rng: np.random.Generator) -> Contingency:
    """Return the table after a random relabelling of the items of the second partition."""
    cells = relabel(Cells(table.row, table.column, table.count), table.sizes_a, table.sizes_b, rng)
    return Contingency(*cells, table.label_a, table.label_b)


def _table_like(table: Contingency, rows: list[list[int]]) -> Contingency:
    """Return the table with the labels of another and the given counts."""
    dense = np.array(rows)
    row, column = np.nonzero(dense)
    return Contingency(row, column, dense[row, column], table.label_a, table.label_b)


def _fillings(rows: list[int], left: list[int]) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield each table of given sums of rows and of columns, after the number of ways to deal the items so."""
    if not rows:
        yield 1, []
        return
    for ways, first in _deals(rows[0], left):
        rest = [size - taken for size, taken in zip(left, first, strict=True)]
        for more, others in _fillings(rows[1:], rest):
            yield ways * more, [first, *others]


def _deals(n: int, left: list[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield each way to take n items from columns with so many left, after the number of choices it stands for."""
    if not left:
        yield 1, []
        return
    for taken in range(max(0, n - sum(left[1:])), min(n, left[0]) + 1):
        for ways, others in _deals(n - taken, left[1:]):
            yield comb(left[0], taken) * ways, [taken, *others]
