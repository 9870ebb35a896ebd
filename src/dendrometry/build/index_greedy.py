"""The greedy build of group average on sparse points: sums stay sparse, products come from an inverted index.

The similarity of two clusters needs only the product of their sums, and a sum meets only the clusters that share a term
with it. Short lists of near clusters answer most questions without a search. Sums are kept whole; where only their
largest weights are looked up, the choice of merges may differ, but heights are still those of the clusters merged.
"""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._kernels import index_greedy as kernels
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.index_greedy import Index, Pool, Scratch
from dendrometry.build.merges import Merges, MergeSequence, equal_merges, joined, new_merges, renumbered, rows_of
from dendrometry.build.progress import Advance
from dendrometry.build.threads import in_parallel

__all__ = ["index_bytes", "index_greedy"]

_WIDTH = 12  # near clusters kept for each


class _Start(NamedTuple):
    """The clusters to begin with, in ascending order of node number, as a sparse matrix of sums, and their lists."""

    sums: Any
    size: FloatArray
    square: FloatArray
    own: FloatArray
    node: IntArray
    near: Any
    distance: FloatArray
    reach: FloatArray


def index_bytes(n: int, entries: int, d: int) -> int:
    """Return the bytes that sparse points take while they are merged: sums, their index, a copy of both, lists."""
    return entries * 4 * 16 + n * (2 * 12 * _WIDTH + 300) + 100 * d


def index_greedy(
    points: Any, length: FloatArray, twins: dict[int, list[int]], n_terms: int | None, advance: Advance
) -> tuple[MergeSequence, float]:
    """Build the tree of sparse points; also return the share of squared lengths that was not looked up.

    ``length`` is the squared length of every point. Those in ``twins`` are equal and, being as similar as any can be,
    merge first, at height 0.
    """
    n, d = points.shape
    top = float(length.max())
    start, made = _without_twins(points, length, twins)
    advance(made.left.size)
    parts = [made]
    most = d if n_terms is None else n_terms
    total = lost = 0.0
    asked = False
    while start.size.size > 1:
        count = min(start.size.size - 1, max(256, start.size.size // 4))
        index, pool = _index_of(start.sums), _pool_of(start, count)
        if not asked:
            in_parallel(
                lambda slots: kernels.find_lists(slots, index, pool, top, most, _scratch(d, pool)),  # noqa: B023
                np.arange(start.size.size),
            )
            asked = True
        merges, scratch = new_merges(count), _scratch(d, pool)
        first = n + sum(part.left.size for part in parts)
        for done in range(0, count, 256):
            part = rows_of(merges, done, 256)
            options = (first + done, top, most)
            formed, left_out = kernels.merge_nearest(start.size.size + done, index, pool, part, options, scratch)
            total += formed
            lost += left_out
            advance(part.left.size)
        parts.append(merges)
        start = _left(start.sums, pool)
    left, right, height, tied = joined(parts)
    height = np.maximum(height, 0.0)
    if lost == 0.0:
        height = np.maximum.accumulate(height)  # group average is monotone: what falls is rounding
    return MergeSequence(left, right, height, int(tied.sum()), n - 1), float(lost / total) if lost else 0.0


def _without_twins(points: Any, length: FloatArray, twins: dict[int, list[int]]) -> tuple[_Start, Merges]:
    """Return the points to begin with, equal ones merged, and the merges of these."""
    n = points.shape[0]
    groups = [np.array(rows) for i, rows in twins.items() if i == rows[0]]
    made, last = equal_merges(groups, n)
    made, number = renumbered(n, made)
    made.tied[:-1] = True  # all at height 0: but for the last, another pair is always as near
    made.tied[-1:] = False
    group = np.arange(n)
    node = np.arange(n)
    for rows, v in zip(groups, last, strict=True):
        group[rows] = rows[0]
        node[rows[0]] = number[v]
    kept = np.unique(group)
    kept = kept[np.argsort(node[kept], kind="stable")]
    size = np.bincount(group, minlength=n)[kept].astype(np.float64)
    scaled = points[kept].copy()
    scaled.data *= np.repeat(size, np.diff(scaled.indptr))
    empty = np.full((kept.size, _WIDTH), -1, dtype=np.int32)
    start = _Start(
        scaled,
        size,
        size * size * length[kept],
        size * length[kept],
        node[kept],
        empty,
        np.full(empty.shape, np.inf),
        np.zeros(kept.size),
    )
    return start, made


def _index_of(sums: Any) -> Index:
    """Return sparse sums by cluster and by term."""
    terms = sums.tocsc()
    return Index(
        sums.indptr.astype(np.int64),
        sums.indices.astype(np.int32),
        sums.data,
        terms.indptr.astype(np.int64),
        terms.indices.astype(np.int32),
        terms.data,
    )


def _pool_of(start: _Start, room: int) -> Pool:
    """Return the clusters with room for some more."""
    n = start.size.size

    def column(values: Any, fill: float) -> Any:
        return np.concatenate([values, np.full((room, *values.shape[1:]), fill, dtype=values.dtype)])

    return Pool(
        column(start.size, 0.0),
        column(start.square, 0.0),
        column(start.own, 0.0),
        column(start.node, -1),
        column(np.arange(n), -1),
        np.full(n, -1),
        np.arange(n),
        np.arange(n + room) < n,
        column(start.near, -1),
        column(start.distance, np.inf),
        column(start.reach, 0.0),
    )


def _scratch(d: int, pool: Pool) -> Scratch:
    """Return room for questions."""
    return Scratch(np.zeros(d), np.zeros(d, dtype=bool), np.zeros(d, dtype=np.int64), np.zeros(pool.size.size))


def _left(sums: Any, pool: Pool) -> _Start:
    """Return the clusters that are left, renumbered, with their sums and lists."""
    from scipy import sparse

    alive = np.flatnonzero(pool.alive)
    slot = np.full(pool.size.size + 1, -1, dtype=np.int32)
    slot[alive] = np.arange(alive.size)
    chosen = (np.ones(pool.root.size), (slot[pool.root], np.arange(pool.root.size)))
    merged = (sparse.csr_matrix(chosen, shape=(alive.size, pool.root.size)) @ sums).tocsr()
    merged.sort_indices()
    near = slot[pool.near[alive]]
    distance = np.where(near < 0, np.inf, pool.distance[alive])
    order = np.argsort(near < 0, axis=1, kind="stable")  # what is gone moves to the end
    return _Start(
        merged,
        pool.size[alive],
        pool.square[alive],
        pool.own[alive],
        pool.node[alive],
        np.ascontiguousarray(np.take_along_axis(near, order, axis=1)),
        np.ascontiguousarray(np.take_along_axis(distance, order, axis=1)),
        pool.reach[alive],
    )
