"""Functions for kernels that are one thing when interpreted and another, of the same meaning, when compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LANES", "fill_product", "fill_row_products", "stopped"]

LANES = 8  # sums that are kept of one product, each of every eighth term


def stopped() -> bool:
    """Return whether a kernel shall leave: long loops look, and return whatever they have, which is dropped.

    Wherever they leave, what follows in the kernel must stay in bounds. Without compilation nothing needs to ask.
    """
    return False


def fill_product(a: NDArray[Any], b: NDArray[Any], out: NDArray[Any]) -> None:
    """Set ``out`` to the product of two matrices, all in C order.

    Compiled, this is ``np.dot(a, b, out)``, for which numba calls SciPy's BLAS. NumPy has a BLAS of its own, which may
    round otherwise; so the same routines of SciPy's are called here.
    """
    from scipy.linalg.blas import get_blas_funcs

    dot, gemv, gemm = get_blas_funcs(("dot", "gemv", "gemm"), (a, b))
    if out.shape == (1, 1):
        out[0, 0] = dot(a[0], b[:, 0])
    elif out.shape[1] == 1:
        out[:, 0] = gemv(1.0, a.T, b[:, 0], trans=1)
    elif out.shape[0] == 1:
        out[0] = gemv(1.0, b.T, a[0])
    else:
        out[:] = gemm(1.0, b.T, a.T).T


def fill_row_products(
    rows: NDArray[np.float32], some: NDArray[np.int64], point: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """Set ``out[j]`` to the product of row ``some[j]`` and a point, all in C order; their width is a multiple of LANES.

    Every lane is added up in the order of the columns, then halves of the lanes are added: the same bits everywhere.
    """
    chosen = rows[some]
    total = np.zeros((some.size, LANES), dtype=np.float32)
    for k in range(0, point.size, LANES):
        total += chosen[:, k : k + LANES] * point[k : k + LANES]
    while total.shape[1] > 1:
        half = total.shape[1] // 2
        total = total[:, :half] + total[:, half:]
    out[: some.size] = total[:, 0]
