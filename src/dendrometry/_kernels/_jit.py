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
from importlib.util import find_spec
from types import FunctionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numpy as np

from dendrometry import _interrupt
from dendrometry.errors import MissingExtraError, SlowStartWarning

if TYPE_CHECKING:
    from dendrometry._kernels._compiler import Compiled

_P = ParamSpec("_P")
_R = TypeVar("_R")
_FEW = 2**14  # words: fewer take less than a second even in quadratic time, and often less than starting a thread
_MOST = 2**19  # words that all calls together interpret before numba is loaded: these take about half a second
_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
_MOST_WITHOUT_NUMBA = 2**20  # words of a call that is interpreted where numba is not installed: these take seconds

_little = 3 * 2**12  # words, such as a matrix of 110 items: a call with more is not interpreted
_interpreted = 0  # words so far
_creating = threading.RLock()


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
        return {name: known[name] for name in self.py_func.__code__.co_names if isinstance(known.get(name), _Kernel)}

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

    def _sources(self) -> tuple[list[str], list[str]]:
        """Return the files with the text of all kernels reached, and the constants that they read, from any file."""
        files, constants = set(), set()
        for kernel in self._reached:
            code, known = kernel.py_func.__code__, kernel.py_func.__globals__
            files.add(code.co_filename)
            for name in code.co_names:
                value = known.get(name)
                if isinstance(value, (bool, int, float, str, tuple, np.generic)):
                    constants.add(f"{name} {value!r}")
                elif isinstance(value, type) and issubclass(value, tuple):
                    constants.add(f"{name} {getattr(value, '_fields', ())}")
        return sorted(files), sorted(constants)

    @property
    def compiled(self) -> "Compiled":
        """The compiled function, which may not have code for any types yet."""
        if self._compiled is None:
            with _creating:
                if self._compiled is None:
                    self._compiled = _deferring_interrupts(_create, self.py_func, *self._sources())
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
        if n_words > _MOST_WITHOUT_NUMBA:
            raise MissingExtraError(
                f"more than {_MOST_WITHOUT_NUMBA:,} numbers at once need numba: pip install numba; got {n_words:,}"
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
        compiled = self.compiled
        try:
            if not _interrupt.on_main_thread():
                return _interrupt.run_elsewhere(compiled.call, *args)
            if self.is_brief or _n_words(args) <= _FEW:
                return _interrupt.keep_back(compiled.call, *args)
            return _interrupt.keep_back(_interrupt.run_aside, compiled.call, *args)
        except compiled.missing:
            pass
        _deferring_interrupts(compiled.compile, *args)
        return self._run_compiled(args)


@functools.cache
def _has_numba() -> bool:
    """Return whether numba is installed; say so once if it is not."""
    if find_spec("numba") is not None:
        return True
    warnings.warn(
        "numba should be installed: without it, loops are interpreted, about 100 times slower (pip install numba)",
        SlowStartWarning,
        stacklevel=2,
    )
    return False


def _create(function: Callable[..., Any], files: list[str], constants: list[str]) -> "Compiled":
    """Return the compiled form of a function, which imports numba."""
    from dendrometry._kernels._compiler import Compiled

    return Compiled(function, files, constants)


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
