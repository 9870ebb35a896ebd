"""Functions for kernels that are one thing when interpreted and another, of the same meaning, when compiled."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

AHEAD = 24  # steps between a `prefetch` and the read: the time of one from memory, and fewer than caches hold
MANY = 2**14  # numbers: a near cache holds fewer, which are not worth a `prefetch`
FUSED_ROWS = 8  # points that are multiplied together at most,
FUSED_BYTES = 128  # with numbers of this many bytes at once
_SPLIT = 2.0**27 + 1.0  # halves the digits of a number
_TINY = 2.0**-900  # below it the error of a product may underflow


def stopped() -> bool:
    """Return whether the kernel should stop; long loops check it, and what they then return is discarded.

    Wherever they leave, what follows in the kernel must stay in bounds. Without compilation nothing needs to ask.
    """
    return False


def prefetch(array: NDArray[Any], i: int) -> None:
    """Begin to load ``array[i]``, a number or a row, that is read some steps later: memory takes as long as many steps.

    It changes no value and reads nothing, so that ``i`` may be out of bounds. Without compilation there is no need.
    """


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


def fill_fused_products(a: NDArray[Any], i: int, b: NDArray[Any], out: NDArray[Any], roots: NDArray[Any]) -> None:
    """Set ``out[r, j]`` to the product of the points ``a[:, i + r]`` and ``b[:, j]``; replace ``roots`` by their roots.

    Products are added up in the order of the coordinates by fused multiply-adds, each rounded once: the same bits
    everywhere. ``out`` has a multiple of FUSED_ROWS rows and the columns of b, which fill multiples of FUSED_BYTES;
    ``roots`` has as many numbers as ``out``, or none. All arrays are in C order. Roots are taken while the processor
    multiplies, which costs little more time than products alone.
    """
    total = np.zeros(out.shape, dtype=out.dtype)
    fused = _fused_single if out.dtype == np.float32 else _fused_double
    for k in range(a.shape[0]):
        total = fused(a[k, i : i + out.shape[0], None], b[k], total)
    out[:] = total
    roots[:] = np.sqrt(roots)


def fill_fused_squares(
    a: NDArray[Any],
    i: int,
    b: NDArray[Any],
    out: NDArray[Any],
    roots: NDArray[Any],
    own: NDArray[Any],
    across: NDArray[Any],
) -> float:
    """Set ``out[r, j]`` to a squared distance, for points as in `fill_fused_products`, and return the least of all.

    It is the sum of the squared lengths of both points, ``own[i + r]`` and ``across[j]``, less twice their product.
    """
    fill_fused_products(a, i, b, out, roots)
    out[:] = (own[i : i + out.shape[0], None] + across[: out.shape[1]]) - 2 * out
    least: float = out.min()
    return least


def _fused_single(x: NDArray[Any], y: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
    """Return x y + z in single precision, rounded once: the product is exact in double precision."""
    return _odd_sum(x.astype(np.float64) * y, z.astype(np.float64)).astype(np.float32)


def _fused_double(x: NDArray[Any], y: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
    """Return x y + z in double precision, rounded once; no number may be near the largest there are.

    S. Boldo and G. Melquiond, Emulation of FMA and correctly rounded sums, 2008, doi:10.1109/TC.2007.70819.
    """
    high = x * y
    (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
    low = x_low * y_low - (((high - x_high * y_high) - x_low * y_high) - x_high * y_low)
    middle, least = _exact_sum(z, low)
    first, rest = _exact_sum(high, middle)
    result: NDArray[Any] = first + _odd_sum(least, rest)
    for at in np.argwhere((np.abs(high) < _TINY) & (x != 0.0) & (y != 0.0)):
        r, j = at.tolist()
        result[r, j] = float(Fraction(float(x[r, 0])) * Fraction(float(y[j])) + Fraction(float(z[r, j])))
    return result


def _halves(x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return numbers of half as many digits whose sum is x."""
    high = _SPLIT * x - (_SPLIT * x - x)
    return high, x - high


def _exact_sum(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return x + y, rounded, and its rounding error."""
    total = x + y
    back = total - x
    return total, (x - (total - back)) + (y - back)


def _odd_sum(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Return x + y, of the two nearest numbers the one with an odd last bit: what is rounded again is rounded right."""
    total, error = _exact_sum(x, y)
    is_even = total.view(np.int64) % 2 == 0
    return np.where((error != 0.0) & is_even, np.nextafter(total, np.copysign(np.inf, error)), total)
