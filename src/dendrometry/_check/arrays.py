"""Arrays of numbers from users, checked and copied into read-only arrays."""

from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError

NamedTupleClass = TypeVar("NamedTupleClass", bound=type[Any])

_KINDS = {"c": "complex numbers", "O": "Python objects", "U": "text", "S": "bytes", "M": "dates", "m": "time spans"}


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, set read-only."""
    array.flags.writeable = False
    return array


class Frozen:
    """A frozen dataclass whose arrays are read-only, also after it was pickled or copied."""

    def __post_init__(self) -> None:
        """Store read-only views of arrays, so that an array that came from elsewhere stays writable there."""
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, read_only(value.view()))
            else:
                _freeze(value)

    def __setstate__(self, state: dict[str, Any]) -> None:
        for value in state.values():
            _freeze(value)
        self.__dict__.update(state)


def freeze_arrays(kind: NamedTupleClass) -> NamedTupleClass:
    """Return a NamedTuple that holds read-only views of arrays, also after it was pickled or copied."""
    make: Any = kind.__new__

    @wraps(make)
    def new(cls: type[Any], *parts: Any, **named: Any) -> Any:
        return make(cls, *map(_sealed, parts), **{name: _sealed(part) for name, part in named.items()})

    made: Any = kind
    made.__new__ = new
    return kind


def _sealed(value: Any) -> Any:
    """Return a read-only view of an array; other values unchanged."""
    return read_only(value.view()) if isinstance(value, np.ndarray) else value


def _freeze(value: Any) -> None:
    """Set arrays read-only: one alone, those of a sparse matrix, or those in a tuple."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple) and any(isinstance(part, np.ndarray | tuple) for part in value[:8]):
        for part in value:
            _freeze(part)
    elif hasattr(value, "tocsr"):
        for name in ("data", "indices", "indptr"):
            _freeze(getattr(value, name, None))


def real_array(values: object, what: str, ndim: int) -> NDArray[Any]:
    """Return integers or real numbers as an array of the given number of dimensions; refuse anything else."""
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidInputError(f"{what} must be an array of numbers without gaps; got a masked array")
    if hasattr(type(values), "tocsr"):
        raise InvalidInputError(f"{what} must be a dense array of numbers; got a sparse matrix (use toarray())")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise InvalidInputError(f"{what} must be an array of numbers; got {type(values).__name__}: {error}") from None
    if array.dtype.kind not in "iuf":
        if array.size == 0 and ndim == array.ndim:
            return array.astype(np.float64)
        kind = _KINDS.get(array.dtype.kind, f"values of type {array.dtype}")
        raise InvalidInputError(f"{what} must be an array of numbers; got {kind}")
    if array.ndim != ndim:
        raise InvalidInputError(f"{what} must have {ndim} dimension{'s'[: ndim != 1]}; got shape {array.shape}")
    return array


def not_whole(values: FloatArray) -> BoolArray:
    """Return where floats are not whole numbers below 2**53, above which floats skip whole numbers."""
    with np.errstate(invalid="ignore"):  # signalling nan, as in a broken file, warn in every operation
        wide = values if values.dtype.itemsize > 8 else values.astype(np.float64)  # 16 bits do not hold the bound
        bad: BoolArray = ~(np.isfinite(wide) & (np.floor(wide) == wide) & (np.abs(wide) < 2.0**53))
    return bad


def int_column(values: object, what: str) -> IntArray:
    """Return whole numbers as a read-only int64 copy; whole floats are converted, others are refused by position."""
    array = real_array(values, what, 1)
    if array.dtype.kind == "f":
        bad = not_whole(array)
    else:
        bad = array > np.iinfo(np.int64).max if array.dtype == np.uint64 else np.zeros(0, dtype=bool)
    if bad.any():
        at = int(np.argmax(bad))
        raise InvalidInputError(f"{what} must hold whole numbers; got {array[at]} at position {at}")
    column: IntArray = read_only(array.astype(np.int64))
    return column


def float_column(values: object, what: str) -> FloatArray:
    """Return finite numbers as a read-only float64 copy, -0.0 as 0.0; nan and infinity are refused by position."""
    array = real_array(values, what, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        column = array.astype(np.float64) + 0.0
    bad = ~np.isfinite(column)
    if bad.any():
        at = int(np.argmax(bad))
        raise InvalidInputError(f"{what} must be finite; got {array[at]} at position {at}")
    checked: FloatArray = read_only(column)
    return checked
