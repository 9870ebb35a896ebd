"""Kernels: loops whose machine code comes with the package, and is compiled where it does not.

To load numba takes half a second, in which a few thousand numbers are interpreted: a process that does little does not
load it. Interpreted and compiled, a kernel gives the same bits. Only `_compiler` and what it uses import numba.
"""

import functools
import os
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numpy as np

from dendrometry import _interrupt
from dendrometry._ending import raise_if_ending
from dendrometry.errors import MissingExtraError, SlowStartWarning

if TYPE_CHECKING:
    from dendrometry._kernels._compiler import Compiled

_P = ParamSpec("_P")
_R = TypeVar("_R")
_FEW = 2**14  # words: fewer take less than a second even in quadratic time, and often less than starting a thread
_MOST = 2**19  # words that all calls together interpret before numba is loaded: these take about half a second
_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
# Words, and rows of a matrix, of a call that is interpreted where numba cannot be loaded: at most some seconds.
_MOST_WITHOUT_NUMBA, _MOST_ROWS_WITHOUT_NUMBA = 2**18, 2**10

_little = 3 * 2**12  # words, such as a matrix of 110 items: a call with more is not interpreted
_interpreted = 0  # words so far
_creating = threading.RLock()
if hasattr(os, "register_at_fork"):  # a forked process must not wait for a thread that it does not have
    os.register_at_fork(before=_creating.acquire, after_in_parent=_creating.release, after_in_child=_creating.release)


