"""A file that is looked at, and what is said of one that cannot be read, from which what is said of others starts."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from dendrometry.errors import DendrometryError, Remedy, phrase


class Given(NamedTuple):
    """A file: its path, its name, how it is read, and for which of the places of the form it is."""

    path: str
    name: str
    reading: Mapping[str, Any]
    place: int = 0


def empty_card(name: str, problem: str = "") -> dict[str, Any]:
    """Return what is said of a file of which nothing is known but a problem."""
    return {
        "name": name,
        "what": "",
        "size": None,
        "readable": False,
        "n_items": None,
        "summary": "",
        "problem": problem,
        "assumed": [],
        "doubts": [],
        "ways": [],
        "columns": [],
        "item": None,
        "taken": [],
        "kind": "",
        "points": 0,
    }


def without_remedies(part: Any) -> str:
    """Return a part of a message without its remedies: the page offers those as buttons."""
    return "" if isinstance(part, Remedy) else str(part)


def problem_of(error: DendrometryError, path: str, name: str) -> str:
    """Return the message of an error, with the name of a file as its user knows it."""
    return phrase(error.args, without_remedies).removeprefix(f"{path}: ").replace(path, name)
