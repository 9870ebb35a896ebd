"""The greedy algorithm of group average on sparse points: sums stay sparse, products use an inverted index.

The similarity of two clusters needs only the product of their sums, and this product is not zero only for clusters that
share a term. Every pair is stored with its younger cluster, in a short list of the nearest older ones: a new cluster,
which is near to many just because it is dense, changes no list but its own. When many lists are exhausted, all lists
and the index are rebuilt. Once there are few clusters, the products of all pairs are stored in a matrix of bounded
size, and the terms are no longer needed. The point of this change affects only how sums are rounded, and thereby the
choice among distances that are equal up to rounding.

If only the largest weights of sums are looked up, other clusters may be merged while the index is used; heights are
still those of the clusters merged.
"""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._kernels.cluster import index_greedy as kernels
from dendrometry._kernels.cluster.index_greedy import Index, Pool, Scratch
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._progress import Advance
from dendrometry._threads import balanced_order, n_cores, share_rows
from dendrometry._typing import FloatArray
from dendrometry.cluster.cpu.merges import (
    MergeSequence,
    equal_merges,
    first_of,
    join_merges,
    new_merges,
    renumber,
    rows_of,
)
from dendrometry.cluster.cpu.product_greedy import Sums, merge_products

_WIDTH = 32  # near clusters stored for each: enough for nearly all merges until lists are rebuilt
_ONE_IN = 8  # when one in this many clusters has been searched again, all lists are rebuilt, on all cores
_MATRIX = 8192  # up to this many clusters, the products of all pairs are stored, in 512 MiB


class _Start(NamedTuple):
    """The initial clusters, in ascending order of node number, and their sums as a sparse matrix."""

    sums: Any
    known: Sums


def index_bytes(n: int, entries: int, d: int) -> int:
    """Return the bytes that sparse points take while they are merged.

    These are sums, index and a copy of both, and a matrix; before that, lists and scratch space for each core.
    """
    before = 2 * 12 * _WIDTH * n + n_cores() * (17 * d + 20 * n) if n > _MATRIX else 0
    return entries * 4 * 16 + 400 * n + 50 * d + before + 8 * min(n, _MATRIX) ** 2


def index_greedy(
    points: Any, length: FloatArray, twins: dict[int, list[int]], n_terms: int | None, advance: Advance
) -> tuple[MergeSequence, float]:
    """Build the tree of sparse points; also return the share of squared lengths that was not looked up.

    ``length`` is the squared length of every point. The points in ``twins`` are equal, so they have the greatest
    possible similarity and merge first, at height 0.
    """
    n, d = points.shape
    top = float(length.max())
    start, made = _without_twins(points, length, twins)
    advance(made.left.size)
    parts = [made]
    most = d if n_terms is None else n_terms
    first = n + made.left.size
    total, lost = _mass_of(start.sums, most) if start.known.size.size > _MATRIX else (0.0, 0.0)
    while start.known.size.size > _MATRIX:
        start, merges, mass = _by_index(start, (first, top, most), advance)
        parts.append(merges)
        first += merges.left.size
        total, lost = total + mass[0], lost + mass[1]
    parts.append(merge_products(_matrix_of(start.sums), start.known, top, first, advance))
    left, right, height, tied = join_merges(parts)
    height = np.maximum(height, 0.0)
    if lost == 0.0:
        height = np.maximum.accumulate(height)  # group average is monotone: decreases are rounding errors
    return MergeSequence(left, right, height, int(tied.sum()), n - 1, first_of(tied)), float(
        lost / total
    ) if lost else 0.0


def _mass_of(sums: Any, most: int) -> tuple[float, float]:
    """Return the squared length of all sums, and that of the weights that are not looked up."""
    square = sums.data * sums.data
    return float(square.sum()), float(square[~kernels.keep_largest(sums.indptr, sums.data, most)].sum())


