"""The one door to numba, and the array types that kernels speak."""

import functools
import threading
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import event
from numba.core.caching import FunctionCache
from numba.extending import lower_builtin, type_callable
from numpy.typing import NDArray

from dendrometry import _interrupt
from dendrometry.errors import SlowStartWarning

__all__ = ["BoolArray", "FloatArray", "IntArray", "njit", "stopped"]

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_FEW = 2**14  # elements: fewer take less than a second even in quadratic time, and often less than starting a thread
_WORD = "dendrometry_stop"

# Compiled code names the word and is linked when it is loaded; an address would be another one in the next process.
binding.add_symbol(_WORD, _interrupt.address())


def njit(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a kernel on first use, cache it on disk, and let it be interrupted; it releases the GIL while it runs."""
    compiled = numba.njit(nogil=True)(function)
    return compiled if compiled is function else cast(Callable[_P, _R], _Kernel(compiled))


def stopped() -> bool:
    """Return whether a kernel shall leave: long loops look, and return whatever they have, which is dropped.

    Wherever they leave, what follows in the kernel must stay in bounds. Without compilation nothing needs to ask.
    """
    return False


@type_callable(stopped)
def _type_stopped(_context: Any) -> Callable[[], Any]:
    """Return the type of what `stopped` returns."""
    return lambda: numba.types.boolean


@lower_builtin(stopped)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_stopped(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
    """Read the word, anew each time: an atomic load stays inside its loop."""
    word = builder.module.globals.get(_WORD) or ir.GlobalVariable(builder.module, ir.IntType(64), _WORD)
    return builder.icmp_signed("!=", builder.load_atomic(word, "monotonic", 8), ir.Constant(ir.IntType(64), 0))


class _NotCompiledError(Exception):
    """A kernel has no code yet for the types of its arguments."""


class _Kernel:
    """A kernel to be called from Python; other kernels see the compiled function behind it."""

    def __init__(self, compiled: Any) -> None:
        functools.update_wrapper(self, compiled.py_func)
        self.py_func = compiled.py_func
        self._compiled = compiled
        self._compile = compiled._compile_for_args
        compiled._compile_for_args = _refuse_to_compile
        try:
            compiled._cache = _Cache(compiled.py_func)  # type: ignore[no-untyped-call]
        except Exception as error:  # numba found no folder
            _warn_of_slow_start(error)

    @property
    def _numba_type_(self) -> Any:
        """The type under which numba calls the compiled function."""
        return self._compiled._numba_type_

    def __call__(self, *args: Any) -> Any:
        try:
            if not _interrupt.on_main_thread():
                return _interrupt.run_elsewhere(self._compiled, *args)
            if _n_elements(args) <= _FEW:
                return _interrupt.keep_back(self._compiled, *args)
            return _interrupt.keep_back(_interrupt.run_aside, self._compiled, *args)
        except _NotCompiledError:
            pass
        if _interrupt.on_main_thread():
            _interrupt.keep_back(_compile_in_steps, self._compile, *args)
        else:
            self._compile(*args)
        return self(*args)


def _refuse_to_compile(*_args: Any) -> None:
    """Leave a compiled function that meets new types, to compile it where that can be interrupted."""
    raise _NotCompiledError


class _Step(event.Listener):
    """Between two steps of the compiler an interrupt may come; inside one it can be lost in a call from LLVM."""

    def on_start(self, event: Any) -> None:
        """Let an interrupt come."""
        _interrupt.raise_kept()

    def on_end(self, event: Any) -> None:
        """Do nothing."""


def _compile_in_steps(compile_for: Callable[..., Any], *args: Any) -> None:
    """Compile a kernel for the types of some arguments, which takes seconds, as the main thread may do it."""
    with event.install_listener("numba:run_pass", _Step()):
        compile_for(*args)


def _n_elements(args: tuple[Any, ...]) -> int:
    """Return the number of elements of all arrays among the arguments."""
    total = 0
    for value in args:
        if isinstance(value, np.ndarray):
            total += value.size
        elif isinstance(value, tuple):
            total += _n_elements(value)
    return total


class _Cache(FunctionCache):
    """The compiled code of a kernel on disk; what goes wrong there costs time and nothing else."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for some types, or None if there is none that can be used; a broken file is given up."""
        try:
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception as error:
            _warn_of_slow_start(error)
            self._forget()
            return None
        # two processes may have written code for different types under one name
        return found if found is None or tuple(found.signature.args) == tuple(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for some types, if possible."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception as error:
            _warn_of_slow_start(error)

    def _forget(self) -> None:
        """Begin the index anew."""
        try:
            self.flush()  # type: ignore[no-untyped-call]
        except OSError as error:
            _warn_of_slow_start(error)


_warned = threading.Lock()  # once and for all


def _warn_of_slow_start(error: Exception) -> None:
    """Say once that compiled code is not kept, and why."""
    if _warned.acquire(blocking=False):
        warnings.warn(
            "the folder for compiled code must be there, writable and intact, or kernels are compiled again;"
            f" got {type(error).__name__}: {error} (NUMBA_CACHE_DIR names another folder)",
            SlowStartWarning,
            stacklevel=2,
        )
