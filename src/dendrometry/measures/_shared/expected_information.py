"""The expected mutual information of two partitions over all relabellings of the items."""

from __future__ import annotations

import numpy as np

from dendrometry._exact import log_ratio, total
from dendrometry._kernels.measures import expected_information as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.contingency import Contingency

MOST_STEPS = 1_000_000_000  # of the expected mutual information, some five seconds
_NODES = 24  # of an interpolation between two powers of 2, whose error is below 6**-24 of the value
_SMALL = 4096  # sizes below are not interpolated


def expected_mutual_information(table: Contingency) -> float | None:
    """Return the mean mutual information over all relabellings, in nats; None if that would take too long.

    The overlap of clusters of sizes s and t is hypergeometric with mean u = st/n, and the sum of m log(m/u) over all
    overlaps m is that of m log(m/u) - m + u, which is never negative. Clusters of the same size are treated together.
    The same bits if the partitions are exchanged.
    """
    first, second = sorted((np.sort(table.sizes_a), np.sort(table.sizes_b)), key=np.ndarray.tobytes)
    if count_steps(first, second, table.n_items) > MOST_STEPS:
        return None
    size, times = np.unique(first, return_counts=True)
    return total(times * expected_shares(size, second, table.n_items)) / table.n_items


def count_steps(size: IntArray, sizes: IntArray, n_items: int) -> float:
    """Return about how many steps the expectation takes: the overlaps of every pair of sizes that are not too rare."""
    size, sizes = _computed(np.unique(size)), np.unique(sizes)
    if size.size * sizes.size > MOST_STEPS:
        return float(size.size) * sizes.size
    few, many = sorted((size.astype(np.float64), sizes.astype(np.float64)), key=np.size)
    steps = 0.0
    for s in few.tolist():
        mean = s * many / n_items
        around = np.minimum(22.0 * np.sqrt(mean) + 20.0, np.minimum(s, many))
        steps += float(np.where(mean < kernels.LARGE, around, 1.0)[mean > kernels.RARE].sum())
    return steps


def expected_shares(size: IntArray, sizes: IntArray, n_items: int) -> FloatArray:
    """Return, for a cluster of each ``size``, n times its mean share in the mutual information with random clusters.

    Its items are drawn at random from ``n_items`` items, of which clusters of these ``sizes`` consist. ``size``
    ascends. Where there are very many sizes, the shares of some are computed and those of the others interpolated: the
    share is a smooth function of the size.
    """
    computed = _computed(size)
    share = _computed_shares(computed, sizes, n_items)
    shares = np.empty(size.size)
    exact = np.isin(size, computed, assume_unique=True)
    shares[exact] = share[np.searchsorted(computed, size[exact])]
    for low, high in _crowded(size):
        node, others = _nodes(low, high), (size > low) & (size < high) & ~exact
        shares[others] = _interpolate(size[others], node, share[np.searchsorted(computed, node)])
    return shares


def _crowded(size: IntArray) -> list[tuple[int, int]]:
    """Return the ranges, each from a power of 2 to the next or to the last size, with many sizes to be interpolated."""
    last = int(size[-1])
    powers = [1 << k for k in range(_SMALL.bit_length() - 1, last.bit_length())]
    ranges = [(low, min(2 * low, last)) for low in powers if min(2 * low, last) - low >= _SMALL]
    return [(low, high) for low, high in ranges if ((size > low) & (size < high)).sum() > 2 * _NODES]


def _computed(size: IntArray) -> IntArray:
    """Return the sizes whose shares are computed: all, or in place of crowded ones the nodes of an interpolation."""
    crowded = _crowded(size)
    keep = np.ones(size.size, dtype=bool)
    for low, high in crowded:
        keep &= (size <= low) | (size >= high)
    return np.unique(np.concatenate([size[keep], *(_nodes(low, high) for low, high in crowded)]))


def _nodes(low: int, high: int) -> IntArray:
    """Return whole numbers of a range close to Chebyshev's nodes, its ends included."""
    angle = np.pi * np.arange(_NODES) / (_NODES - 1)
    nodes: IntArray = np.rint((low + high) / 2.0 - (high - low) / 2.0 * np.cos(angle)).astype(np.int64)
    return nodes


def _interpolate(size: IntArray, node: IntArray, value: FloatArray) -> FloatArray:
    """Return the polynomial through the values at all nodes, by the barycentric formula; no size is a node."""
    above, below = np.zeros(size.size), np.zeros(size.size)
    scale = float(node[-1] - node[0])
    for j in range(node.size):
        weight = 1.0 / np.prod(4.0 * (node[j] - np.delete(node, j)) / scale)
        near = weight / (size - node[j])
        above += near * value[j]
        below += near
    return above / below


def _computed_shares(size: IntArray, sizes: IntArray, n_items: int) -> FloatArray:
    """Return the shares of clusters of each size, computed one by one."""
    other, times = np.unique(sizes, return_counts=True)
    most = min(int(size.max()), int(other.max()), int(kernels.LARGE + 40.0 * kernels.LARGE**0.5))
    log = np.log(np.append(np.maximum(np.arange(most + 2), 1), n_items))
    ours = kernels.Sizes(np.array([0, size.size]), size, np.log(size), np.ones(size.size))
    theirs = kernels.Sizes(np.array([0, other.size]), other, np.log(other), times.astype(np.float64))
    return kernels.expected_sums(n_items, ours, theirs, log)


def entropies(table: Contingency) -> tuple[float, float]:
    """Return the entropies of the two partitions, in nats."""
    n = table.n_items
    of_a, of_b = (total(sizes * log_ratio(np.int64(n), sizes)) / n for sizes in (table.sizes_a, table.sizes_b))
    return of_a, of_b
