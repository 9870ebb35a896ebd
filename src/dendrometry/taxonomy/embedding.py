"""Embeddings of concepts: rows of given arrays in the order of the terms, and one-to-one matches by their cosine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dendrometry._check.points import check_no_zero_vectors, finite_points, is_sparse, points_of
from dendrometry._display import quote_first
from dendrometry._typing import FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.errors import InvalidInputError

_MOST_ASSIGNED = 2_000  # concepts on a side that are matched so that the sum is greatest
_NEAREST = 16  # matches of a concept that are looked at, if there are more concepts
_CELLS = 2**22  # of a block of cosines


def unit_rows(embeddings: Any, dag: Dag, which: str) -> FloatArray:
    """Return one row of length 1 for each term: by the keys of a mapping or an index of pandas, else in their order."""
    if is_sparse(embeddings):
        raise InvalidInputError(f"{which} must be a dense array; got a sparse one (call .toarray())")
    if isinstance(embeddings, Mapping) and not hasattr(embeddings, "iloc"):
        rows = finite_points(points_of(_by_key(embeddings, dag, which)))
    elif hasattr(embeddings, "iloc") and not _is_numbered(embeddings.index):
        position = {term: at for at, term in enumerate(embeddings.index.tolist())}
        rows = finite_points(points_of(embeddings))[_known(position, dag, which)]
    else:
        rows = finite_points(points_of(embeddings))
    if rows.shape[0] != dag.n_terms:
        raise InvalidInputError(f"{which} must have one row for each of {dag.n_terms:,} terms; got {rows.shape[0]:,}")
    largest = np.abs(rows).max(axis=1)
    check_no_zero_vectors(largest, dag.terms)
    scaled = rows.astype(np.float64) / largest[:, None]
    unit: FloatArray = scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return unit


def one_to_one(first: FloatArray, second: FloatArray, threshold: float) -> tuple[IntArray, IntArray, FloatArray]:
    """Return pairs of rows with a cosine of at least the threshold, each row in at most one pair, and their cosines.

    Up to 2,000 rows on each side, the sum of what the cosines have above the threshold is as large as possible; of
    more, the most similar pair is taken first, then the next of those left, among the 16 nearest of each row.
    """
    if not first.size or not second.size:
        none = np.empty(0, dtype=np.int64)
        return none, none, np.empty(0)
    if max(first.shape[0], second.shape[0]) <= _MOST_ASSIGNED:
        from scipy.optimize import linear_sum_assignment  # slow to import, so only when needed

        cosine = _cosines(first, second)
        row, column = linear_sum_assignment(np.maximum(cosine - threshold, 0.0), maximize=True)
        good = cosine[row, column] >= threshold
        return row[good], column[good], cosine[row, column][good]
    return _greedy(*_candidates(first, second, threshold))


def _cosines(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the cosines of rows of length 1."""
    return np.clip(first @ second.T, -1.0, 1.0)


def blocks(first: FloatArray, second: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield the cosines of some rows with all others, and the number of the first of these rows."""
    step = max(1, _CELLS // second.shape[0])
    for low in range(0, first.shape[0], step):
        yield low, _cosines(first[low : low + step], second)


def _candidates(first: FloatArray, second: FloatArray, threshold: float) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the pairs of each first row with its nearest second rows, if the cosine is high enough."""
    rows, columns, values = [], [], []
    for low, cosine in blocks(first, second):
        k = min(_NEAREST, cosine.shape[1])
        nearest = np.argpartition(-cosine, k - 1, axis=1)[:, :k]
        of_nearest = np.take_along_axis(cosine, nearest, axis=1)
        at, place = np.nonzero(of_nearest >= threshold)
        rows.append(at + low)
        columns.append(nearest[at, place])
        values.append(of_nearest[at, place])
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)


def _greedy(row: IntArray, column: IntArray, value: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the pairs left if the most similar one is taken first, and rows and columns are used once."""
    used_rows, used_columns, kept = set[int](), set[int](), []
    for at in np.lexsort((column, row, -value)).tolist():
        if row[at] not in used_rows and column[at] not in used_columns:
            used_rows.add(int(row[at]))
            used_columns.add(int(column[at]))
            kept.append(at)
    order = np.array(sorted(kept, key=lambda at: int(row[at])), dtype=np.int64)
    return row[order], column[order], value[order]


def _by_key(embeddings: Mapping[Any, Any], dag: Dag, which: str) -> list[Any]:
    """Return the vectors of a mapping in the order of the terms."""
    keys = list(embeddings)
    position = _known({key: at for at, key in enumerate(keys)}, dag, which)
    return [embeddings[keys[at]] for at in position.tolist()]


def _known(position: dict[Any, int], dag: Dag, which: str) -> IntArray:
    """Return the position of each term, by its identifier or else its name; refuse to go on without one of them."""
    names = dag.names or dag.terms
    found = [position.get(term, position.get(name, -1)) for term, name in zip(dag.terms, names, strict=True)]
    missing = [term for term, at in zip(dag.terms, found, strict=True) if at < 0]
    if missing:
        raise InvalidInputError(f"{which} must have a row for each term; there is none for {quote_first(missing)}")
    return np.array(found, dtype=np.int64)


def _is_numbered(index: Any) -> bool:
    """Whether an index only numbers rows."""
    return index.dtype.kind in "iu"
