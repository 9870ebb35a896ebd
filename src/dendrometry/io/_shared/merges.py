"""Merges of a tree in a table, by R's or SciPy's numbering: refused, since they look like columns of labels."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError, Remedy


def check_no_merges(columns: dict[str, list[Any]]) -> None:
    """Refuse a table whose rows are the merges of an hclust object or of a linkage matrix.

    In both, every item and every cluster but the last is merged once. In R, items are -1 to -n and clusters count from
    1; in SciPy, items are 0 to n - 1 and clusters count from n.
    """
    if not 2 <= len(columns) <= 5:
        return
    numbers = [_numbers(column) for column in columns.values()]
    found = [column for column in numbers if column is not None]
    n = len(next(iter(columns.values()))) + 1
    for first, second in pairwise(found):
        merged = np.sort(np.concatenate([first, second]))
        if np.array_equal(merged, np.append(np.arange(-n, 0), np.arange(1, n - 1))):
            raise InvalidInputError(
                "a table must have one row for each item; got the merges of an hclust, one row for each merge",
                Remedy("", ..., "takes its parts", "from_hclust"),
                Remedy("", ..., "in R, ape::write.tree(ape::as.phylo(h)) writes a Newick file"),
            )
        if len(found) > 3 and n > 2 and np.array_equal(merged, np.arange(2 * n - 2)):
            raise InvalidInputError(
                "a table must have one row for each item; got the merges of a linkage matrix, one row for each merge",
                Remedy("", ..., "takes it", "from_linkage"),
                Remedy("", ..., "numpy.save writes it to an .npy file"),
            )


def _numbers(column: list[Any]) -> FloatArray | None:
    """Return a column of numbers, or of their text, as an array; None if it holds anything else."""
    try:
        numbers: NDArray[Any] = np.array([float(value) for value in column])
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers
