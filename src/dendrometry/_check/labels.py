"""Labels of any kind from users, checked and encoded as cluster numbers from 0."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import not_whole, read_only
from dendrometry._check.names import alignment, is_missing, position_text
from dendrometry._display import MOST_BITS, printable, table_text
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError

_NUMBERS = (int, float, np.integer, np.floating)


class _Given(NamedTuple):
    """Labels as they came, and what messages call their partition."""

    values: Any
    which: str


class Partition(NamedTuple):
    """A partition: the cluster of each item, numbered from 0, and the label of each cluster in ascending order."""

    code: IntArray
    label: NDArray[Any]


def encode_labels(values: object, which: str) -> Partition:
    """Return labels as cluster numbers; ``which`` names the partition in messages.

    Whole numbers, text, bytes and booleans are labels, in a sequence or as the values of a mapping. Missing values,
    numbers that are not whole, and values of more than one type are refused by position: 1 and "1" could be two
    clusters, or one.
    """
    given = _Given(values, which)
    array = _array(given)
    if array.size == 0:
        raise InvalidInputError(f"the {which} partition must hold at least one item; got none")
    if array.dtype.kind in "OT":
        array = _of_one_type(array, given)
    if array.dtype.kind == "f":
        array = _whole_floats(array, given)
    if array.dtype.kind in "iu":
        return _encode_integers(array)
    if array.dtype.kind == "b":
        found = _encode_integers(array.view(np.uint8) if array.flags.c_contiguous else array.astype(np.uint8))
        return Partition(found.code, read_only(found.label.astype(bool)))
    if array.dtype.kind in "USTO":
        return _encode_objects(array)
    raise InvalidInputError(
        f"the {which} partition must hold whole numbers, text or booleans; got values of type {array.dtype}"
    )


def encode_in_order(data: object, labels: object, which: str, what: str) -> Partition:
    """Return labels as cluster numbers in the order of the items of other data, by index or keys if both have them."""
    found, order = encode_labels(labels, which), alignment(data, labels, what)
    return found if order is None else found._replace(code=read_only(found.code[order]))


def require_text(number: int, what: str, place: str) -> None:
    """Refuse a whole number that is too long to be printed, and so cannot name a cluster."""
    if number.bit_length() > MOST_BITS:
        raise InvalidInputError(f"{what} must be at most {MOST_BITS:,} bits long; got {printable(number)} {place}")


def subset(partition: Partition, position: IntArray | list[int]) -> Partition:
    """Return the partition of the items at some positions, its clusters renumbered."""
    held, code = np.unique(partition.code[position], return_inverse=True)
    return Partition(read_only(code), read_only(partition.label[held]))


def _array(given: _Given) -> NDArray[Any]:
    """Return the values as an array of one dimension; lists become objects, so that types are not converted."""
    values, which = given
    if isinstance(values, Mapping):
        values = list(values.values())
    if getattr(values, "columns", None) is not None:
        raise InvalidInputError(f"the {which} partition must be one label for each item; got {table_text(values)}")
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        _refuse_missing("a masked one", np.flatnonzero(np.ma.getmaskarray(values)).tolist(), given)
    try:
        array = np.asarray(values, dtype=object) if isinstance(values, list | tuple) else np.asarray(values)
    except Exception as error:  # what an object's own conversion raises may be anything
        raise InvalidInputError(f"the {which} partition must be one label for each item; got {error}") from None
    if array.ndim != 1:
        got = f"shape {array.shape}" if array.ndim else f"the single value {printable(array.item())}"
        raise InvalidInputError(f"the {which} partition must be one label for each item; got {got}")
    return array


def _of_one_type(array: NDArray[Any], given: _Given) -> NDArray[Any]:
    """Return objects as numbers or booleans if all of them are, unchanged if all are text or all are bytes."""
    kinds = Counter(map(type, array.tolist()))
    for family in (_NUMBERS, (bool, np.bool_), (str,), (bytes,)):
        if all(issubclass(kind, family) and (kind is not bool or bool in family) for kind in kinds):
            return _made_of(array, family, given)
    missing = [i for i, value in enumerate(array.tolist()) if is_missing(value)]
    if missing:
        first = array[missing[0]]
        is_text = hasattr(given.values, "isna") and str in kinds  # where pandas stores None as nan
        _refuse_missing(printable(None if is_text and isinstance(first, float) else first), missing, given)
    names = " and ".join(sorted(kind.__name__ for kind in kinds))
    raise InvalidInputError(
        f"the labels of the {given.which} partition must be all whole numbers, all text or all booleans; got {names}"
        " (1 and '1' could be two clusters: convert with str() if they are not)"
    )


def _made_of(array: NDArray[Any], family: tuple[type, ...], given: _Given) -> NDArray[Any]:
    """Return objects of one family as booleans, integers, text or bytes."""
    if family == _NUMBERS:
        return _integers(array.tolist(), given)
    if family == (str,):
        array = np.array(list(map(str.__str__, array.tolist())), dtype=object)  # subclasses of str become plain text
    return array.astype(np.bool_ if bool in family else object)


def _integers(values: list[Any], given: _Given) -> NDArray[Any]:
    """Return whole numbers of any type as integers, as objects if they exceed 64 bits; refuse other numbers."""
    if set(map(type, values)) != {int}:
        floats = {i: float(value) for i, value in enumerate(values) if isinstance(value, float | np.floating)}
        if floats:
            _whole_floats(np.array(list(floats.values())), given, list(floats))
        values = list(map(int, values))
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        for at, value in enumerate(values):
            place = f"at {position_text(given.values, [at])}"
            require_text(value, f"the whole numbers of the {given.which} partition", place)
        return np.array(values, dtype=object)


def _whole_floats(array: FloatArray, given: _Given, position: Sequence[int] | None = None) -> IntArray:
    """Return whole floats as integers; refuse others, with the given position or that in the array."""
    bad = not_whole(array)
    if bad.any():
        place = range(array.size) if position is None else position
        missing = np.flatnonzero(np.isnan(array)).tolist()
        if missing:
            _refuse_missing("nan", [place[i] for i in missing], given)
        at = int(np.argmax(bad))
        raise InvalidInputError(
            f"the {given.which} partition must hold whole numbers; got {array[at]} at"
            f" {position_text(given.values, [place[at]])}"
        )
    return array.astype(np.int64)


def _refuse_missing(got: str, position: Sequence[int], given: _Given) -> NoReturn:
    """Refuse labels some of which are missing, by the positions of all of them, or of the first ten."""
    raise InvalidInputError(
        f"the {given.which} partition must hold no missing label; got {got} at {position_text(given.values, position)}"
    )


def _encode_integers(array: NDArray[Any]) -> Partition:
    """Return integer labels as cluster numbers: by counting if they lie close together, else by sorting."""
    low, high = int(array.min()), int(array.max())
    span = high - low + 1
    if span > max(2 * array.size, 1 << 16):
        label, code = np.unique(array, return_inverse=True)
        return Partition(read_only(code), read_only(label))
    offset = (array - array.dtype.type(low)).astype(np.int64) if array.dtype == np.uint64 else array.astype(np.int64)
    if array.dtype != np.uint64 and low != 0:
        offset -= low
    held = np.flatnonzero(np.bincount(offset, minlength=span))
    if held.size < span:
        number = np.zeros(span, dtype=np.int64)
        number[held] = np.arange(held.size)
        offset = number[offset]
    label = (held.astype(array.dtype) if array.dtype == np.uint64 else held) + array.dtype.type(low)
    return Partition(read_only(offset), read_only(label.astype(array.dtype)))


def _encode_objects(array: NDArray[Any]) -> Partition:
    """Return text, bytes or very large integers as cluster numbers, by a dictionary."""
    values = array.tolist()
    distinct = sorted(set(values))
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    code = np.fromiter(map(number.__getitem__, values), dtype=np.int64, count=len(values))
    label = np.empty(len(distinct), dtype=object)
    label[:] = distinct
    return Partition(read_only(code), read_only(label))
