"""What `fill_fused_products` and `fill_fused_squares` compile to: vectors of LLVM, written by hand.

numba does not fuse a product and a sum, and keeps sums in memory: its loop takes 3 to 5 times as long (64 x 64 points
of 8 to 768 columns on x86; `benchmarks/kernels.py`). BLAS takes 0.6 to 1.9 times as long for products alone, but its
bits depend on the processor, and it takes no roots meanwhile.

Code for x86 has a second form for processors with AVX-512, whose wide registers hold four times as many sums; which one
runs is asked each time. Every sum is the same in both, coordinate by coordinate, so the bits are, too.
"""

import ctypes
import platform
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
from llvmlite import binding, ir
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from dendrometry._kernels._builtins import FUSED_BYTES, FUSED_ROWS, fill_fused_products, fill_fused_squares

_NARROW = (4, 64)  # points and bytes that are multiplied together
_WIDE = (FUSED_ROWS, FUSED_BYTES)
_WIDE_FEATURES = ("avx512f", "avx512bw", "avx512dq", "avx512vl")
_IS_X86 = platform.machine().lower() in ("x86_64", "amd64")
_WORD = "dendrometry_wide"  # compiled code names it; it says whether this processor has wide registers
_has_wide = ctypes.c_int64(_IS_X86 and all(binding.get_host_cpu_features().get(name) for name in _WIDE_FEATURES))
binding.add_symbol(_WORD, ctypes.addressof(_has_wide))


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
        _Rows(made.data, *(builder.extract_value(made.shape, at) for at in (0, made.shape.type.count - 1)))
        for kind, value in zip(signature.args, arguments, strict=True)
        if isinstance(kind, numba.types.Array)
        for made in [context.make_array(kind)(context, builder, value)]
    ]
    kind = signature.args[3].dtype
    form = (context.get_value_type(kind), kind.bitwidth)
    if _IS_X86:
        least = _in_either_form(builder, arrays, arguments[1], form)
    else:
        least = _FusedTiles(builder, arrays, arguments[1], form, _NARROW).fill()
    return least if len(arrays) > 4 else context.get_dummy_value()


class _Rows(NamedTuple):
    """An array of numbers side by side: where it starts, and its first and its last dimension."""

    data: Any
    length: Any
    width: Any


def _in_either_form(builder: Any, arrays: list[_Rows], first: Any, form: tuple[Any, int]) -> Any:
    """Multiply in wide registers where the processor has them; return the least number."""
    word = builder.module.globals.get(_WORD) or ir.GlobalVariable(builder.module, ir.IntType(64), _WORD)
    has_wide = builder.icmp_signed("!=", builder.load(word), ir.Constant(ir.IntType(64), 0))
    least = cgutils.alloca_once(builder, form[0])  # type: ignore[no-untyped-call]
    with builder.if_else(has_wide) as (wide, narrow):
        with wide:
            arguments = [first, *(value for array in arrays for value in array)]
            builder.store(builder.call(_wide_function(builder.module, arrays, arguments, form), arguments), least)
        with narrow:
            builder.store(_FusedTiles(builder, arrays, first, form, _NARROW).fill(), least)
    return builder.load(least)


def _wide_function(module: Any, arrays: list[_Rows], arguments: list[Any], form: tuple[Any, int]) -> Any:
    """Return the function for processors with wide registers, which is compiled for these alone."""
    name = f"dendrometry_wide_{form[1]}_{len(arrays)}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(form[0], [value.type for value in arguments]), name)
    function.linkage = "internal"
    features = ",".join(f"+{feature}" for feature in _WIDE_FEATURES)
    for attribute in ("noinline", f'"target-features"="{features}"', '"prefer-vector-width"="512"'):
        set.add(function.attributes, attribute)  # llvmlite passes on what it does not know, but does not take it
    builder = ir.IRBuilder(function.append_basic_block())
    first, *values = function.args
    copies = [_Rows(*values[at : at + 3]) for at in range(0, len(values), 3)]
    builder.ret(_FusedTiles(builder, copies, first, form, _WIDE).fill())
    return function


class _FusedTiles:
    """The products of a few points and some others: sums stay in registers until all coordinates are multiplied.

    Every other coordinate takes the roots of a few numbers: these are slow, but keep only a part of the processor busy.
    """

    def __init__(
        self, builder: Any, arrays: list[_Rows], first: Any, form: tuple[Any, int], tile: tuple[int, int]
    ) -> None:
        self.builder, self.first = builder, first
        self.a, self.b, self.out, self.roots, *self.lengths = arrays
        kind, self.n_rows, n_columns = form[0], tile[0], tile[1] * 8 // form[1]
        self.rows, self.line, self.few = (ir.VectorType(kind, n) for n in (self.n_rows, n_columns, n_columns // 4))
        self.fused = _intrinsic(builder, "llvm.fma", self.line, 3)
        self.totals = [cgutils.alloca_once(builder, self.line) for _ in range(self.n_rows)]  # type: ignore[no-untyped-call]
        self.least = cgutils.alloca_once(builder, self.line)  # type: ignore[no-untyped-call]

    def fill(self) -> Any:
        """Multiply all tiles, and return the least number if squared lengths are given, else inf."""
        builder, b_width = self.builder, self.out.width
        number = b_width.type
        builder.store(self._every_lane(float("inf")), self.least)
        with (
            cgutils.for_range_slice(builder, number(0), self.out.length, number(self.n_rows)) as (r, _),
            cgutils.for_range_slice(builder, number(0), b_width, number(self.line.count)) as (j, _),
        ):
            self._multiply_and_take_roots(r, j, b_width)
            if self.lengths:
                self._square(r, j)
            for at, total in enumerate(self.totals):
                to = builder.add(builder.mul(builder.add(r, number(at)), b_width), j)
                builder.store(builder.load(total), self._pointer(self.out, to, self.line), align=4)
        return self._least_of_all()

    def _least_of_all(self) -> Any:
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
        builder, d, number = self.builder, self.a.length, b_width.type
        n_products = builder.mul(self.out.length, b_width)
        n_roots = builder.udiv(builder.mul(self.roots.length, number(4 * self.n_rows)), n_products)  # few at once
        half = builder.udiv(d, number(2))
        n_beside = builder.select(builder.icmp_signed("<", half, n_roots), half, n_roots)
        first_root = builder.add(builder.mul(r, b_width), builder.mul(j, number(self.n_rows)))
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
        row = builder.add(builder.mul(k, self.a.width), builder.add(self.first, r))
        factors = self._load(self.a, row, self.rows)
        others = self._load(self.b, builder.add(builder.mul(k, self.b.width), j), self.line)
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
