"""Which items may share a cluster, and how much a cluster must hold: what users give, checked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import real_array
from dendrometry._check.names import alignment, is_numbered, names_within
from dendrometry._check.numbers import real_number
from dendrometry._check.points import is_sparse
from dendrometry._check.sparse import sound_csr
from dendrometry._display import printable
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.approximate.edges import Edges
from dendrometry.errors import Argument, InvalidInputError


class Constraint(NamedTuple):
    """Which items are adjacent, the connected part of each, and what each counts towards the least size of a cluster.

    ``least`` is inf if clusters may be of any size; ``total`` is then not used.
    """

    edges: Edges
    part: IntArray
    total: FloatArray
    least: float

    @property
    def n_parts(self) -> int:
        """The number of connected parts."""
        return int(self.part.max()) + 1


def constraint_of(connectivity: Any, min_size: Any, item_size: Any, data: Any, names: tuple[str, ...]) -> Constraint:
    """Return the constraint that users describe, refusing parts that are smaller than ``min_size``."""
    from scipy.sparse.csgraph import connected_components

    n = len(names)
    graph = _grid(connectivity, n) if isinstance(connectivity, tuple) else _graph(connectivity, n)
    edges = Edges(graph.indptr.astype(np.int64), graph.indices.astype(np.int32), None)
    n_parts, part = connected_components(graph, directed=False)
    total = _item_sizes(item_size, data, n)
    if min_size is None:
        if item_size is not None:
            raise InvalidInputError(Argument("min_size"), " must be given for ", Argument("item_size"), "; got None")
        return Constraint(edges, part.astype(np.int64), total, np.inf)
    least = real_number(min_size, "min_size", least=0.0)
    held = np.bincount(part, weights=total, minlength=n_parts)
    if held.min() < least:
        at = int(np.argmin(held))
        which = "all items are connected, and hold"
        if n_parts > 1:
            which = f"that of '{printable(names[int(np.argmax(part == at))])}', one of {n_parts:,}, holds"
        raise InvalidInputError(f"a connected part must hold at least {least:g}; {which} {held[at]:g}")
    return Constraint(edges, part.astype(np.int64), total, least)


def with_names(data: Any, names: tuple[str, ...], other: Any) -> Any:
    """Return points, or the names that were given for them if they have none themselves and the other side has."""
    if names_within(data) is not None or names_within(other) is None or is_numbered(names):
        return data
    return dict.fromkeys(names)


def in_order(connectivity: Any, data: Any) -> Any:
    """Return a frame as an array, its columns in the order of its rows and both in that of ``data``, by name.

    What is no frame, or not square, is returned as it is.
    """
    shape: tuple[int, ...] = getattr(connectivity, "shape", ())
    if not hasattr(connectivity, "iloc") or len(shape) != 2 or shape[0] != shape[1]:
        return connectivity
    rows = alignment(data, connectivity, "the points and connectivity")
    columns = _columns_in_order(connectivity)
    array = np.asarray(connectivity)
    array = array if columns is None else array[:, columns]
    return array if rows is None else array[rows][:, rows]


def _item_sizes(item_size: Any, data: Any, n: int) -> FloatArray:
    """Return what each item counts, in the order of ``data``; 1 by default."""
    if item_size is None:
        return np.ones(n)
    values = real_array(item_size, "item_size", 1)
    order = alignment(data, item_size, "the points and item_size")
    if values.size != n:
        raise InvalidInputError(f"item_size must be one number for each of {n:,} items; got {values.size:,}")
    size: FloatArray = values.astype(np.float64)
    bad = ~np.isfinite(size) | (size < 0.0)
    if bad.any():
        at = int(np.argmax(bad))
        raise InvalidInputError(f"item_size must be finite and at least 0; got {size[at]} at position {at}")
    return size.copy() if order is None else size[order]


def _graph(connectivity: Any, n: int) -> Any:
    """Return an adjacency matrix as CSR; every value other than 0 is an edge."""
    from scipy.sparse import csr_array

    if callable(connectivity):
        raise InvalidInputError(
            Argument("connectivity"), " must be what the function returns for the points, a matrix; got the function"
        )
    if is_sparse(connectivity):
        graph = sound_csr(connectivity)
    else:
        _refuse_shape(connectivity, n)
        is_boolean = getattr(connectivity, "dtype", None) == np.bool_
        graph = csr_array(real_array(np.uint8(connectivity) if is_boolean else connectivity, "connectivity", 2))
    if graph.shape != (n, n):
        raise InvalidInputError(
            Argument("connectivity"),
            f" must be a matrix of {n:,} × {n:,}, or the shape of a grid as a tuple; got shape {graph.shape}",
        )
    if np.isnan(graph.data).any():
        raise InvalidInputError(Argument("connectivity"), " must be numbers, 0 where items are not adjacent; got nan")
    graph.eliminate_zeros()
    return graph


def _refuse_shape(connectivity: Any, n: int) -> None:
    """Refuse a number, and numbers in a list, which are the shape of a grid if they are a tuple."""
    numbers = connectivity.tolist() if isinstance(connectivity, np.ndarray) else connectivity
    shape = tuple(numbers) if isinstance(numbers, list) else (numbers,)
    if shape and all(isinstance(length, int | np.integer) for length in shape):
        fits = int(np.prod(shape, dtype=object)) == n
        raise InvalidInputError(
            Argument("connectivity"),
            f" must be a matrix of {n:,} × {n:,}, or the shape of a grid as a tuple; got {printable(connectivity)}",
            *([f", did you mean the tuple {shape}?"] if fits else []),
        )


def _columns_in_order(frame: Any) -> IntArray | None:
    """Return the column of each row of a frame with names of both, by name; None if they are in one order."""
    if names_within(frame) is None or is_numbered(tuple(map(str, frame.columns))):
        return None
    return alignment(frame, frame.T, "the rows and the columns of connectivity")


def _grid(shape: tuple[Any, ...], n: int) -> Any:
    """Return the adjacency of the cells of a grid, in row-major order: (n,) is a sequence, (rows, columns) an image."""
    from scipy.sparse import csr_array

    whole = all(isinstance(length, int | np.integer) and length > 0 for length in shape)
    if not shape or not whole or int(np.prod([int(length) for length in shape], dtype=object)) != n:
        raise InvalidInputError(
            Argument("connectivity"),
            f" as a tuple must be the shape of a grid of {n:,} cells; got {printable(shape)}",
        )
    cell = np.arange(n, dtype=np.int32).reshape(shape)
    low, high = [], []
    for axis, length in enumerate(shape):
        low.append(cell.take(range(length - 1), axis=axis).ravel())
        high.append(cell.take(range(1, length), axis=axis).ravel())
    first, second = np.concatenate(low), np.concatenate(high)
    return csr_array((np.ones(first.size, dtype=np.int8), (first, second)), shape=(n, n))
