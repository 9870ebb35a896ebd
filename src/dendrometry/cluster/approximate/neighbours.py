"""Nearest neighbours of many points, by comparing blocks of points that are near each other.

k-means divides points into cells and these into smaller ones; blocks are what follows each other in that order. Every
block is compared with those whose middles are nearest, and then, in some rounds, with those to which most paths over
two neighbours lead: few where blocks hold the neighbours of their points, many where these lie scattered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels.cluster import cells as kernels
from dendrometry._kernels.cluster.all_pairs import Nearest
from dendrometry._kernels.cluster.cells import SIDE, Blocks, Pairs
from dendrometry._kernels.cluster.neighbours import Clusters
from dendrometry._progress import Advance
from dendrometry._threads import n_cores, run_in_threads, share_pairs, share_rows
from dendrometry._typing import IntArray
from dendrometry.cluster.cpu.neighbours import Form, clusters_in, new_lists, new_nearest, search_all, tiles_of

_EXHAUSTIVE = 30_000  # up to this number of points all pairs are compared
_CELLS = 128  # into which k-means divides points at once, at most
_LARGE = 4 * SIDE  # cells of more points are divided again,
_LEVELS = 4  # so many times at most
_NEAR = 20  # blocks with which each is compared at first,
_REACHED = 64  # and at most in each of some rounds after that
_ROUNDS = 4
_STEPS = 10  # nearest neighbours of a point to which paths lead
_BY_SQUARE = Form(by_size=False, alpha=1.0)


class Found(NamedTuple):
    """The nearest neighbours of each point, and an order that keeps near points together."""

    near: NDArray[np.int32]
    order: IntArray


def find_neighbours(points: NDArray[np.float32], n_neighbours: int, seed: int, advance: Advance) -> Found:
    """Find the nearest other points of each; it fills itself the places for which none was found.

    The number of threads changes nothing.
    """
    n = points.shape[0]
    order = _order_by_cells(points, np.random.default_rng(seed))
    blocks = _blocks_of(points[order])
    n_blocks = blocks.middle.shape[0]
    nearest = new_nearest(np.full(n, np.inf, dtype=np.float32), min(n_neighbours, n - 1))
    share_rows(lambda some: kernels.compare_inside(some, blocks, nearest), np.arange(n_blocks), 2)
    n_rounds = 0 if n <= _EXHAUSTIVE else _ROUNDS
    known = _nearest_blocks(blocks) if n_rounds else _all_pairs(n_blocks)
    _compare(known, blocks, nearest)
    for _ in range(n_rounds):
        advance(n // (n_rounds + 1))
        new = _reached(known, _found_in(nearest._replace(key=nearest.key[:, :_STEPS])), n_blocks)
        _compare(new, blocks, nearest)
        known = np.concatenate([known, new])
    advance(n - n // (n_rounds + 1) * n_rounds)
    found = _found_in(nearest)
    near = np.empty_like(found)
    near[order] = order[np.where(found < 0, np.arange(n, dtype=np.int32)[:, None], found)]
    return Found(near, order)


def search_bytes(n: int, d: int, n_neighbours: int) -> int:
    """Return the bytes that a search for neighbours needs, the points in single precision included."""
    return n * (16 * d + 40 * n_neighbours) + (1 << 28)


def _found_in(nearest: Nearest) -> NDArray[np.int32]:
    """Return the points near each, from the nearest on, and -1 after them; keys count from the point itself on."""
    n = nearest.last.size
    ahead = clusters_in(nearest)
    return np.where(ahead < 0, ahead, (ahead + np.arange(n)[:, None]) % n).astype(np.int32)


def _order_by_cells(points: NDArray[np.float32], rng: np.random.Generator) -> IntArray:
    """Return the points cell by cell, by k-means in cells of k-means, until cells are few blocks large."""
    cells = [np.arange(points.shape[0])]
    for _ in range(_LEVELS):
        large = [cell for cell in cells if cell.size > _LARGE]
        begun = ((points, cell, *_beginning(cell, rng)) for cell in large)
        parts = run_in_threads(lambda job: kernels.split_cell(*job), list(begun), n_cores())
        split = iter([np.split(items, np.cumsum(size)[:-1]) for items, size in parts])
        cells = [part for cell in cells for part in (next(split) if cell.size > _LARGE else [cell]) if part.size]
    return np.concatenate(cells)


def _beginning(cell: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return a sample of a cell, on which k-means improves centres, and the points at which these begin."""
    n_blocks = -(-cell.size // SIDE)
    k = n_blocks if n_blocks <= _CELLS else min(_CELLS, int(np.ceil(np.sqrt(n_blocks))))
    sample = cell
    if cell.size > SIDE * k:
        sample = cell[np.sort(rng.choice(cell.size, SIDE * k, replace=False, shuffle=False))]
    return sample, rng.choice(sample, k, replace=False)


def _blocks_of(points: NDArray[np.float32]) -> Blocks:
    """Return points as blocks of those that follow each other, their middle where a few far points do not move it."""
    n = points.shape[0]
    tiles = tiles_of(points, SIDE).astype(np.float32, copy=False)
    middle = np.median(tiles, axis=2)
    middle[-1] = np.median(points[SIDE * (middle.shape[0] - 1) :], axis=0)
    return Blocks(tiles, middle, n)


def _all_pairs(n_blocks: int) -> IntArray:
    """Return all pairs of blocks; a pair is one number, the lower block times their number plus the other."""
    low, high = np.triu_indices(n_blocks, 1)
    pairs: IntArray = low * n_blocks + high
    return pairs


def _pairs_of(block: IntArray, other: IntArray, n_blocks: int) -> IntArray:
    """Return pairs of blocks once each, in order."""
    apart = block != other
    block, other = block[apart], other[apart]
    return np.unique(np.minimum(block, other) * n_blocks + np.maximum(block, other))


def _nearest_blocks(blocks: Blocks) -> IntArray:
    """Return the pairs of which one is among the blocks nearest to the other, or follows it."""
    n = blocks.middle.shape[0]
    lists, number = new_lists(n, min(_NEAR, n - 1)), np.arange(n)
    search_all(number, Clusters(blocks.middle.astype(np.float64), np.ones(n), np.zeros(n), number), lists, _BY_SQUARE)
    block, at = np.nonzero(lists.near >= 0)
    near = lists.near[block, at].astype(np.int64)
    return _pairs_of(np.append(block, number[:-1]), np.append(near, number[1:]), n)


def _reached(known: IntArray, near: NDArray[np.int32], n_blocks: int) -> IntArray:
    """Return the pairs, of those not known, that most paths from one to the other connect."""
    reached = np.empty((n_blocks, _REACHED), dtype=np.int32)
    low, high = np.divmod(known, n_blocks)
    both = _as_lists(np.concatenate([low, high]), np.concatenate([high, low]), n_blocks)
    share_rows(lambda some: kernels.reach_blocks(some, near, both, reached), np.arange(n_blocks))
    block, at = np.nonzero(reached >= 0)
    return _pairs_of(block, reached[block, at].astype(np.int64), n_blocks)


def _as_lists(block: IntArray, other: IntArray, n_blocks: int) -> Pairs:
    """Return pairs of blocks as those of each."""
    start = np.append(0, np.cumsum(np.bincount(block, minlength=n_blocks)))
    return Pairs(start, other[np.argsort(block, kind="stable")])


def _compare(pairs: IntArray, blocks: Blocks, nearest: Nearest) -> None:
    """Put all pairs of points in some pairs of blocks into the lists of both."""
    n_blocks = blocks.middle.shape[0]
    lists = _as_lists(*np.divmod(pairs, n_blocks), n_blocks)
    share_pairs(lambda rows, columns: kernels.compare_across(lists, blocks, nearest, rows, columns), n_blocks, 1)
