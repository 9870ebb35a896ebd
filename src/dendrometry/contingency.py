"""Contingency: the sparse table of overlaps between two partitions of the same items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._check.arrays import Frozen, int_column, read_only, real_array
from dendrometry._check.choices import elements, one_of
from dendrometry._check.labels import Partition, encode_in_order, encode_labels, subset
from dendrometry._check.sparse import sound_csr
from dendrometry._check.weights import weight_column
from dendrometry._display import plural, printable
from dendrometry._exact import group_sums, log_ratio, total
from dendrometry._html import MOST_ROWS, preview
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError

Noise = Literal["label", "singletons", "drop"]
_MOST = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False, repr=False)
class Contingency(Frozen):
    """The number of common items for every pair of overlapping clusters of two partitions.

    Cell i states that ``count[i]`` items lie in cluster ``row[i]`` of the first partition and in cluster
    ``column[i]`` of the second. Only cells with items are stored, in ascending order of (row, column), so a table of
    100,000 x 100,000 clusters is unproblematic. Every measure of two partitions accepts a contingency table in place
    of two partitions, so that several measures share one count.

    Attributes
    ----------
    row, column : (n_cells,) array of int
        The clusters of each cell, numbered from 0 in ascending order of their labels.
    count : (n_cells,) array of int
        The number of items in each cell, at least 1; with weights, their sum.
    label_a, label_b : array
        The label of each cluster of the first and of the second partition; under ``noise="singletons"`` the clusters
        of the noise items share the label -1.
    code_a, code_b : (n_items,) array of int, or None
        The cluster of each item; None if the table was made from counts or with weights.
    left_out : int
        The number of items left out (0 unless ``noise="drop"``).
    kept : (n_items,) array of int, or None
        The positions, in the partitions, of the items in the table; None if no item was left out.

    Examples
    --------
    >>> from dendrometry import Contingency, adjusted_rand, rand
    >>> table = Contingency.of(["x", "x", "y", "y"], [1, 1, 1, 2])
    >>> table
    Contingency(4 items, 2 and 2 clusters, 3 overlaps)
    >>> list(zip(table.row.tolist(), table.column.tolist(), table.count.tolist()))
    [(0, 0, 2), (1, 0, 1), (1, 1, 1)]
    >>> rand(table), adjusted_rand(table)
    (0.5, 0.0)
    """

    row: IntArray
    column: IntArray
    count: IntArray
    label_a: NDArray[Any]
    label_b: NDArray[Any]
    code_a: IntArray | None = None
    code_b: IntArray | None = None
    left_out: int = 0
    kept: IntArray | None = None

    @classmethod
    def of(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        *,
        noise: Noise = "label",
        weights: ArrayLike | Mapping[Any, int] | None = None,
    ) -> Contingency:
        """Return the contingency table of two partitions of the same items.

        Partitions that both have an index (pandas) or keys (mappings) are matched by it, others by position.

        Parameters
        ----------
        a, b : (n_items,) array-like
            The label of each item: whole numbers, text, bytes or booleans, in an array, a list, the column of a data
            frame, or a mapping from item to label. The input is not changed.
        noise : {"label", "singletons", "drop"}
            The meaning of the label -1. With "label" it is a cluster like any other. With "singletons" each item
            with this label is a cluster of its own. With "drop" items that have this label in either partition are
            left out; ``left_out`` is their number and ``kept`` lists the others. The text "-1" is never noise.
        weights : (n_items,) array of int, or mapping from item to int, optional
            How many items each item stands for, at least 1, matched with the first partition as the second is. The
            table then has the counts without the items.

        Raises
        ------
        InvalidInputError
            If there are no items, a label is missing or not a whole number, labels are of more than one type, or
            weights are not one whole number of at least 1 for each item.
        ItemMismatchError
            If the partitions differ in length, or both have an index or keys and these differ.

        Notes
        -----
        O(n) time if integer labels lie close together and the product of the numbers of clusters is of the order
        of n; otherwise O(n log n) for a sort. Text labels are looked up in a dictionary, O(n) on average.
        """
        one_of(noise, "noise", get_args(Noise))
        first, second = encode_labels(a, "first"), encode_in_order(a, b, "second", "the partitions")
        if first.code.size != second.code.size:
            raise ItemMismatchError(
                "the partitions must hold one label for each of the same items;"
                f" got {first.code.size:,} and {second.code.size:,}"
            )
        n_items, kept = first.code.size, None
        weight = None if weights is None else weight_column(weights, a, n_items, "the partitions")
        if noise == "singletons":
            first, second = _with_singletons(first), _with_singletons(second)
        elif noise == "drop":
            kept = _not_noise(first, second)
            first, second = subset(first, kept), subset(second, kept)
            weight = None if weight is None else weight[kept]
        left_out = n_items - first.code.size
        if weight is not None:
            cells = _sum_cells(first.code, second.code, weight, second.label.size)
            return cls(*cells, first.label, second.label, left_out=left_out)
        cells = _count(first.code, second.code, first.label.size, second.label.size)
        return cls(*cells, first.label, second.label, first.code, second.code, left_out, kept if left_out else None)

    @classmethod
    def from_triples(cls, triples: Any) -> Contingency:
        """Return the contingency table of existing counts, for instance from a GROUP BY over two columns of labels.

        Parameters
        ----------
        triples : iterable of (label in a, label in b, number of items), or data frame of three columns
            The counts, in any order; those with the same labels are added.

        Raises
        ------
        InvalidInputError
            If a row is not a triple, a label is invalid (see `of`), a count is below 1, or the sum reaches 2**63.
        """
        rows = _triples(triples)
        first, second = encode_labels([t[0] for t in rows], "first"), encode_labels([t[1] for t in rows], "second")
        count = int_column([t[2] for t in rows], "the count of the triples")
        if (count < 1).any():
            at = int(np.argmax(count < 1))
            raise InvalidInputError(f"every count must be at least 1; got {count[at]} in row {at}")
        return cls(*_sum_cells(first.code, second.code, count, second.label.size), first.label, second.label)

    @classmethod
    def from_counts(cls, table: Any) -> Contingency:
        """Return the contingency table of a matrix of counts: clusters of a in rows, clusters of b in columns.

        Parameters
        ----------
        table : (n_a, n_b) array-like of int, sparse matrix, or data frame with an index
            The number of items in each pair of clusters. Rows and columns without items are left out; the others
            are labelled by their number, or by the index and the columns of the data frame.

        Raises
        ------
        InvalidInputError
            If the table does not have two dimensions, has no items, or a count is negative or not a whole number.
        """
        rows, columns, values = _entries(table)
        count = int_column(values, "the counts")
        if (count < 0).any():
            at = int(np.argmax(count < 0))
            raise InvalidInputError(
                f"counts must not be negative; got {count[at]} in row {rows[at]}, column {columns[at]}"
            )
        held = count > 0
        if not held.any():
            raise InvalidInputError("a table of counts must hold at least one item; got none")
        first, second = (
            encode_labels(numbers[held] if names is None else np.asarray(names)[numbers[held]], which)
            for numbers, names, which in zip((rows, columns), _names(table), ("first", "second"), strict=True)
        )
        return cls(*_sum_cells(first.code, second.code, count[held], second.label.size), first.label, second.label)

    @property
    def n_cells(self) -> int:
        """The number of pairs of clusters that overlap: the number of clusters in the meet of the partitions."""
        return self.count.size

    @property
    def n_a(self) -> int:
        """The number of clusters of the first partition."""
        return self.label_a.size

    @property
    def n_b(self) -> int:
        """The number of clusters of the second partition."""
        return self.label_b.size

    @cached_property
    def n_items(self) -> int:
        """The number of items."""
        return int(self.count.sum())

    @cached_property
    def sizes_a(self) -> IntArray:
        """The number of items in each cluster of the first partition."""
        return _sums(self.row, self.count, self.n_a)

    @cached_property
    def sizes_b(self) -> IntArray:
        """The number of items in each cluster of the second partition."""
        return _sums(self.column, self.count, self.n_b)

    @property
    def lost_terms(self) -> tuple[FloatArray, FloatArray]:
        """The summands of `lost`, m log(size / m) for each cell, at least 0."""
        return (
            self.count * log_ratio(self.sizes_a[self.row], self.count),
            self.count * log_ratio(self.sizes_b[self.column], self.count),
        )

    @cached_property
    def lost(self) -> tuple[float, float]:
        """The conditional entropies n H(b|a) and n H(a|b), in nats."""
        of_b, of_a = self.lost_terms
        return total(of_b), total(of_a)

    @property
    def is_identical(self) -> bool:
        """Whether both partitions have the same clusters, whatever their labels."""
        return self.n_cells == self.n_a == self.n_b

    @property
    def finer(self) -> int | None:
        """The partition, 0 or 1, of which each cluster lies inside one of the other; None if neither is, or both."""
        if self.is_identical or self.n_cells not in (self.n_a, self.n_b):
            return None
        return 0 if self.n_cells == self.n_a else 1

    @cached_property
    def item_cell(self) -> IntArray:
        """The cell of each item."""
        if self.code_a is None or self.code_b is None:
            raise InvalidInputError("the table must have been made from labels of items; it was made from counts")
        key = self.row * self.n_b + self.column
        cells: IntArray = read_only(np.searchsorted(key, self.code_a * self.n_b + self.code_b))
        return cells

    def _repr_html_(self) -> str:
        order = np.argsort(-self.count, kind="stable")[:MOST_ROWS]
        labels = ((self.label_a, self.row), (self.label_b, self.column))
        first, second = ([str(label[i]) for i in code[order].tolist()] for label, code in labels)
        columns = {"cluster of a": first, "cluster of b": second, "items": self.count[order].tolist()}
        return preview(repr(self), columns, self.n_cells)

    def __repr__(self) -> str:
        left_out = f", {self.left_out:,} left out" if self.left_out else ""
        clusters = f"{self.n_a:,} and {plural(self.n_b, 'cluster')}"
        return f"Contingency({plural(self.n_items, 'item')}, {clusters}, {plural(self.n_cells, 'overlap')}{left_out})"


def as_contingency(a: object, b: object = None) -> Contingency:
    """Return the table for the arguments of a measure: two partitions, or one table."""
    if isinstance(a, Contingency):
        if b is not None:
            raise InvalidInputError("a Contingency holds both partitions and must be the only argument; got two")
        return a
    if b is None:
        raise InvalidInputError("the arguments must be two partitions, or one Contingency; got a single partition")
    if isinstance(b, Contingency):
        raise InvalidInputError("a Contingency holds both partitions and must be the only argument; got two")
    return Contingency.of(a, b)  # type: ignore[arg-type]


def _triples(triples: Any) -> list[tuple[Any, ...]]:
    """Return triples, or the rows of a data frame, as a list of triples."""
    if hasattr(triples, "itertuples"):
        triples = triples.itertuples(index=False, name=None)
    elif callable(getattr(triples, "rows", None)):
        triples = triples.rows()
    if not isinstance(triples, Iterable) or hasattr(triples, "tocoo"):
        raise InvalidInputError(
            f"triples must be a sequence of (label in a, label in b, count); got {printable(triples)}"
        )
    rows = elements(triples, "triples")
    for i, triple in enumerate(rows):
        got = f"{len(triple)} values" if isinstance(triple, Sized) else printable(triple)
        if got != "3 values" or not isinstance(triple, Iterable):
            raise InvalidInputError(f"triples must be (label in a, label in b, count); got {got} in row {i}")
    return list(map(tuple, rows))


def _entries(table: Any) -> tuple[IntArray, IntArray, NDArray[Any]]:
    """Return the non-zero entries of a matrix of counts: row, column, count."""
    if hasattr(table, "tocoo"):
        if len(table.shape) != 2:
            raise InvalidInputError(f"a table of counts must have 2 dimensions; got shape {table.shape}")
        sparse = sound_csr(table).tocoo()
        return sparse.row, sparse.col, sparse.data
    dense = real_array(table, "a table of counts", 2)
    rows, columns = np.nonzero(dense)
    return rows, columns, dense[rows, columns]


def _names(table: Any) -> tuple[Any, Any]:
    """Return the labels of rows and columns if the table is a data frame with an index, else None."""
    framed = hasattr(table, "index") and hasattr(table, "columns")
    return (table.index, table.columns) if framed else (None, None)


def _count(code_a: IntArray, code_b: IntArray, n_a: int, n_b: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the cells that hold items as columns: row, column, count."""
    key = code_a * n_b
    key += code_b
    if n_a * n_b <= max(4 * key.size, 1 << 16):
        every = np.bincount(key, minlength=n_a * n_b)
        found = np.flatnonzero(every)
        count = every[found]
    else:
        found, count = np.unique(key, return_counts=True)
    row, column = np.divmod(found, n_b)
    return read_only(row), read_only(column), read_only(count)


