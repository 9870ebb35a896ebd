"""Kernels whose work is little: interpreted, with the results of compiled code, until there was much of it."""

import os
import subprocess
import sys
import threading
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from dendrometry import _interrupt
from dendrometry._kernels import _jit
from dendrometry._kernels._builtins import (
    FUSED_BYTES,
    FUSED_ROWS,
    fill_fused_products,
    fill_fused_squares,
    fill_product,
    prefetch,
)
from dendrometry._kernels._jit import njit
from dendrometry._progress import on_compiling

pytestmark = pytest.mark.compiled

SMALL, LARGE = np.arange(10.0), np.arange(2.0**14)


class Both(NamedTuple):
    values: np.ndarray
    pair: tuple[int, float]


def fresh(function):
    """Return a kernel of its own, never called."""
    return njit(function)


def double(values):
    return values * 2.0


inner = njit(double)


def twice(values):
    return Both(inner(inner(values)), (values.size, values[1]))


def reckless(x, y):
    return x[0] * x[0], x[1] + x[1], y[0] / y[1], y[1] / y[1]


@pytest.fixture(autouse=True)
def as_users_have_it(monkeypatch):
    """Interpret little work, as nothing had been interpreted before."""
    monkeypatch.setattr(_jit, "_little", 2**12)
    monkeypatch.setattr(_jit, "_interpreted", 0)


def test_little_work_is_interpreted_and_much_is_compiled():
    kernel = fresh(double)
    kernel(SMALL)
    assert kernel._compiled is None
    kernel(LARGE)
    assert kernel._compiled.has_code()


def test_all_is_compiled_on_request():
    kernel = fresh(double)
    with _jit.always_compiling():
        kernel(SMALL)
    assert kernel._compiled.has_code()


def test_little_work_is_compiled_once_much_of_it_was_interpreted(monkeypatch):
    kernel = fresh(double)
    monkeypatch.setattr(_jit, "_MOST", 2 * SMALL.size)
    for _ in range(2):
        kernel(SMALL)
    assert kernel._compiled is None
    assert kernel(SMALL).tolist() == double(SMALL).tolist()
    assert kernel._compiled.has_code()


def test_results_have_the_types_of_compiled_code():
    kernel = fresh(twice)
    found = kernel(SMALL)
    assert kernel._compiled is inner._compiled is None
    assert type(found) is Both
    assert (found.values == SMALL * 4).all()
    assert [type(value) for value in found.pair] == [int, float]


def test_overflow_and_division_by_zero_are_silent():
    whole, square = np.array([2**32, 2**62]), np.array([1.0, 0.0])
    assert fresh(reckless)(whole, square)[:3] == (0, -(2**63), np.inf)


def test_a_kernel_on_another_thread_is_dropped_if_loops_were_stopped():
    kernel = fresh(lambda values: _interrupt.stop_loops(lambda: None) or values)
    outcome = []

    def work():
        try:
            kernel(SMALL)
        except KeyboardInterrupt:
            outcome.append("interrupted")

    _interrupt._request_stop()
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        _interrupt._stop[0] = 0
    assert outcome == ["interrupted"]


def test_long_compiling_is_announced_once(monkeypatch, tmp_path):
    from dendrometry._kernels import _compiler, _stored

    said = []
    monkeypatch.setattr(_stored, "_places", lambda: [_stored.Place(tmp_path, ("some processor", ""))])
    monkeypatch.setattr(_compiler, "_compiling", _compiler._LONG)
    on_compiling(lambda: said.append("compiling"))
    with _jit.always_compiling():
        fresh(lambda values: values + 4.0)(SMALL)
        fresh(lambda values: values + 5.0)(SMALL)
    assert said == ["compiling"]


@pytest.mark.further
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (5, 7), (64, 48)])
def test_products_have_the_bits_of_compiled_ones(shape, dtype):
    random = np.random.default_rng(0)
    a, b = random.random((shape[0], 33)).astype(dtype), random.random((33, shape[1])).astype(dtype)
    plain, compiled = np.empty(shape, dtype=dtype), np.empty(shape, dtype=dtype)
    fill_product(a, b, plain)
    with _jit.always_compiling():
        product(a, b, compiled)
    assert plain.tobytes() == compiled.tobytes()
    assert plain == pytest.approx(a @ b, rel=1e-5)


@njit
def product(a, b, out):
    fill_product(a, b, out)


def fused_pairs(dtype, d, low):
    """Return points whose coordinates are of many magnitudes, from 2 ** low on, and numbers to take the roots of."""
    random, width = np.random.default_rng(d), 2 * FUSED_BYTES // np.dtype(dtype).itemsize
    a, b = (random.normal(size=(d, n)) * 2.0 ** random.integers(low, 1, (d, n)) for n in (3 * FUSED_ROWS, width))
    return a.astype(dtype), b.astype(dtype), np.arange(2.0 * FUSED_ROWS * width, dtype=dtype)


