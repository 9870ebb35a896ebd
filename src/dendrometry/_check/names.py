"""Names from users, checked and returned as tuples of strings: given ones, or those that the data bring along."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from numbers import Real
from operator import countOf
from typing import Any

import numpy as np

from dendrometry._check.choices import elements
from dendrometry._display import plural, printable, quote_first
from dendrometry._kernels.io.names import Parts
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError

_MOST_NAMED = 10  # positions that a message lists
_LONG = 2**24  # characters of names, above which repeated ones are looked at once
_PIECE = 2**18  # names that are looked at together; an interrupt must wait for no more


def names_of(names: Iterable[str], what: str, hint: str = "") -> tuple[str, ...]:
    """Return names as a tuple of plain strings; refuse what is not a sequence of text that UTF-8 can encode.

    The message about a value that is not text ends with the ``hint``.
    """
    column = _sequence(names, what)
    if countOf(map(type, column), str) < len(column):
        for at, name in enumerate(column):
            if not isinstance(name, str):
                got = f"{printable(name)} of type {type(name).__name__} at position {at}"
                raise InvalidInputError(f"{what} must be strings; got {got}{hint}")
        column = tuple(map(str.__str__, column))
    try:
        "".join(column if sum(map(len, column)) < _LONG else set(column)).encode()  # one long name may be there often
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"{what} must be valid Unicode; got a lone surrogate ({error.reason})") from None
    return column


def item_names_of(names: Iterable[Any], what: str) -> tuple[str, ...]:
    """Return names of items as a tuple of plain strings.

    Names that are all numbers, or all of one other hashable type, become their text. Text beside something else is
    refused, since 1 and "1" could be two items.
    """
    column = _sequence(names, what)
    if not any(isinstance(name, str) for name in column):
        missing = next((at for at, name in enumerate(column) if is_missing(name)), None)
        if missing is not None:
            got = f"{printable(column[missing])}, a missing value, at position {missing}"
            raise InvalidInputError(f"{what} must be strings; got {got}")
        try:
            column = _texts(column)
        except Exception:  # what the text of a foreign object raises may be anything
            raise InvalidInputError(f"{what} must be strings; got {printable(column[0])}, which has no text") from None
    return names_of(column, what, " (1 and '1' could be two items: convert with str() if they are not)")


def _texts(column: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return names that are all numbers, or all of one type that has a text of its own, as text; others unchanged."""
    if all(isinstance(name, Real) and not isinstance(name, bool | np.bool_) for name in column):
        return tuple(str(int(name)) if name == name // 1 else str(float(name)) for name in column)
    kind = type(column[0])
    prints = any("__str__" in vars(base) or "__repr__" in vars(base) for base in kind.__mro__[:-1])
    hashable = isinstance(column[0], Hashable) and not isinstance(column[0], bytes) and not callable(column[0])
    one_kind = prints and hashable and len(set(map(type, column))) == 1
    return tuple(map(str, column)) if one_kind else column


def _sequence(names: Iterable[Any], what: str) -> tuple[Any, ...]:
    """Return what a sequence holds; refuse text, sets, mappings, and what cannot be iterated over."""
    tolist = getattr(names, "tolist", None)
    values = tolist() if callable(tolist) else names
    if isinstance(values, str | bytes | Set | Mapping) or not isinstance(values, Iterable):
        raise InvalidInputError(f"{what} must be a sequence of strings; got {printable(names)}")
    return tuple(elements(values, what))


def is_missing(value: object) -> bool:
    """Whether a value is None, nan, or the marker of a data frame for a missing value."""
    if isinstance(value, float | np.floating | np.datetime64 | np.timedelta64):
        return bool(value != value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def pair_of_names(names: Iterable[str] | None) -> tuple[str, str] | None:
    """Return the names of two trees or partitions, either of which may be empty; None stays None."""
    if names is None:
        return None
    given = names_of(names, "names")
    if len(given) != 2:
        raise InvalidInputError(f"names must be a pair, one name for each tree; got {plural(len(given), 'name')}")
    if given[0] and given[0] == given[1]:
        raise InvalidInputError(f"names must be different, to tell the trees apart; got '{printable(given[0])}' twice")
    return given[0], given[1]


def names_or_numbers(names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return item names as plain strings, or numbers from "0" if None; number and distinctness are not checked."""
    return tuple(map(str, range(count))) if names is None else item_names_of(names, "item names")


class _Distinct(tuple[str, ...]):
    """Item names that are known to be distinct and not empty, so that no tree has to check them again."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type, tuple[tuple[str, ...]]]:
        """Pickle them as a plain tuple."""
        return tuple, (tuple(self),)


def known_distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return item names that a format has found to be distinct, not empty and valid, as no tree will check again."""
    return _Distinct(names)


def name_column(names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return item names as a tuple of distinct, non-empty strings; None numbers the items from "0"."""
    if names is None:
        return _Distinct(names_or_numbers(None, count))
    column = names if isinstance(names, _Distinct) else names_or_numbers(names, count)
    if len(column) != count:
        raise InvalidInputError(f"there must be one item name for each of {count:,} items; got {len(column):,}")
    if isinstance(column, _Distinct):
        return column
    distinct: set[str] = set()
    for start in range(0, count, _PIECE):
        distinct.update(column[start : start + _PIECE])
    if "" in distinct:
        raise InvalidInputError(f"item names must not be empty; got '' at position {column.index('')}")
    if len(distinct) < count:
        seen: set[str] = set()
        twice = [name for name in column if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
        raise InvalidInputError(f"item names must be distinct; these are repeated: {quote_first(twice)}")
    return _Distinct(column)


def parts_of(*columns: tuple[str, ...]) -> list[Parts]:
    """Return columns of names as parts of texts, one for each, all in the same encoding of a fixed width."""
    texts = ["".join(column) for column in columns]
    encoding, width = ("ascii", 1) if all(map(str.isascii, texts)) else ("utf-32-le", 4)
    stops = [width * np.cumsum(np.fromiter(map(len, column), dtype=np.int64)) for column in columns]
    encoded = [np.frombuffer(text.encode(encoding), dtype=np.uint8) for text in texts]
    return [Parts(text, np.append(0, stop[:-1]), stop) for text, stop in zip(encoded, stops, strict=True)]


def table_for(parts: Parts) -> IntArray:
    """Return an empty table for parts of a text, at least twice as large. NumPy's memory is faster than a loop's."""
    return np.full(1 << max(10, (2 * parts.start.size - 1).bit_length()), -1, dtype=np.int64)


def names_within(data: Any) -> tuple[str, ...] | None:
    """Return the names that data bring along: the keys of a mapping, or an index of pandas other than 0 to n - 1."""
    keys = _keys(data)
    if keys is None or (not isinstance(data, Mapping) and _is_numbered(keys)):
        return None
    return item_names_of(keys, "the keys" if isinstance(data, Mapping) else "the index")


def has_row_numbers(data: Any) -> bool:
    """Whether an index without a name holds whole numbers other than 0 to n - 1, as that of some rows of a frame."""
    index = None if isinstance(data, Mapping) else _keys(data)
    return index is not None and index.name is None and _is_whole(index) and not _is_numbered(index)


def name_items(data: Any, names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return the names of the items of some data: those given, else those within the data, else numbers from "0".

    Every function that takes labels, points or paths names its items here. Given names that have an index must have
    that of the data. Given names without one replace row numbers, but must agree with an index that names the items.
    """
    within = names_within(data)
    if names is None:
        return name_column(within, count)
    column = name_column(names, count)
    if _keys(names) is not None and _keys(data) is not None and not _same(names, data):
        raise ItemMismatchError("item_names must have the index of the data; got another index (pass its .tolist())")
    if within is not None and column != within and sorted(column) == sorted(within):
        at = next(i for i, (given, own) in enumerate(zip(column, within, strict=True)) if given != own)
        raise ItemMismatchError(
            "item_names must be in the order of the data; got the names of its index in another order:"
            f" '{printable(column[at])}' where it has '{printable(within[at])}'"
        )
    if within is not None and column != within and _keys(names) is None and not _is_whole(_keys(data)):
        at = next(i for i, (given, own) in enumerate(zip(column, within, strict=True)) if given != own)
        raise ItemMismatchError(
            "item_names must agree with the index of the data, which names the items; got"
            f" '{printable(column[at])}' where it has '{printable(within[at])}' (without an index, as .to_numpy(), the"
            " data take any names)"
        )
    return column


def alignment(first: Any, second: Any, what: str = "the partitions") -> IntArray | None:
    """Return the position in the second of each item of the first, by key or index; None: both are in one order.

    Data without keys or index are in the order of the other. With keys or an index on both sides, these must be the
    same; an index of 0 to n - 1 counts as well, as the other side is not known to be in its order.
    """
    if _keys(first) is None or _keys(second) is None or _same(first, second):
        return None
    a, b = (item_names_of(_keys(data), f"the index of {what}") for data in (first, second))
    for names, which in ((a, "first"), (b, "second")):
        if len(set(names)) < len(names):
            raise ItemMismatchError(
                f"{what} must have the same index, or distinct names in it to be matched by; the {which} repeats some"
                " (without an index, as .to_numpy(), they are matched by position)"
            )
    return positions_of(a, b, what)


def reorder(first: Any, data: Any, what: str) -> Any:
    """Return data as an array in the order of the first, if both have an index or keys; other data unchanged."""
    order = alignment(first, data, what)
    return data if order is None else np.asarray(data)[order]


def positions_of(names: tuple[str, ...], among: tuple[str, ...], what: str) -> IntArray:
    """Return the position of each name in ``among``; refuse names on either side that the other lacks."""
    place = {name: at for at, name in enumerate(among)}
    missing = [name for name in names if name not in place]
    strange = sorted(place.keys() - set(names))
    if missing or strange:
        parts = [
            f"{plural(len(some), 'item')} only in the {which}: {quote_first(some)}"
            for some, which in ((missing, "first"), (strange, "second"))
            if some
        ]
        raise ItemMismatchError(
            f"{what} must name the same items by their index or keys; {'; '.join(parts)}"
            " (without an index, as .to_numpy(), they are matched by position)"
        )
    return np.fromiter(map(place.__getitem__, names), dtype=np.int64, count=len(names))


def position_text(data: Any, position: Sequence[int]) -> str:
    """Return the first positions in data as text, each with its key or the name of its row: position 1 ('cat')."""
    keys = _keys(data)
    named = keys is not None and (isinstance(data, Mapping) or not _is_numbered(keys))
    head = position[:_MOST_NAMED]
    places = ", ".join(f"{at} ('{printable(keys[at])}')" if named else str(at) for at in head)
    more = f" and {len(position) - _MOST_NAMED:,} more" if len(position) > _MOST_NAMED else ""
    return f"{'position' if len(position) == 1 else 'positions'} {places}{more}"


def _keys(data: Any) -> Any:
    """Return the keys of a mapping or the index of an object of pandas; None if there are none."""
    if isinstance(data, Mapping):
        return list(data)
    return data.index if hasattr(data, "iloc") and hasattr(data, "index") else None


def is_numbered(names: tuple[str, ...]) -> bool:
    """Whether items are only numbered, from "0"."""
    n = len(names)
    return names[:1] == ("0",) and names[-1] == str(n - 1) and names == tuple(map(str, range(n)))


def _is_whole(index: Any) -> bool:
    """Whether an index holds whole numbers, as that of some rows of a table does."""
    return np.asarray(index).dtype.kind in "iu"


def _is_numbered(index: Any) -> bool:
    """Whether an index only numbers the rows, from 0."""
    numbers = np.asarray(index)
    return numbers.dtype.kind in "iu" and np.array_equal(numbers, np.arange(numbers.size))


def _same(first: Any, second: Any) -> bool:
    """Whether two sides have the same keys or index, in the same order."""
    a, b = _keys(first), _keys(second)
    return bool(a.equals(b)) if hasattr(a, "equals") and hasattr(b, "equals") else list(a) == list(b)
