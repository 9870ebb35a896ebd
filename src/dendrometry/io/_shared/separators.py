"""Separators of paths: found in all values of a column, or chosen so that they can be found again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import NamedTuple

from dendrometry._display import plural, printable
from dendrometry.errors import InvalidInputError, Message, Remedy

_ARROWS = ("->", ">>", "→", "»", "›")  # of breadcrumbs
_MARKS = (*_ARROWS, ">", "/", "|", ";", "::", "\\")
_SURE = " > "  # names hardly hold it
_RARE = (*_ARROWS, ">", "|", "::")  # marks that names rarely hold
COLONS = (" : ", ":")  # often part of an identifier or a time, so taken only in paths, and where there is no other
_DOTS = (".", ",")  # in many names, so never taken unasked
_LISTS = (",", ";", "|", "\n")  # stand between several paths in one cell
_WRITTEN = ("/", "|", ";", ">")
_WORD = re.compile(r"[A-Z]?[a-z]++|[A-Z]++|[^\W\d_]++")


class Split(NamedTuple):
    """Paths as lists of steps, their separator, and what was assumed about it; no separator for single steps."""

    steps: list[list[str]]
    sep: str | None
    notes: list[Message]


def is_path_name(column: str) -> bool:
    """Whether the name of a column says that it holds paths: its last word is path or paths."""
    words = _WORD.findall(column)
    return bool(words) and words[-1].lower() in ("path", "paths")


def split_path(path: str, sep: str) -> list[str]:
    """Return the steps of a path; a separator before the first step is ignored: ``/birds/owls`` is ``birds/owls``."""
    path = path.removeprefix(sep)
    return path.split(sep) if path else []


def split_paths(values: Sequence[str], sep: str | None = None, *, named: bool = True) -> Split:
    """Return the steps of all paths, without the blanks around them; a ``sep`` that is not given is found.

    Unless the name of their column says that they are paths (``named``), they must look like paths or hold a "/".

    The separator is decided by all paths. ``>`` with blanks is taken wherever it occurs, otherwise the mark that the
    most paths hold. Where most paths have blanks around it, a mark without blanks belongs to a name, as in ``A/V /
    Cables``, unless it follows a node that another path has, or is the only one of its path and rare in names.

    Raises
    ------
    InvalidInputError
        If some paths hold only another mark, and these are the majority or would continue nodes that the others have;
        or if a value is several paths, which is only told if ``sep`` is given.
    """
    distinct = dict.fromkeys(values)
    notes: list[Message] = []
    if sep is not None:
        found = {value: _parts(value, sep) for value in distinct}
        notes = _tell_several(found, sep)
    else:
        sep = find_separator(distinct, named=named, paths=True)
        sep = "/" if sep is None and any("/" in value for value in distinct) else sep
        found = {value: _parts(value, sep or "/") for value in distinct}
        several = [] if sep is None else _tell_several(found, sep)
        if several:
            raise InvalidInputError(*several[0])
        notes = _tell_dots(distinct) if sep is None else []
        if sep is not None and sep not in COLONS:
            notes = [*_split_bare(found, sep), *_check_agreement(found, sep)]
    return Split([found[value] for value in values], sep, notes)


def find_separator(values: Iterable[str], *, named: bool = False, paths: bool = False) -> str | None:
    """Return the separator of values that look like paths, or None.

    Values look like paths if at least half of the distinct ones hold the separator, no step but the last is empty, and
    some share their first step or the separator is ``>`` with blanks, which names hardly hold; if the name of their
    column says that they are paths, no empty step is enough, and of ``paths`` one ``>`` with blanks. Of several
    separators, ``>`` with blanks is taken, or else the one that the most values hold. A colon counts if the values are
    known to be paths, by the name of their column or since they are ``paths``, share first steps, and hold no other
    separator.
    """
    distinct = {value for value in values if value}
    marks = tuple(_usual_form(distinct, mark) for mark in _MARKS)
    if paths and _SURE in marks and _most_frequent(distinct, (_SURE,), shared=False) is not None:
        return _SURE
    found = _most_frequent(distinct, marks, shared=not named)
    return _most_frequent(distinct, COLONS, shared=True) if found is None and (named or paths) else found


def _usual_form(distinct: set[str], mark: str) -> str:
    """Return a mark with blanks if at least half of the values that hold it write it so."""
    spaced = _spaced(mark)
    n_bare = sum(mark in value for value in distinct)
    return spaced if n_bare and 2 * sum(spaced in value for value in distinct) >= n_bare else mark


def _spaced(mark: str) -> str:
    """Return a mark with the blanks that people write around it."""
    return "; " if mark == ";" else f" {mark} "


def _most_frequent(distinct: set[str], separators: tuple[str, ...], *, shared: bool) -> str | None:
    """Return the separator that most of the values hold; ``shared`` says whether some must share their first step."""
    best, most = None, 0
    for sep in separators:
        mark = sep.strip()
        split = [steps for value in distinct if mark in value and (steps := _parts(value, sep))]
        alike = sep == _SURE or len({steps[0] for steps in split}) < len(split)
        alike = alike and 2 * len(split) >= len(distinct)
        sound = all(step for steps in split for step in steps[:-1])  # mothur ends a path by its mark
        if len(split) > most and (alike or not shared) and sound:
            best, most = sep, len(split)
            if sep == _SURE:
                break
    return best


def _parts(value: str, sep: str) -> list[str]:
    """Return the steps of a path without the blanks around them, and without a separator before the first."""
    path = value.strip().removeprefix(sep.lstrip() or sep)
    return _trim(path.split(sep)) if path not in ("", sep.strip()) else []


def _trim(steps: list[str]) -> list[str]:
    """Return steps without the blanks around them."""
    return [step.strip() for step in steps]


def _split_bare(found: dict[str, list[str]], sep: str) -> list[Message]:
    """Split steps that hold the mark without blanks where it separates, and return what is assumed."""
    mark = sep.strip()
    mixed = [] if sep == mark else [value for value, steps in found.items() if any(mark in step for step in steps)]
    if not mixed:
        return []
    below: dict[tuple[int, str], int] = {}  # the node that a step leads to from another, 0 from the top
    for value in found.keys() - set(mixed):
        at = 0
        for step in found[value]:
            at = below.setdefault((at, step), len(below) + 1)
    n_split = 0
    for value in mixed:
        steps: list[str] = []
        at = 0
        for step in found[value]:
            parts = _trim(step.split(mark))
            only = len(found[value]) == 1 and mark in _RARE
            held = parts if all(parts) and (only or (at, parts[0]) in below) else [step]
            steps += held
            for part in held:
                at = below.get((at, part), -1)
        n_split += steps != found[value]
        found[value] = steps
    says = f"'{mark}' separates also without blanks, as in {plural(n_split, 'path')}"
    return [(says, Remedy("sep", sep, "takes it as part of a name there"))] * bool(n_split)


def _check_agreement(found: dict[str, list[str]], sep: str) -> list[Message]:
    """Refuse paths of which some hold only another separator that may separate; say which others hold one."""
    mark = sep.strip()
    tops = {steps[0] for value, steps in found.items() if mark in value}
    odd: dict[str, list[str]] = {}
    for value in found:
        other = next((one for one in _MARKS if mark not in value and one != mark and one in value), None)
        if other is not None and all(parts := _parts(value, other)) and len(parts) > 1:
            odd.setdefault(other, []).append(value)
    n_first = sum(mark in value for value in found)
    for other, values in odd.items():
        continued = [value for value in values if _parts(value, other)[0] in tops]
        if continued or len(values) > n_first:
            example, against = next(value for value in found if mark in value), (continued or values)[0]
            ways = "; ".join(
                f"by '{by}' these are {_tell(_parts(example, by))} and {_tell(_parts(against, by))}"
                for by in (sep, other)
            )
            raise InvalidInputError(
                f"the paths must have one separator; {n_first:,} hold '{mark}', as '{printable(example)}', and"
                f" {len(values):,} only '{other}', as '{printable(against)}': {ways}",
                Remedy("sep", sep, "takes the first"),
                Remedy("sep", other, "the second"),
            )
    return [
        (f"{plural(len(values), 'path')} without '{mark}', as '{printable(values[0])}', taken as one step",)
        for values in odd.values()
    ]


def _tell_several(found: dict[str, list[str]], sep: str) -> list[Message]:
    """Return that a value is several paths: a step ends in a mark of lists and the first step of some path."""
    tops = {steps[0] for steps in found.values() if steps}
    for value, steps in found.items():
        for step in steps[1:]:
            mark = next((mark for mark in _LISTS if mark != sep.strip() and mark in step), None)
            if mark is not None and step.rpartition(mark)[2].strip() in tops:
                says = f"each item must have one path; got several, with {mark!r} between them: '{printable(value)}'"
                return [(says, Remedy("", ..., "keep one of them in each row"))]
    return []


def _tell_dots(distinct: Iterable[str]) -> list[Message]:
    """Return that paths seem to be separated by a mark that is not taken unasked."""
    mark = _most_frequent({value for value in distinct if value}, _DOTS, shared=True)
    says = "no path holds a separator that is known: each is one step"
    return [] if mark is None else [(says, Remedy("sep", mark, "seems to separate them"))]


def _tell(steps: list[str]) -> str:
    """Return the steps of a path as they stand in a message."""
    return f"[{', '.join(printable(step) for step in steps)}]"


def choose_separator(paths: Iterable[tuple[str, ...]]) -> str:
    """Return a separator that splits the joined paths into their steps again: "/" if possible."""
    known = list(paths)
    for sep in chain(_WRITTEN, (f"/{number}/" for number in count(1))):
        if all(tuple(sep.join(path).split(sep)) == path for path in known if path):
            return sep
    raise AssertionError("some separator is longer than every name")