def _by_index(
    start: _Start, options: tuple[int, float, int], advance: Advance
) -> tuple[_Start, Merges, tuple[float, float]]:
    """Merge up to half of the clusters, while their lists last.

    ``options`` are the node number of the first merge, the similarity at height 0, and the weights to keep. Return the
    remaining clusters, the merges, the squared length of the sums formed, and that of the weights not looked up.
    """
    first, top, most = options
    n, sums = start.known.size.size, start.sums
    count = min(n - _MATRIX, max(256, n // 2))
    index = _index_of(sums, kernels.keep_largest(sums.indptr, sums.data, most))
    pool = _pool_of(start.known, count)
    share_rows(
        lambda slots: kernels.find_lists(slots, index, pool, top, most, _scratch(index, pool)), balanced_order(n)
    )
    merges, scratch = new_merges(count), _scratch(index, pool)
    total = lost = 0.0
    done = n_searched = 0
    while done < count and n_searched <= n // _ONE_IN:
        part = rows_of(merges, done, 256)
        formed, left_out, more = kernels.merge_nearest(n + done, index, pool, part, (first + done, top, most), scratch)
        total += formed
        lost += left_out
        done += part.left.size
        n_searched += more
        advance(part.left.size)
    return _left(sums, pool), rows_of(merges, 0, done), (total, lost)


def _without_twins(points: Any, length: FloatArray, twins: dict[int, list[int]]) -> tuple[_Start, Merges]:
    """Return the initial clusters, with equal points merged, and these merges."""
    n = points.shape[0]
    groups = [np.array(rows) for i, rows in twins.items() if i == rows[0]]
    made, last = equal_merges(groups, n)
    made, number = renumber(n, made)
    made.tied[:-1] = True  # all at height 0: except for the last, another pair is always as near
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
    return _Start(scaled, Sums(size, size * size * length[kept], size * length[kept], node[kept])), made


def _index_of(sums: Any, kept: Any) -> Index:
    """Return sparse sums by cluster, and their kept entries by term."""
    from scipy import sparse

    n_before = np.concatenate([[0], np.cumsum(kept)])
    terms = sparse.csr_matrix((sums.data[kept], sums.indices[kept], n_before[sums.indptr]), shape=sums.shape).tocsc()
    return Index(
        sums.indptr.astype(np.int64),
        sums.indices.astype(np.int32),
        sums.data,
        terms.indptr.astype(np.int64),
        terms.indices.astype(np.uint32),
        terms.data,
    )


def _pool_of(known: Sums, room: int) -> Pool:
    """Return the clusters, with space for ``room`` more."""
    n = known.size.size

    def column(values: Any, fill: float) -> Any:
        return np.concatenate([values, np.full(room, fill, dtype=values.dtype)])

    return Pool(
        column(known.size, 0.0),
        column(known.square, 0.0),
        column(known.own, 0.0),
        column(known.node, -1),
        column(np.arange(n), -1),
        np.full(n, -1),
        np.arange(n),
        np.arange(n + room) < n,
        np.full((n + room, _WIDTH), -1, dtype=np.int32),
        np.full((n + room, _WIDTH), np.inf),
        np.zeros(n + room),
        np.full(n + room, -1),
        np.full(n + room, np.inf),
        np.arange(n + room + 1),
    )


def _scratch(index: Index, pool: Pool) -> Scratch:
    """Return scratch space for searches."""
    d, n = index.term_start.size - 1, index.row_start.size - 1
    return Scratch(
        np.zeros(d), np.zeros(d, dtype=bool), np.zeros(d, dtype=np.int64), np.zeros(n), np.zeros(pool.size.size)
    )


def _left(sums: Any, pool: Pool) -> _Start:
    """Return the remaining clusters, renumbered, with their sums."""
    from scipy import sparse

    alive = np.flatnonzero(pool.alive)
    slot = np.full(pool.size.size, -1, dtype=np.int32)
    slot[alive] = np.arange(alive.size)
    chosen = (np.ones(pool.root.size), (slot[pool.root], np.arange(pool.root.size)))
    merged = (sparse.csr_matrix(chosen, shape=(alive.size, pool.root.size)) @ sums).tocsr()
    merged.sort_indices()
    return _Start(merged, Sums(pool.size[alive], pool.square[alive], pool.own[alive], pool.node[alive]))


def _matrix_of(sums: Any) -> FloatArray:
    """Return the products of sparse sums as a flat square matrix."""
    n = sums.shape[0]
    index = _index_of(sums, np.ones(sums.nnz, dtype=bool))
    matrix = np.zeros(n * n)
    share_rows(lambda rows: kernels.fill_matrix(rows, index, matrix), np.arange(n))
    return matrix
