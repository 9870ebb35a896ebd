"""What hand-written vectors bring: products of points by fused multiply-adds, beside the same loop and beside BLAS.

The loop is what numba makes of plain Python: each product is rounded before it is added, and sums go through memory.
BLAS is faster for products alone, but its bits depend on the processor, so that heights would, too; and it cannot take
the roots of other numbers meanwhile.
"""

from functools import partial

import numpy as np

from dendrometry._kernels._builtins import fill_fused_products, fill_product
from dendrometry._kernels._jit import always_compiling, njit
from timing import best_of

SIDE = 64  # points of a block, as the searches have


@njit
def fused(a, b, out, none, rounds):
    for _ in range(rounds):
        fill_fused_products(a, 0, b, out, none)


@njit
def loop(a, b, out, none, rounds):
    for _ in range(rounds):
        for r in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[r, j] = 0.0
            for k in range(a.shape[0]):
                for j in range(out.shape[1]):
                    out[r, j] += a[k, r] * b[k, j]


@njit
def blas(a, b, out, none, rounds):
    rows = a.T.copy()
    for _ in range(rounds):
        fill_product(rows, b, out)


def points(d, n, dtype):
    """Return two blocks of n points as columns, and room for their products."""
    random = np.random.default_rng(d)
    a, b = (random.normal(size=(d, n)).astype(dtype) for _ in range(2))
    return a, b, np.empty((n, n), dtype=dtype), np.empty(0, dtype=dtype)


def main():
    print(
        f"{'products of 64 x 64 points':<28} {'fused':>8} {'loop':>8} {'BLAS':>8}   microseconds for a million products"
    )
    for dtype in (np.float32, np.float64):
        for d in (8, 32, 100, 768):
            data, rounds = points(d, SIDE, dtype), 20_000 // d
            with always_compiling():
                times = [best_of(partial(call, *data, rounds), repeat=5).seconds for call in (fused, loop, blas)]
            each = [seconds / (rounds * SIDE * SIDE * d) * 1e12 for seconds in times]
            print(f"{np.dtype(dtype).name}, {d} columns".ljust(28), *(f"{value:8.0f}" for value in each))


if __name__ == "__main__":
    main()
