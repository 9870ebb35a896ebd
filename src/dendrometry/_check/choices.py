"""Options with a few allowed words, and collections of them."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import TypeVar

from dendrometry._display import printable, printable_repr, quote_first
from dendrometry.errors import Argument, InvalidInputError

_T = TypeVar("_T")
_LONGEST = 60  # of a word that is compared with the choices, which takes time; none of them is as long
_MOST = 20_000  # choices that a word is compared with


def elements(values: Iterable[_T], what: str) -> list[_T]:
    """Return what a collection holds, in its order; refuse what is none, or only looks like one."""
    try:
        return values.to_pylist() if hasattr(values, "to_pylist") else list(values)  # a column of PyArrow
    except TypeError:  # as an array without dimensions
        raise InvalidInputError(Argument(what), f" must be a collection; got {printable(values)}") from None


def one_of(
    value: object,
    what: str,
    choices: Iterable[str],
    *,
    also: str = "",
    which: str = "",
    error: type[InvalidInputError] = InvalidInputError,
) -> str:
    """Return a word that is among the choices.

    The message names ``also`` as a further possibility, and says with ``which`` what the choices have in common.
    """
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        got = f"{printable_repr(value)}{suggestion(value, known)}"
        raise error(Argument(what), f" must be {which}{_either(known, also)}; got {got}")
    return value


def some_of(values: object, what: str, choices: Iterable[str]) -> list[str]:
    """Return words that are all among the choices, as a list."""
    known = tuple(choices)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        got = printable_repr(values)
        raise InvalidInputError(Argument(what), f" must be a sequence of names, such as [{known[0]!r}]; got {got}")
    words = elements(values, what)
    unknown = [word for word in words if not isinstance(word, str) or word not in known]
    if unknown:
        hint = suggestion(unknown[0], known)
        raise InvalidInputError(
            Argument(what), f" must be among {', '.join(map(repr, known))}; got {quote_first(unknown)}{hint}"
        )
    return words


def suggestion(value: object, known: Iterable[str]) -> str:
    """Return the choice that a word is nearest to, as a question, or nothing; of very many, the first are searched."""
    if not isinstance(value, str) or len(value) > _LONGEST:
        return ""
    near = get_close_matches(value, islice(known, _MOST), 1)
    return f" (did you mean {printable_repr(near[0])}?)" if near else ""


def _either(known: tuple[str, ...], also: str) -> str:
    """Return choices as text: 'a', 'b' or 'c'."""
    words = [*map(repr, known), *([also] if also else [])]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
