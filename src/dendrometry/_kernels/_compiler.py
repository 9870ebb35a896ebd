"""The one door to numba: kernels compiled for the types of their arguments, and kept on disk."""

import os
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, event
from numba.core.caching import FunctionCache
from numba.extending import lower_builtin, overload, type_callable

from dendrometry import _interrupt
from dendrometry._kernels import _builtins
from dendrometry._kernels._builtins import (
    FUSED_BYTES,
    FUSED_ROWS,
    fill_fused_products,
    fill_fused_squares,
    fill_product,
    stopped,
)
from dendrometry._progress import announce_compiling
from dendrometry.errors import SlowStartWarning

__all__ = ["Compiled"]

_WORD = "dendrometry_stop"
_LONG = 1.0  # seconds of compiling, from which on it is announced

_compiling = 0.0  # seconds so far

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


@overload(fill_product)
def _fill_product(a: Any, b: Any, out: Any) -> Callable[..., Any]:
    """Return what `fill_product` is when compiled."""

    def product(a: Any, b: Any, out: Any) -> Any:
        return np.dot(a, b, out)

    return product


def _are_plain(*arrays: Any) -> bool:
    """Whether the numbers of arrays lie side by side, as lines written by hand read them."""
    return all(isinstance(array, numba.types.Array) and array.layout == "C" for array in arrays)


@type_callable(fill_fused_products)
def _type_fill_fused_products(_context: Any) -> Callable[..., Any]:
    """Return the type of what `fill_fused_products` returns."""
    return lambda a, i, b, out, roots: numba.types.none if _are_plain(a, b, out, roots) else None


@type_callable(fill_fused_squares)
def _type_fill_fused_squares(_context: Any) -> Callable[..., Any]:
    """Return the type of what `fill_fused_squares` returns."""
    return lambda a, i, b, out, roots, own, across: out.dtype if _are_plain(a, b, out, roots, own, across) else None


_FUSED = (numba.types.Array, numba.types.Integer, *[numba.types.Array] * 3)


