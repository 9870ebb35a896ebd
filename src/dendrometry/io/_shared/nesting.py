"""Levels of a table that must be nested: each name of a level lies in one of the level above."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import NamedTuple

from dendrometry._display import printable
from dendrometry.errors import InvalidTreeError, Remedy

_MOST_LEVELS = 1_000  # of which each is compared with each


class _Apart(NamedTuple):
    """A name of a level that lies in two of a level above, with the rows that say so."""

    upper: str
    lower: str
    first: int
    second: int


def check_nested(levels: dict[str, list[str]], items: tuple[str, ...]) -> None:
    """Refuse levels that are not nested, by the first pair of levels, and of rows; "" is a missing value."""
    apart = _first_apart(levels)
    if apart is None:
        return
    above, below = levels[apart.upper], levels[apart.lower]
    backwards = _first_apart(dict(reversed(levels.items()))) is None
    order = (Remedy("levels", ..., "takes them in the other order, which is nested"),) if backwards else ()
    raise InvalidTreeError(
        f"levels must be nested, from the top down; '{printable(below[apart.first])}' of '{printable(apart.lower)}'"
        f" lies in '{printable(above[apart.first])}' and in '{printable(above[apart.second])}' of"
        f" '{printable(apart.upper)}', as of the items '{printable(items[apart.first])}' and"
        f" '{printable(items[apart.second])}'",
        *(order or (Remedy("levels", ..., "names the columns that are levels"),)),
        Remedy("repeats", "split", "makes a node of that name below each"),
        Remedy("", ..., "takes clusterings that are not nested", "partition.resolutions"),
    )


def _first_apart(levels: dict[str, list[str]]) -> _Apart | None:
    """Return the first name that lies in two of a level above, or None.

    Neighbouring levels are enough if no value is missing; where one is, the levels around it are compared, too.
    """
    names = list(levels)
    full = all(all(column) for column in levels.values())
    if not full and len(names) > _MOST_LEVELS:
        raise InvalidTreeError(
            f"a table with missing values must have at most {_MOST_LEVELS:,} levels; got {len(names):,}",
            Remedy("levels", ..., "names the columns that are levels"),
        )
    for upper, lower in pairwise(names) if full else combinations(names, 2):
        row_of: dict[str, int] = {}
        above = levels[upper]
        for row, (value, over) in enumerate(zip(levels[lower], above, strict=True)):
            if value and over and above[row_of.setdefault(value, row)] != over:
                return _Apart(upper, lower, row_of[value], row)
    return None