def _sum_cells(code_a: IntArray, code_b: IntArray, count: IntArray, n_b: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return cells as distinct cells in ascending order, their counts added."""
    if sum(count.tolist()) > _MOST:
        raise InvalidInputError("the counts must add up to less than 2**63 items")
    found, cell = np.unique(code_a * n_b + code_b, return_inverse=True)
    row, column = np.divmod(found, n_b)
    return read_only(row), read_only(column), _sums(cell, count, found.size)


def _sums(group: IntArray, count: IntArray, n_groups: int) -> IntArray:
    """Return the sum of the counts of each group, as whole numbers."""
    sums: IntArray = read_only(group_sums(group, count, n_groups))
    return sums


def _noise_cluster(partition: Partition) -> int:
    """Return the cluster whose label is the number -1, or -1 if there is none."""
    found = np.flatnonzero(partition.label == -1)
    return int(found[0]) if found.size else -1


def _with_singletons(partition: Partition) -> Partition:
    """Return the partition with every noise item as a cluster of its own, after the others; all keep the label -1."""
    noise = _noise_cluster(partition)
    if noise < 0:
        return partition
    is_noise = partition.code == noise
    code = partition.code - (partition.code > noise)
    n_noise = int(is_noise.sum())
    code[is_noise] = partition.label.size - 1 + np.arange(n_noise)
    label = np.concatenate((np.delete(partition.label, noise), np.repeat(partition.label[noise], n_noise)))
    return Partition(read_only(code), read_only(label))


def _not_noise(first: Partition, second: Partition) -> IntArray:
    """Return the positions of the items that are not noise in either partition."""
    kept = np.flatnonzero((first.code != _noise_cluster(first)) & (second.code != _noise_cluster(second)))
    if kept.size == 0:
        raise InvalidInputError("some item must be noise in neither partition; every item is noise in one of them")
    positions: IntArray = read_only(kept)
    return positions