@pytest.mark.further
@pytest.mark.parametrize(("dtype", "low"), [(np.float32, -3), (np.float32, -70), (np.float64, -3), (np.float64, -530)])
@pytest.mark.parametrize("d", [1, 2, 33, 40])
def test_fused_products_have_the_bits_of_compiled_ones(d, dtype, low):
    a, b, roots = fused_pairs(dtype, d, low)
    plain, compiled = np.empty((2, 2 * FUSED_ROWS, b.shape[1]), dtype=dtype)
    plain_roots, compiled_roots = roots.copy(), roots.copy()
    fill_fused_products(a, FUSED_ROWS, b, plain, plain_roots)
    with _jit.always_compiling():
        fused_product(a, FUSED_ROWS, b, compiled, compiled_roots)
    assert plain.tobytes() == compiled.tobytes()
    assert plain_roots.tobytes() == compiled_roots.tobytes() == np.sqrt(roots).tobytes()
    assert plain == pytest.approx(a[:, FUSED_ROWS:].T @ b, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fused_squares_have_the_bits_of_products_and_lengths(dtype):
    a, b, roots = fused_pairs(dtype, 5, -3)
    own, across = ((points * points).sum(axis=0) for points in (a, b))
    plain, compiled, product = np.empty((3, 2 * FUSED_ROWS, b.shape[1]), dtype=dtype)
    least = fill_fused_squares(a, FUSED_ROWS, b, plain, roots[:0], own, across)
    fill_fused_products(a, FUSED_ROWS, b, product, roots[:0])
    assert plain.tobytes() == ((own[FUSED_ROWS:, None] + across) - 2 * product).tobytes()
    compiled_roots = roots.copy()
    with _jit.always_compiling():
        assert fused_squares(a, FUSED_ROWS, b, compiled, compiled_roots, own, across) == least == plain.min()
    assert plain.tobytes() == compiled.tobytes()
    assert compiled_roots.tobytes() == np.sqrt(roots).tobytes()


@pytest.mark.parametrize(
    ("dtype", "low"), [(np.float32, -20), (np.float32, -70), (np.float64, -50), (np.float64, -530)]
)
def test_fused_products_are_rounded_once_for_each_coordinate(dtype, low):
    a, b, roots = fused_pairs(dtype, 3, low)
    out = np.empty((FUSED_ROWS, b.shape[1]), dtype=dtype)
    fill_fused_products(a, 0, b, out, roots[:0])
    for r, j in np.ndindex(*out.shape):
        total = Fraction(0)
        for x, y in zip(a[:, r].tolist(), b[:, j].tolist(), strict=True):
            total = Fraction(rounded(Fraction(x) * Fraction(y) + total, dtype))
        assert out[r, j] == float(total)


def rounded(value, dtype):
    """Return the nearest number of a type, that with an even last bit of two as near."""
    near = dtype(float(value))
    choices = [np.nextafter(near, dtype(-np.inf)), near, np.nextafter(near, dtype(np.inf))]
    return float(min(choices, key=lambda x: (abs(Fraction(float(x)) - value), x.view(f"i{x.nbytes}") % 2)))


@njit
def fused_product(a, i, b, out, roots):
    fill_fused_products(a, i, b, out, roots)


@njit
def fused_squares(a, i, b, out, roots, own, across):
    return fill_fused_squares(a, i, b, out, roots, own, across)


@pytest.mark.parametrize(
    "call",
    [
        "dm.compare(a, b); dm.agglomerate([[0.0], [1.0], [3.0]], linkage='average')",
        "dm.report(dm.compare(a, b), 'page.html')",
        "dm.permutation_test(a, b)",
    ],
)
@pytest.mark.further
def test_small_trees_need_no_numba(call, tmp_path):
    code = (
        "import sys, dendrometry as dm; a, b = (dm.generate.random_tree(100, rng=seed) for seed in (0, 1))\n"
        f"{call}; print('numba' in sys.modules)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "compiled")}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True, cwd=tmp_path
    )
    assert run.stdout.strip() == "False"
    assert not (tmp_path / "compiled").exists()


def loaded_ahead(array, i):
    for k in range(i.size):
        prefetch(array, i[k])
    return array[i[0]].sum()


@pytest.mark.further
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_to_prefetch_changes_no_value_and_may_be_out_of_bounds(kind):
    kernel, array = fresh(loaded_ahead), np.arange(24.0).reshape(8, 3)[::2]
    far = np.array([1, -1, 4, -(2**20), 2**20], dtype=kind)
    before = array.copy()
    with _jit.always_compiling():
        assert kernel(array, far) == 3 * 7.0
    assert kernel.compiled.has_code()
    np.testing.assert_array_equal(array, before)
    assert kernel.py_func(array, far) == 3 * 7.0
