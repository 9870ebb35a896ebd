"""The greedy algorithm on a matrix of distances: any linkage, any metric.

The nearest cluster of every cluster is stored. The nearest pair of all is merged, its row and column are updated by the
formula of Lance and Williams, and a cluster whose nearest one was merged is searched again only when necessary. The
matrix is square, so that rows are read sequentially, and shrinks as clusters merge. O(n^2) memory, O(n^2) time in
practice. Of tied pairs, the one with the lowest ranks is merged; by default the ranks are the node numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.numbers import RandomSource, random_generator
from dendrometry._kernels.cluster import matrix_greedy as kernels
from dendrometry._kernels.cluster.lance_williams import UPDATES
from dendrometry._kernels.cluster.matrix_greedy import Table
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._progress import Advance
from dendrometry._threads import share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.merges import join_merges, new_merges, rows_of


def random_ranks(tie_rng: RandomSource, n: int) -> IntArray | None:
    """Return random ranks of the nodes of n items, or None if ties are not to be broken at random."""
    return None if tie_rng is None else random_generator(tie_rng).permutation(2 * n - 1)


def merge_matrix(
    matrix: NDArray[Any],
    size: FloatArray,
    node: IntArray,
    update: str,
    first: int,
    advance: Advance,
    ranks: IntArray | None = None,
    within: FloatArray | None = None,
) -> Merges:
    """Merge clusters until one is left, given their distances as a flat square matrix.

    The matrix (of squared distances for ward, centroid and median) is overwritten. ``node`` numbers the
    clusters, and the first merge becomes node ``first``. ``ranks`` of all nodes decide ties. ``within`` are the mean
    distances inside the clusters, 0 for items.
    """
    ranks = np.arange(first + size.size - 1) if ranks is None else ranks
    code = UPDATES.index(update)
    parts = [new_merges(0)]
    within = np.zeros(size.size) if within is None else within
    while size.size > 1:
        n = size.size
        table = Table(
            matrix[: n * n],
            size.copy(),
            within,
            node.copy(),
            ranks[node],
            np.full(n, -1, dtype=np.int64),
            np.full(n, np.inf),
            np.ones(n, dtype=bool),
        )
        share_rows(lambda slots: kernels.find_nearest(slots, table), np.arange(n), 512)  # noqa: B023
        merges = new_merges(n - 1 if n <= 512 else n // 3)
        for done in range(0, merges.left.size, 1024):
            part = rows_of(merges, done, 1024)
            kernels.merge_nearest(table, part, first + done, ranks[first + done :], code)
            advance(part.left.size)
        parts.append(merges)
        first += merges.left.size
        keep = np.flatnonzero(table.alive)
        kernels.compact(matrix, n, keep)
        size, within, node = table.size[keep], table.within[keep], table.node[keep]
    return join_merges(parts)
