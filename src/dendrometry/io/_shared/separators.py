"""Separators of paths: found in the values of a column, or chosen so that they can be found again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, count

_SEPARATORS = (" > ", " / ", " | ", "; ", "::", ">", "/", "|", ";")  # those with blanks first: they hold the others
COLONS = (" : ", ":")  # often part of an identifier or a time, so taken only in paths, and where there is no other
_WRITTEN = ("/", "|", ";", ">")
_WORD = re.compile(r"[A-Z]?[a-z]++|[A-Z]++|[^\W\d_]++")


def is_path_name(column: str) -> bool:
    """Whether the name of a column says that it holds paths: its last word is path or paths."""
    words = _WORD.findall(column)
    return bool(words) and words[-1].lower() in ("path", "paths")


def split_path(path: str, sep: str) -> list[str]:
    """Return the steps of a path; a separator before the first step is ignored: ``/birds/owls`` is ``birds/owls``."""
    path = path.removeprefix(sep)
    return path.split(sep) if path else []


def find_separator(values: Iterable[str], *, named: bool = False, paths: bool = False) -> str | None:
    """Return the separator of values that look like paths, or None.

    Values look like paths if at least half of the distinct ones hold the separator, some share their first step, and
    no step is empty; if the name of their column says that they are paths, the last is enough. Of several separators,
    the one that the most values hold is taken. A colon counts if the values are known to be paths, by the name of their
    column or since they are ``paths``, share first steps, and hold no other separator.
    """
    distinct = {value for value in values if value}
    found = _most_frequent(distinct, _SEPARATORS, shared=not named)
    return _most_frequent(distinct, COLONS, shared=True) if found is None and (named or paths) else found


def _most_frequent(distinct: set[str], separators: tuple[str, ...], *, shared: bool) -> str | None:
    """Return the separator that most of the values hold; ``shared`` says whether some must share their first step."""
    best, most = None, 0
    for sep in separators:
        split = [steps for value in distinct if sep in value and (steps := split_path(value, sep))]
        alike = 2 * len(split) >= len(distinct) and len({steps[0] for steps in split}) < len(split)
        sound = all(step.strip() for steps in split for step in steps)
        if len(split) > most and (alike or not shared) and sound:
            best, most = sep, len(split)
    return best


def choose_separator(paths: Iterable[tuple[str, ...]]) -> str:
    """Return a separator that splits the joined paths into their steps again: "/" if possible."""
    known = list(paths)
    for sep in chain(_WRITTEN, (f"/{number}/" for number in count(1))):
        if all(tuple(sep.join(path).split(sep)) == path for path in known if path):
            return sep
    raise AssertionError("some separator is longer than every name")
