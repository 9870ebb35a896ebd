"""The greedy algorithm of group average on a matrix of products of sums.

The similarity of two clusters needs only their sizes, the squared lengths of their sums, and the product of the sums.
The products of a union are the sums of those of its parts, so a merge adds two rows, for any number of terms.
"""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels.cluster import product_greedy as kernels
from dendrometry._kernels.cluster.matrix_greedy import compact
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._kernels.cluster.product_greedy import Products
from dendrometry._progress import Advance
from dendrometry._threads import share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.merges import join_merges, new_merges, rows_of


class Sums(NamedTuple):
    """Columns of clusters other than their sums: see `Products`."""

    size: FloatArray
    square: FloatArray
    own: FloatArray
    node: IntArray


def merge_products(matrix: FloatArray, sums: Sums, top: float, first: int, advance: Advance) -> Merges:
    """Merge clusters until one is left, given the products of their sums as a flat square matrix (overwritten).

    ``top`` is the similarity at height 0, and the first merge becomes node ``first``.
    """
    parts = [new_merges(0)]
    while sums.size.size > 1:
        n = sums.size.size
        count = n - 1 if n <= 512 else n // 3
        order = np.argsort(sums.node)
        number = np.empty(n, dtype=np.int64)
        number[order] = np.arange(n)
        products = Products(
            matrix[: n * n],
            sums.size.copy(),
            sums.square.copy(),
            sums.own.copy(),
            number,
            np.full(n, -1, dtype=np.int64),
            np.full(n, -1, dtype=np.int64),
            np.full(n, np.inf),
            np.zeros(n, dtype=bool),
            np.ones(n, dtype=bool),
            np.arange(n + count + 1),
        )
        share_rows(lambda slots: kernels.find_nearest(slots, products, top), np.arange(n), 512)  # noqa: B023
        merges = new_merges(count)
        for done in range(0, merges.left.size, 1024):
            part = rows_of(merges, done, 1024)
            kernels.merge_nearest(products, part, n + done, top)
            advance(part.left.size)
        node = np.concatenate([sums.node[order], first + np.arange(count)])
        parts.append(merges._replace(left=node[merges.left], right=node[merges.right]))
        first += count
        keep = np.flatnonzero(products.alive)
        compact(matrix, n, keep)
        sums = Sums(products.size[keep], products.square[keep], products.own[keep], node[products.number[keep]])
    return join_merges(parts)
