"""Interpreted and compiled kernels give the same bits and types, and change their arguments in the same way."""

import numpy as np
import pytest
from tests._kernels import calls

from dendrometry import _threads
from dendrometry._kernels import _jit
from dendrometry.cluster.cpu import square

pytestmark = pytest.mark.compiled


def copied(value):
    if isinstance(value, np.ndarray):
        copy = value.copy(order="K")
        copy.flags.writeable = value.flags.writeable
        return copy
    if isinstance(value, tuple):
        parts = map(copied, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def in_bits(value):
    """Return something equal for equal bits of equal type alone."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return type(value), *map(in_bits, value)
    return type(value), value.hex() if isinstance(value, float) else value


@pytest.fixture
def both_ways(monkeypatch):
    """Run every kernel twice, on one thread, and return the names of those that ran and of those that differed."""
    ran, differed = set(), set()

    def call(kernel, *args):
        again = copied(args)
        result = kernel._run_compiled(args)
        name = f"{kernel.__module__}.{kernel.__name__}"
        ran.add(name)
        if in_bits((kernel._interpret(again, 0), again)) != in_bits((result, args)):
            differed.add(name)
        return result

    monkeypatch.setattr(_jit._Kernel, "__call__", call)
    monkeypatch.setattr(_threads, "n_cores", lambda: 1)
    return ran, differed


@pytest.mark.parametrize(
    ("step", "least"),
    [(40, 5), pytest.param(8, 20, marks=pytest.mark.further), pytest.param(1, 85, marks=pytest.mark.slow)],
    ids=["a few calls", "every eighth call", "all calls"],
)
def test_interpreted_and_compiled_kernels_give_the_same_bits(step, least, both_ways, monkeypatch):
    monkeypatch.setattr(calls, "_FEW", 20)
    monkeypatch.setattr(calls, "_MANY", 70)
    monkeypatch.setattr(calls, "_LEAVES", 20)
    monkeypatch.setattr(square, "SMALL", 30)
    for call in calls.calls()[::step]:
        call()
    ran, differed = both_ways
    assert len(ran) > least
    assert not differed
