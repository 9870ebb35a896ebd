"""Options with a few allowed words."""

from collections.abc import Iterable
from difflib import get_close_matches

from dendrometry._check.names import elements
from dendrometry._display import printable_repr, quote_first
from dendrometry.errors import InvalidInputError

__all__ = ["one_of", "some_of"]


def one_of(value: object, what: str, choices: Iterable[str], *, also: str = "", which: str = "") -> str:
    """Return a word that is among the choices.

    The message names ``also`` as a further possibility, and says with ``which`` what the choices have in common.
    """
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        near = get_close_matches(value, known, 1) if isinstance(value, str) else []
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise InvalidInputError(f"{what} must be {which}{_either(known, also)}; got {printable_repr(value)}{hint}")
    return value


def some_of(values: object, what: str, choices: Iterable[str]) -> list[str]:
    """Return words that are all among the choices, as a list."""
    known = tuple(choices)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        came = printable_repr(values)
        raise InvalidInputError(f"{what} must be a sequence of names, as in {what}=[{known[0]!r}]; got {came}")
    words = elements(values, what)
    unknown = [word for word in words if not isinstance(word, str) or word not in known]
    if unknown:
        raise InvalidInputError(f"{what} must be among {', '.join(map(repr, known))}; got {quote_first(unknown)}")
    return words


def _either(known: tuple[str, ...], also: str) -> str:
    """Return choices as text: 'a', 'b' or 'c'."""
    words = [*map(repr, known), *([also] if also else [])]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
