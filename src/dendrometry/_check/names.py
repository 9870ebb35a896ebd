"""Names from users, checked and returned as tuples of strings."""

from collections.abc import Iterable, Set
from operator import countOf
from typing import TypeVar

from dendrometry._display import printable, quote_first
from dendrometry.errors import InvalidInputError

__all__ = ["elements", "name_column", "names_of", "names_or_numbers", "pair_of_names"]

_T = TypeVar("_T")

_PIECE = 2**18  # names that are looked at together; an interrupt must wait for no more


def names_of(names: Iterable[str], what: str) -> tuple[str, ...]:
    """Return names as a tuple of plain strings; refuse what is not a sequence of text that UTF-8 can encode."""
    tolist = getattr(names, "tolist", None)
    values = tolist() if callable(tolist) else names
    if isinstance(values, str | bytes | Set) or not isinstance(values, Iterable):
        raise InvalidInputError(f"{what} must be a sequence of strings; got {printable(names)}")
    column = tuple(elements(values, what))
    if countOf(map(type, column), str) < len(column):
        for at, name in enumerate(column):
            if not isinstance(name, str):
                raise InvalidInputError(
                    f"{what} must be strings; got {printable(name)} of type {type(name).__name__} at position {at}"
                    " (1 and '1' could be two items: convert with str() if they are not)"
                )
        column = tuple(map(str.__str__, column))
    try:
        "".join(column).encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"{what} must be valid Unicode; got a lone surrogate ({error.reason})") from None
    return column


def elements(values: Iterable[_T], what: str) -> list[_T]:
    """Return what a collection holds, in its order; refuse what is none, or only looks like one."""
    try:
        return list(values)
    except TypeError:  # as an array without dimensions
        raise InvalidInputError(f"{what} must be a collection; got {printable(values)}") from None


def pair_of_names(names: Iterable[str] | None) -> tuple[str, str] | None:
    """Return the names of two trees or partitions, either of which may be empty; None stays None."""
    if names is None:
        return None
    given = names_of(names, "names")
    if len(given) != 2:
        raise InvalidInputError(f"names must be two, one for each side; got {len(given)}")
    return given[0], given[1]


def names_or_numbers(names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return item names as plain strings, or numbers from "0" if None; number and distinctness are not checked."""
    return tuple(map(str, range(count))) if names is None else names_of(names, "item names")


def name_column(names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return item names as a tuple of distinct, non-empty strings; None numbers the items from "0"."""
    column = names_or_numbers(names, count)
    if len(column) != count:
        raise InvalidInputError(f"there must be one item name for each of {count:,} items; got {len(column):,}")
    distinct: set[str] = set()
    for start in range(0, count, _PIECE):
        distinct.update(column[start : start + _PIECE])
    if "" in distinct:
        raise InvalidInputError(f"item names must not be empty; got '' at position {column.index('')}")
    if len(distinct) < count:
        seen: set[str] = set()
        twice = [name for name in column if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
        raise InvalidInputError(f"item names must be distinct; these are repeated: {quote_first(twice)}")
    return column
