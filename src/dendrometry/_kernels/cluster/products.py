"""Products of points, added up in the order of their columns: the same bits for dense and for sparse points.

Zeros add nothing, so a sum over all columns and one over the entries of a sparse row are rounded alike. Matrix products
of BLAS add up in an order that depends on the place of a row, so that equal products may differ in their last bits.
"""

from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.rows import Rows
from dendrometry._typing import FloatArray


@njit
def product(a: FloatArray, b: FloatArray) -> float:
    """Return the product of two points. O(d)."""
    total = 0.0
    for k in range(a.size):
        total += a[k] * b[k]
    return total


@njit
def fill_products(query: FloatArray, columns: FloatArray, out: FloatArray) -> None:
    """Set ``out[j]`` to the product of the query and the point ``columns[:, j]``. O(d) each, less for zeros."""
    for j in range(out.size):
        out[j] = 0.0
    for k in range(query.size):
        weight = query[k]
        if weight != 0.0:
            column = columns[k]
            for j in range(out.size):
                out[j] += weight * column[j]


@njit
def fill_sparse_products(rows: Rows, terms: Rows, start: int, out: FloatArray) -> None:
    """Set ``out[i]`` to the products of row ``start + i`` with all; ``terms`` holds them by column. O(postings)."""
    out[:] = 0.0
    for i in range(out.shape[0]):
        for at in range(rows.start[start + i], rows.start[start + i + 1]):
            t = rows.column[at]
            for p in range(terms.start[t], terms.start[t + 1]):
                out[i, terms.column[p]] += rows.value[at] * terms.value[p]