@lower_builtin(fill_fused_products, *_FUSED)  # type: ignore[no-untyped-call, untyped-decorator]
@lower_builtin(fill_fused_squares, *_FUSED, *[numba.types.Array] * 2)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_fused(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Multiply tile by tile; sums become squared distances before they are stored, if squared lengths are given."""
    arrays = [
        context.make_array(kind)(context, builder, value)
        for kind, value in zip(signature.args, arguments, strict=True)
        if isinstance(kind, numba.types.Array)
    ]
    kind = signature.args[3].dtype
    tiles = _FusedTiles(builder, arrays, arguments[1], context.get_value_type(kind), FUSED_BYTES * 8 // kind.bitwidth)
    tiles.fill()
    return tiles.least_of_all() if tiles.lengths else context.get_dummy_value()


class _FusedTiles:
    """The products of a few points and some others: sums stay in registers until all coordinates are multiplied.

    Every other coordinate takes the roots of a few numbers: these are slow, but keep only a part of the processor busy.
    """

    def __init__(self, builder: Any, arrays: list[Any], first: Any, kind: Any, n_columns: int) -> None:
        self.builder, self.first = builder, first
        self.a, self.b, self.out, self.roots, *self.lengths = arrays
        self.rows, self.line, self.few = (ir.VectorType(kind, n) for n in (FUSED_ROWS, n_columns, n_columns // 4))
        self.fused = _intrinsic(builder, "llvm.fma", self.line, 3)
        self.totals = [cgutils.alloca_once(builder, self.line) for _ in range(FUSED_ROWS)]  # type: ignore[no-untyped-call]
        self.least = cgutils.alloca_once(builder, self.line)  # type: ignore[no-untyped-call]

    def fill(self) -> None:
        """Multiply all tiles."""
        builder = self.builder
        n_rows, b_width = (builder.extract_value(self.out.shape, at) for at in (0, 1))
        number = n_rows.type
        builder.store(self._every_lane(float("inf")), self.least)
        with (
            cgutils.for_range_slice(builder, number(0), n_rows, number(FUSED_ROWS)) as (r, _),
            cgutils.for_range_slice(builder, number(0), b_width, number(self.line.count)) as (j, _),
        ):
            self._multiply_and_take_roots(r, j, b_width)
            if self.lengths:
                self._square(r, j)
            for at, total in enumerate(self.totals):
                to = builder.add(builder.mul(builder.add(r, number(at)), b_width), j)
                builder.store(builder.load(total), self._pointer(self.out, to, self.line), align=4)

    def least_of_all(self) -> Any:
        """Return the least number of all, from halves of a vector until one number is left."""
        builder, vector = self.builder, self.builder.load(self.least)
        half = vector.type.count // 2
        while half:
            parts = (ir.Constant(ir.VectorType(ir.IntType(32), half), list(range(at, at + half))) for at in (0, half))
            vector = self._lower(*(builder.shuffle_vector(vector, vector.type(ir.Undefined), part) for part in parts))
            half //= 2
        return builder.extract_element(vector, ir.IntType(32)(0))

    def _multiply_and_take_roots(self, r: Any, j: Any, b_width: Any) -> None:
        """Multiply the points of a tile, and replace as many numbers by their roots as it has products."""
        builder, d = self.builder, self.builder.extract_value(self.a.shape, 0)
        number = d.type
        n_roots = builder.udiv(builder.mul(self.roots.nitems, number(4 * FUSED_ROWS)), self.out.nitems)  # few at once
        half = builder.udiv(d, number(2))
        n_beside = builder.select(builder.icmp_signed("<", half, n_roots), half, n_roots)
        first_root = builder.add(builder.mul(r, b_width), builder.mul(j, number(FUSED_ROWS)))
        for total in self.totals:
            builder.store(self._every_lane(0.0), total)
        with cgutils.for_range_slice(builder, number(0), n_beside, number(1)) as (at, _):
            self._multiply(builder.mul(at, number(2)), r, j)
            self._take_roots(first_root, at)
            self._multiply(builder.add(builder.mul(at, number(2)), number(1)), r, j)
        with cgutils.for_range_slice(builder, builder.mul(n_beside, number(2)), d, number(1)) as (k, _):
            self._multiply(k, r, j)
        with cgutils.for_range_slice(builder, n_beside, n_roots, number(1)) as (at, _):
            self._take_roots(first_root, at)

    def _multiply(self, k: Any, r: Any, j: Any) -> None:
        """Add the products of one coordinate."""
        builder = self.builder
        a_width, b_width = (builder.extract_value(array.shape, 1) for array in (self.a, self.b))
        row = builder.add(builder.mul(k, a_width), builder.add(self.first, r))
        factors = self._load(self.a, row, self.rows)
        others = self._load(self.b, builder.add(builder.mul(k, b_width), j), self.line)
        for at, total in enumerate(self.totals):
            builder.store(builder.call(self.fused, [self._every(factors, at), others, builder.load(total)]), total)

    def _take_roots(self, first: Any, at: Any) -> None:
        """Replace a few numbers by their roots."""
        builder = self.builder
        root = _intrinsic(builder, "llvm.sqrt", self.few, 1)
        place = self._pointer(self.roots, builder.add(first, builder.mul(at, at.type(self.few.count))), self.few)
        builder.store(builder.call(root, [builder.load(place, align=4)]), place, align=4)

    def _square(self, r: Any, j: Any) -> None:
        """Turn products into squared distances."""
        builder = self.builder
        own = self._load(self.lengths[0], builder.add(self.first, r), self.rows)
        across = self._load(self.lengths[1], j, self.line)
        for at, total in enumerate(self.totals):
            both = builder.fadd(self._every(own, at), across)
            apart = builder.call(self.fused, [builder.load(total), self._every_lane(-2.0), both])  # twice is exact
            builder.store(self._lower(builder.load(self.least), apart), self.least)
            builder.store(apart, total)

    def _lower(self, one: Any, other: Any) -> Any:
        return self.builder.call(_intrinsic(self.builder, "llvm.minnum", one.type, 2), [one, other])

    def _every_lane(self, value: float) -> Any:
        return self.line([value] * self.line.count)

    def _every(self, few: Any, at: int) -> Any:
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), self.line.count), [at] * self.line.count)
        return self.builder.shuffle_vector(few, few.type(ir.Undefined), lanes)

    def _load(self, array: Any, at: Any, vector: Any) -> Any:
        return self.builder.load(self._pointer(array, at, vector), align=4)

    def _pointer(self, array: Any, at: Any, vector: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(array.data, [at]), vector.as_pointer())


def _intrinsic(builder: Any, name: str, vector: Any, n_arguments: int) -> Any:
    """Return a function that LLVM has for vectors."""
    signature = ir.FunctionType(vector, [vector] * n_arguments)
    kind = f"v{vector.count}{vector.element.intrinsic_name}"
    return cgutils.get_or_insert_function(builder.module, signature, f"{name}.{kind}")  # type: ignore[no-untyped-call]


class _NotCompiledError(Exception):
    """A kernel has no code yet for the types of its arguments."""


class Compiled:
    """The compiled form of a kernel.

    Parameters
    ----------
    function : callable
        The kernel.
    files : list of str
        The files with its text and with that of all kernels that it calls: code on disk is of no use after one of them
        has changed.

    Attributes
    ----------
    call : callable
        The function; it raises the error ``missing`` where there is no code yet for the types of its arguments.
    """

    missing = _NotCompiledError

    def __init__(self, function: Callable[..., Any], files: list[str]) -> None:
        call: Any = numba.njit(nogil=True)(function)
        self.call = call
        self._compile = self.call._compile_for_args
        self.call._compile_for_args = _refuse_to_compile
        try:
            self.call._cache = _Cache(function, files)
        except Exception as error:  # numba found no folder
            _warn_of_slow_start(error)

    def has_code(self) -> bool:
        """Return whether there is code for some types."""
        return bool(self.call.overloads)

    def load(self, *args: Any) -> bool:
        """Load code for the types of the arguments from disk; return whether there is any."""
        if not isinstance(self.call._cache, _Cache):
            return False
        self.call._cache.must_load = True
        try:
            self._compile(*args)
        except _NotCompiledError:
            return False
        finally:
            self.call._cache.must_load = False
        return True

    def compile(self, *args: Any) -> None:
        """Load or make code for the types of the arguments, which takes seconds; an interrupt may come meanwhile."""
        global _compiling
        start = time.monotonic()
        try:
            with event.install_listener("numba:run_pass", _Step(start + _LONG - _compiling)):
                self._compile(*args)
        finally:
            _compiling += time.monotonic() - start


def _refuse_to_compile(*_args: Any) -> None:
    """Leave a compiled function that meets new types, to compile it where that can be interrupted."""
    raise _NotCompiledError


class _Step(event.Listener):
    """Between two steps of the compiler an interrupt may come; inside one it can be lost in a call from LLVM."""

    def __init__(self, long: float) -> None:
        self._long = long

    def on_start(self, event: Any) -> None:
        """Let an interrupt come, and announce that compiling takes long from some moment on."""
        _interrupt.raise_kept()
        _interrupt.raise_if_asked()  # on other threads
        if time.monotonic() > self._long:
            announce_compiling()

    def on_end(self, event: Any) -> None:
        """Do nothing."""


class _Cache(FunctionCache):
    """The compiled code of a kernel on disk; what goes wrong there costs time and nothing else."""

    must_load = False  # whether code that is not there must not be made

    def __init__(self, function: Callable[..., Any], files: list[str]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        files = [*files, __file__, _builtins.__file__]  # what builtins are when compiled goes into the code
        self._cache_file._source_stamp = self._cache_file._source_stamp, [_stamp(file) for file in files]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for some types, or None if there is none that can be used; a broken file is given up."""
        try:
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception as error:
            _warn_of_slow_start(error)
            self._forget()
            found = None
        # two processes may have written code for different types under one name
        if found is not None and tuple(found.signature.args) == tuple(sig):
            return found
        if self.must_load:
            raise _NotCompiledError
        return None

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


def _stamp(file: str) -> tuple[float, int] | None:
    """Return when a file was last changed, and its size; None if it is packed in an archive, which has a stamp."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime, status.st_size


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
