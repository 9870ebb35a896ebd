"""The one door to numba: kernels compiled for the types of their arguments, and kept on disk."""

import os
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import lower_builtin, overload, type_callable

from dendrometry import _interrupt
from dendrometry._kernels import _fused  # noqa: F401  # says what two of the builtins compile to
from dendrometry._kernels._builtins import fill_product, prefetch, stopped
from dendrometry._kernels._stored import Stored, release_locks
from dendrometry._progress import announce_compiling

COMPILED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []  # what this process did not find on disk

_WORD = "dendrometry_stop"
_LONG = 1.0  # seconds of compiling, from which on it is announced

_compiling = 0.0  # seconds so far

if hasattr(os, "register_at_fork"):  # as for the lock of _jit, which is taken after this one
    _LOCK: Any = global_compiler_lock
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)

# Compiled code names the word and is linked when it is loaded; an address would be another one in the next process.
binding.add_symbol(_WORD, _interrupt.address())


@type_callable(stopped)
def _type_stopped(_context: Any) -> Callable[[], Any]:
    """Return the type of what `stopped` returns."""
    return lambda: numba.types.boolean


@lower_builtin(stopped)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_stopped(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
    """Read the word, anew each time: an atomic load stays inside its loop."""
    word = builder.module.globals.get(_WORD) or ir.GlobalVariable(builder.module, ir.IntType(64), _WORD)
    return builder.icmp_signed("!=", builder.load_atomic(word, "monotonic", 8), ir.Constant(ir.IntType(64), 0))


@type_callable(prefetch)
def _type_prefetch(_context: Any) -> Callable[..., Any]:
    """Return the type of what `prefetch` returns."""
    return lambda array, i: numba.types.none


@lower_builtin(prefetch, numba.types.Array, numba.types.Integer)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Name the address to the processor, which loads it or does nothing: to be read, and to be kept for long."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    at = builder.mul(
        builder.extract_value(array.strides, 0),
        context.cast(builder, arguments[1], signature.args[1], numba.types.intp),
    )
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    form = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
    load = builder.module.declare_intrinsic("llvm.prefetch", (byte,), form)
    builder.call(load, [builder.gep(builder.bitcast(array.data, byte), [at]), word(0), word(3), word(1)])
    return context.get_dummy_value()


@overload(fill_product)
def _fill_product(a: Any, b: Any, out: Any) -> Callable[..., Any]:
    """Return what `fill_product` is when compiled."""

    def product(a: Any, b: Any, out: Any) -> Any:
        return np.dot(a, b, out)

    return product


class _NotCompiledError(Exception):
    """A kernel has no code yet for the types of its arguments."""


class Compiled:
    """The compiled form of a kernel.

    Parameters
    ----------
    function : callable
        The kernel.
    fingerprint : list of str
        What its code depends on: code on disk is of no use after any of it has changed.

    Attributes
    ----------
    call : callable
        The function; it raises the error ``missing`` where there is no code yet for the types of its arguments.
    """

    missing = _NotCompiledError

    def __init__(self, function: Callable[..., Any], fingerprint: list[str]) -> None:
        call: Any = numba.njit(nogil=True)(function)
        self.call = call
        self._compile = self.call._compile_for_args
        self.call._compile_for_args = _refuse_to_compile
        self.call._cache = Stored(function, fingerprint)

    def has_code(self) -> bool:
        """Return whether there is code for some types."""
        return bool(self.call.overloads)

    def compile(self, *args: Any) -> None:
        """Load or make code for the types of the arguments, which takes seconds; an interrupt may come meanwhile."""
        self._make(self._compile, *args)

    def compile_types(self, types: tuple[Any, ...]) -> None:
        """Load or make code for some types of numba."""
        self._make(self.call.compile, types)

    def _make(self, compile_: Callable[..., Any], *args: Any) -> None:
        global _compiling
        start, n_made = time.monotonic(), sum(self.call.stats.cache_misses.values())
        try:
            with event.install_listener("numba:run_pass", _Step(start + _LONG - _compiling)):
                compile_(*args)
        finally:
            _compiling += time.monotonic() - start
            release_locks()
        if sum(self.call.stats.cache_misses.values()) > n_made:
            COMPILED.append((self.call.py_func, self.call.signatures[-1]))


def _refuse_to_compile(*_args: Any) -> None:
    """Leave a compiled function that meets new types, to compile it where that can be interrupted."""
    raise _NotCompiledError


class _Step(event.Listener):
    """Between two steps of the compiler an interrupt may come; inside one it can be lost in a call from LLVM."""

    def __init__(self, long: float) -> None:
        self._long = long

    def on_start(self, event: Any) -> None:
        """Let an interrupt come, and announce that compiling takes long from some moment on."""
        _interrupt.raise_deferred()
        _interrupt.raise_if_stopped()  # on other threads
        if time.monotonic() > self._long:
            announce_compiling()

    def on_end(self, event: Any) -> None:
        """Do nothing."""
