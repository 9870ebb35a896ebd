"""Distances from users, square or condensed, checked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import real_array
from dendrometry._check.names import alignment, item_names_of, names_within, positions_of
from dendrometry._display import quote_first
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError

_BLOCK = 256


def distances_of(D: Any) -> NDArray[Any]:
    """Return distances, square (2-D) or condensed (1-D), not copied; the values are not checked."""
    try:
        ndim = 2 if np.ndim(D) == 2 else 1
    except ValueError:
        ndim = 1  # rows of different lengths, which real_array refuses
    array = real_array(D, "distances", ndim)
    if array.size == 0 and ndim == 2:
        raise InvalidInputError(f"distances must be given for at least one item; got shape {array.shape}")
    if ndim == 1:
        _check_length(array.size)
    elif array.shape[0] != array.shape[1]:
        raise InvalidInputError(f"a matrix of distances must be square; got shape {array.shape}")
    return array


def distances_of_items(D: Any, items: tuple[str, ...]) -> tuple[NDArray[Any], IntArray]:
    """Return checked distances between the items of a tree, and the row of each item in them.

    The index of a square data frame names the items; rows without names are in the order of the tree.
    """
    distances = distances_of(D)
    check_columns(D)
    n = n_items_of(distances)
    if n != len(items):
        raise InvalidInputError(f"there must be distances between {len(items):,} items; got those of {n:,}")
    check_distances(distances)
    names = names_within(D) if distances.ndim == 2 else None
    return distances, np.arange(n) if names is None else positions_of(items, names, "the tree and the distances")


def reorder_distances(first: Any, D: Any, what: str) -> Any:
    """Return a table of distances in the order of the first data, if both have an index; other distances unchanged."""
    if not hasattr(D, "columns"):
        return D
    check_columns(D)
    order = alignment(first, D, what)
    return D if order is None else distances_of(D)[np.ix_(order, order)]


def check_distances(array: NDArray[Any]) -> None:
    """Refuse distances that are not finite or negative, and a matrix that is not symmetric."""
    ndim = array.ndim
    for start in range(0, array.shape[0], _BLOCK if ndim == 2 else 1 << 20):
        _check_values(array, start, _BLOCK if ndim == 2 else 1 << 20)
    if ndim == 2:
        _check_symmetric(array)


def check_columns(D: Any) -> None:
    """Refuse a data frame of distances whose columns are not named as its rows, in the same order."""
    if not hasattr(D, "columns") or not hasattr(D, "iloc"):
        return
    rows, columns = (item_names_of(names, "rows and columns of distances") for names in (D.index, D.columns))
    if names_within(D) is not None and rows != columns:
        raise ItemMismatchError(
            "the columns of a table of distances must be named as its rows, in the same order;"
            f" got {quote_first(columns)} and {quote_first(rows)}"
        )


def n_items_of(distances: NDArray[Any]) -> int:
    """Return the number of items of square or condensed distances."""
    return distances.shape[0] if distances.ndim == 2 else int((1 + np.sqrt(1 + 8 * distances.size)) / 2)


def _check_length(length: int) -> None:
    """Refuse a condensed length that is not n(n-1)/2."""
    n = int((1 + np.sqrt(1 + 8 * length)) / 2)
    if n * (n - 1) // 2 != length:
        raise InvalidInputError(
            f"the number of condensed distances must be n(n-1)/2; got {length:,},"
            f" between {n * (n - 1) // 2:,} (n = {n:,}) and {n * (n + 1) // 2:,} (n = {n + 1:,})"
        )


def _check_values(array: NDArray[Any], start: int, count: int) -> None:
    """Refuse values in some rows that are not finite or negative, naming the position."""
    part = array[start : start + count]
    with np.errstate(over="ignore", invalid="ignore"):
        values = part.astype(np.float64, copy=False)
    for bad, rule in ((~np.isfinite(values), "finite"), (part < 0, "at least 0")):
        if bad.any():
            place = np.unravel_index(int(np.argmax(bad)), part.shape)
            value = part[place]
            where = f"position {start + place[0]}"
            if array.ndim == 2:
                where = f"row {start + place[0]}, column {place[1]}"
            raise InvalidInputError(f"distances must be {rule}; got {value!s} at {where}")


def _check_symmetric(array: NDArray[Any]) -> None:
    """Refuse a matrix with distances other than 0 on its diagonal or with two distances for one pair."""
    diagonal = np.flatnonzero(np.diagonal(array))
    if diagonal.size:
        i = int(diagonal[0])
        raise InvalidInputError(f"the distance of an item from itself must be 0; got {array[i, i]} at row {i}")
    worst, place = 0.0, (0, 0)
    for i in range(0, array.shape[0], _BLOCK):
        rows = array[i : i + _BLOCK, i:].astype(np.float64)
        gap = np.abs(rows - array[i:, i : i + _BLOCK].T)
        if gap.max() > worst:
            at = np.unravel_index(int(np.argmax(gap)), gap.shape)
            worst, place = float(gap[at]), (i + int(at[0]), i + int(at[1]))
    if worst > 0.0:
        i, j = place
        raise InvalidInputError(
            f"a matrix of distances must be symmetric; its largest asymmetry is {worst:.6g},"
            f" {array[i, j]} at ({i}, {j}) but {array[j, i]} at ({j}, {i})"
            " (if this is a rounding error, average it with its transpose)"
        )