def njit(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Make a kernel of a function: see the top of this file. A compiled kernel releases the GIL while it runs."""
    return function if _PLAIN else cast(Callable[_P, _R], _Kernel(function))


def njit_brief(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Make a kernel that takes milliseconds however large its arguments: it needs no thread on which to be stopped."""
    kernel = njit(function)
    if isinstance(kernel, _Kernel):
        kernel.is_brief = True
    return kernel


def on_columns(kernel: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return the plain function of a kernel without loops, whose arithmetic serves a column as it serves a number."""
    return cast(Callable[_P, _R], kernel.plain) if isinstance(kernel, _Kernel) else kernel


@contextmanager
def always_compiling() -> Iterator[None]:
    """Compile every kernel that is called meanwhile, on any thread, however little its work."""
    global _little
    before, _little = _little, -1
    try:
        yield
    finally:
        _little = before


class _Kernel:
    """A kernel to be called from Python; other kernels, when compiled, see the compiled function behind it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._compiled: Compiled | None = None
        self.is_brief = False

    @functools.cached_property
    def _called(self) -> dict[str, "_Kernel"]:
        """The kernels that this one calls, by their names in its module."""
        known = self.py_func.__globals__
        return {name: known[name] for name in _names(self.py_func.__code__) if isinstance(known.get(name), _Kernel)}

    @functools.cached_property
    def plain(self) -> Callable[..., Any]:
        """The function itself, which calls plain functions where the kernel calls kernels."""
        if not self._called:
            return self.py_func
        known = {**self.py_func.__globals__, **{name: kernel.plain for name, kernel in self._called.items()}}
        return FunctionType(self.py_func.__code__, known, self.py_func.__name__)

    @functools.cached_property
    def _reached(self) -> set["_Kernel"]:
        """The kernel itself and all that it calls, at whatever depth."""
        found, new = {self}, [self]
        while new:
            called = set(new.pop()._called.values()) - found
            found |= called
            new.extend(called)
        return found

    def _fingerprint(self) -> list[str]:
        """Return what the code depends on: the instructions of all kernels reached, and the values that they read."""
        found = []
        for kernel in sorted(
            self._reached, key=lambda kernel: (kernel.py_func.__module__, kernel.py_func.__qualname__)
        ):
            function = kernel.py_func
            found.append(f"{function.__module__}.{function.__qualname__} {_instructions(function.__code__)}")
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
            for value in (*(function.__globals__.get(name) for name in sorted(_names(function.__code__))), *cells):
                if isinstance(value, (bool, int, float, str, tuple, np.generic)):
                    found.append(repr(value))
                elif isinstance(value, np.ndarray):
                    found.append(repr((value.dtype.str, value.shape, value.tobytes())))
                elif isinstance(value, type) and issubclass(value, tuple):
                    found.append(f"{value.__qualname__}{getattr(value, '_fields', ())}")
        return found

    @property
    def compiled(self) -> "Compiled":
        """The compiled function, which may not have code for any types yet."""
        if self._compiled is None:
            with _creating:
                if self._compiled is None:
                    self._compiled = _deferring_interrupts(_create, self.py_func, self._fingerprint())
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """The type under which numba calls the compiled function."""
        return self.compiled.call._numba_type_

    def __call__(self, *args: Any) -> Any:
        if self._compiled is not None and self._compiled.has_code():
            return self._run_compiled(args)
        n_words = _n_words(args)
        if n_words <= _little and _interpreted + n_words <= _MOST:
            return self._interpret(args, n_words)
        if _has_numba():
            return self._run_compiled(args)
        if n_words > _MOST_WITHOUT_NUMBA or _n_rows(args) > _MOST_ROWS_WITHOUT_NUMBA:
            raise MissingExtraError(
                f"more than {_MOST_WITHOUT_NUMBA:,} numbers or {_MOST_ROWS_WITHOUT_NUMBA:,} points at once need numba:"
                f" pip install numba; got {n_words:,} numbers"
            )
        return self._interpret(args, n_words)

    def _interpret(self, args: tuple[Any, ...], n_words: int) -> Any:
        """Run the plain function, as silent about overflow and division by 0 as compiled code is."""
        global _interpreted
        _interpreted += n_words
        with np.errstate(all="ignore"):
            if _interrupt.on_main_thread():
                return _with_plain_numbers(self.plain(*args))
            return _with_plain_numbers(_interrupt.run_elsewhere(self.plain, *args))

    def _run_compiled(self, args: tuple[Any, ...]) -> Any:
        """Run the compiled function, after compiling it for the types of the arguments if need be."""
        raise_if_ending()
        compiled = self.compiled
        for _ in range(2):
            try:
                if not _interrupt.on_main_thread():
                    return _interrupt.run_elsewhere(compiled.call, *args)
                if self.is_brief or _n_words(args) <= _FEW:
                    return _interrupt.keep_back(compiled.call, *args)
                return _interrupt.keep_back(_interrupt.run_aside, compiled.call, *args)
            except compiled.missing:
                _deferring_interrupts(compiled.compile, *args)
        return self._interpret(args, 0)  # numba does not know the types again, such as those of a class made twice


@functools.cache
def _has_numba() -> bool:
    """Return whether numba can be loaded; say so once if it cannot."""
    try:
        import_module("numba")
    except ImportError as error:  # not installed, or not for this NumPy
        warnings.warn(
            "numba should be installed: without it, loops are interpreted, about 100 times slower (pip install numba;"
            f" {error})",
            SlowStartWarning,
            stacklevel=2,
        )
        return False
    return True


def _names(code: CodeType) -> set[str]:
    """Return the names that code reads, also those in comprehensions."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _instructions(code: CodeType) -> str:
    """Return what code does, as text; comments, documentation and places in the file do not matter."""
    consts = code.co_consts[1:] if code.co_consts and isinstance(code.co_consts[0], str) else code.co_consts
    spelled = [_instructions(const) if isinstance(const, CodeType) else repr(const) for const in consts]
    return repr((code.co_code, code.co_names, code.co_varnames, spelled))


def _create(function: Callable[..., Any], fingerprint: list[str]) -> "Compiled":
    """Return the compiled form of a function, which imports numba."""
    from dendrometry._kernels._compiler import Compiled

    return Compiled(function, fingerprint)


def _deferring_interrupts(function: Callable[..., _R], *args: Any) -> _R:
    """Call a function that must not be left halfway: an interrupt comes after it, or where it lets one come."""
    if _interrupt.on_main_thread():
        return _interrupt.keep_back(function, *args)
    return function(*args)


def _with_plain_numbers(result: Any) -> Any:
    """Return a result with NumPy's scalars as Python's numbers, as compiled code returns them."""
    if isinstance(result, np.generic):
        return result.item()
    if isinstance(result, tuple):
        values = map(_with_plain_numbers, result)
        return type(result)(*values) if hasattr(result, "_fields") else tuple(values)
    return result


def _n_words(args: tuple[Any, ...]) -> int:
    """Return the size of all arrays among the arguments, in words of 8 bytes."""
    total = 0
    for value in args:
        if isinstance(value, np.ndarray):
            total += value.nbytes // 8
        elif isinstance(value, tuple):
            total += _n_words(value)
    return total


def _n_rows(args: tuple[Any, ...]) -> int:
    """Return the length of the longest side of all matrices among the arguments."""
    most = 0
    for value in args:
        if isinstance(value, np.ndarray) and value.ndim > 1:
            most = max(most, *value.shape)
        elif isinstance(value, tuple):
            most = max(most, _n_rows(value))
    return most
