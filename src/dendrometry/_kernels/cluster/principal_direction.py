"""Products with centred rows, which are never formed, and the bases that these products span."""

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.rows import Rows
from dendrometry._typing import FloatArray


@njit
def fill_projection(rows: Rows, mean: FloatArray, direction: FloatArray, out: FloatArray) -> None:
    """Set ``out[i]`` to the product of row i, less the mean, with a direction. O(nnz + d).

    What a row holds is centred before it is multiplied, so that nothing cancels in dense points; equal rows get equal
    bits.
    """
    whole = 0.0
    for k in range(mean.size):
        whole += mean[k] * direction[k]
    for i in range(out.size):
        total = 0.0
        held = 0.0
        for at in range(rows.start[i], rows.start[i + 1]):
            k = rows.column[at]
            total += (rows.value[at] - mean[k]) * direction[k]
            held += mean[k] * direction[k]
        out[i] = total - (whole - held)


@njit
def apply_scatter(rows: Rows, mean: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the sum of the rows, less the mean, each times its weight: the transposed product. O(nnz + d)."""
    total = np.zeros(mean.size)
    held = np.zeros(mean.size)
    whole = 0.0
    for i in range(weight.size):
        w = weight[i]
        whole += w
        for at in range(rows.start[i], rows.start[i + 1]):
            k = rows.column[at]
            total[k] += w * (rows.value[at] - mean[k])
            held[k] += w
    for k in range(mean.size):
        total[k] -= mean[k] * (whole - held[k])
    return total


@njit
def orthogonalise(basis: FloatArray, n_vectors: int, vector: FloatArray) -> float:
    """Take from a vector its parts along the first vectors of a basis, twice, and return its length. O(n_vectors d)."""
    for _ in range(2):
        for j in range(n_vectors):
            part = 0.0
            for k in range(vector.size):
                part += basis[j, k] * vector[k]
            for k in range(vector.size):
                vector[k] -= part * basis[j, k]
    length = 0.0
    for k in range(vector.size):
        length += vector[k] * vector[k]
    return float(np.sqrt(length))
