"""What `fill_fused_products` and `fill_fused_squares` compile to: vectors of LLVM, written by hand.

numba does not fuse a product and a sum, and keeps sums in memory: its loop takes 3 to 5 times as long (64 x 64 points
of 8 to 768 columns on x86; `benchmarks/kernels.py`). BLAS takes 0.6 to 1.9 times as long for products alone, but its
bits depend on the processor, and it takes no roots meanwhile.
"""

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from dendrometry._kernels._builtins import FUSED_BYTES, FUSED_ROWS, fill_fused_products, fill_fused_squares


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
