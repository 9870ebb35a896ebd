"""Lineages: the concepts above each concept of a taxonomy, with depths and information content."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dendrometry._kernels import dag as dag_kernels
from dendrometry._kernels.concepts import ancestry as kernels
from dendrometry._kernels.concepts.pairs import Places, Worth
from dendrometry._memory import available, size_text
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.errors import InvalidInputError

_BYTES = 32  # of a pair of a concept and one above it, while both taxonomies are compared


class Lineages:
    """The concepts at or above each concept of a graph.

    Parameters
    ----------
    dag : Dag
        The graph.
    which : str
        The name of the taxonomy in messages.
    """

    def __init__(self, dag: Dag, which: str) -> None:
        self.dag, self.start, self.parent = dag, dag.parent_start.copy(), dag.parent.copy()
        most = available() // _BYTES
        count = dag_kernels.count_above(self.start, self.parent, np.arange(self.n), most)
        if count.sum() > most:
            raise InvalidInputError(
                f"{which} must have so few pairs of a concept and one above it that they fit in memory; it has more"
                f" than {most:,}, for {size_text(most * _BYTES)} (it is very deep: compare a part of it)"
            )
        self.above = kernels.list_at_or_above(self.start, self.parent, np.append(0, np.cumsum(count)))

    @property
    def n(self) -> int:
        """The number of concepts."""
        return self.start.size - 1

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return self.parent.size

    @property
    def n_pairs(self) -> int:
        """The number of pairs of a concept and one above it."""
        return self.above.concept.size - self.n

    @cached_property
    def owner(self) -> IntArray:
        """The concept whose row each entry of ``above`` is in."""
        return np.repeat(np.arange(self.n), np.diff(self.above.start))

    @cached_property
    def n_below(self) -> IntArray:
        """The number of concepts at or below each one."""
        return np.bincount(self.above.concept, minlength=self.n)

    @cached_property
    def content(self) -> FloatArray:
        """The information content: minus the logarithm of the share of the concepts at or below each one."""
        content: FloatArray = np.log(self.n) - np.log(self.n_below)
        return content

    @cached_property
    def worth(self) -> Worth:
        """Depth, 1 at the top, and information content, for kernels."""
        return Worth(1.0 + self.dag.depths.astype(np.float64), self.content)

    def n_within(self, kept: BoolArray) -> tuple[int, int]:
        """Return the number of edges, and of pairs of a concept and one above it, among kept concepts."""
        both = kept[self.owner] & kept[self.above.concept]
        edges = both & (self.above.distance == 1)
        return int(edges.sum()), int(both.sum()) - int(kept.sum())

    def nearest(self, kept: BoolArray) -> Places:
        """Return the nearest kept concepts above each concept, by ways through others; none above another."""
        entry = kernels.nearest_kept_above(self.start, self.parent, kept, self.above)
        counts = np.bincount(self.owner[entry], minlength=self.n)
        return Places(np.append(0, np.cumsum(counts)), self.above.concept[entry])

    def restricted(self, kept: IntArray) -> Places:
        """Return the kept concepts at or above each kept one, both by their position in ``kept``."""
        number = np.full(self.n, -1, dtype=np.int64)
        number[kept] = np.arange(kept.size)
        rows = gather(Places(self.above.start, number[self.above.concept]), kept)
        inside = rows.concept >= 0
        counts = np.bincount(np.repeat(np.arange(kept.size), np.diff(rows.start))[inside], minlength=kept.size)
        return Places(np.append(0, np.cumsum(counts)), rows.concept[inside])


def gather(rows: Places, wanted: IntArray) -> Places:
    """Return some rows, in a given order."""
    sizes = np.diff(rows.start)[wanted]
    start = np.append(0, np.cumsum(sizes))
    position = np.repeat(rows.start[wanted] - start[:-1], sizes) + np.arange(start[-1])
    return Places(start, rows.concept[position])
