"""Options with a few allowed words, and collections of them."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import islice
from typing import TypeVar

from dendrometry._display import printable, printable_repr, quote_first
from dendrometry.errors import Argument, InvalidInputError

_T = TypeVar("_T")
_LONGEST = 60  # of a word that is compared with the choices, which takes time; none of them is as long
_SHOWN = 20  # choices that are all listed
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
    meant: Callable[[str], str] | None = None,
    error: type[InvalidInputError] = InvalidInputError,
) -> str:
    """Return a word that is among the choices.

    The message names ``also`` as a further possibility, and says with ``which`` what the choices have in common; of
    many choices it suggests one, or lists the first. ``meant`` returns the choice for another name, or "".
    """
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        hint = suggestion(value, known, meant)
        raise error(hint, Argument(what), f" must be {which}{_either(known, also, hint)}; got {printable_repr(value)}")
    return value


def some_of(
    values: object, what: str, choices: Iterable[str], *, meant: Callable[[str], str] | None = None
) -> list[str]:
    """Return words that are all among the choices, as a list; ``meant`` as in `one_of`."""
    known = tuple(choices)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        got = printable_repr(values)
        raise InvalidInputError(Argument(what), f" must be a sequence of names, such as [{known[0]!r}]; got {got}")
    words = elements(values, what)
    unknown = [word for word in words if not isinstance(word, str) or word not in known]
    if unknown:
        hint = suggestion(unknown[0], known, meant)
        raise InvalidInputError(
            hint, Argument(what), f" must be among {_listed(known, hint)}; got {quote_first(unknown)}"
        )
    return words


def suggestion(value: object, known: Iterable[str], meant: Callable[[str], str] | None = None) -> str:
    """Return the choice that a word is nearest to, or nothing; of very many, the first are searched.

    It is a question with which the message begins, since what must hold may be long.
    """
    if not isinstance(value, str) or len(value) > _LONGEST:
        return ""
    choices = list(islice(known, _MOST))
    named = meant(value) if meant is not None else ""
    near = [named] if named in choices else get_close_matches(value, choices, 1)
    return f"did you mean {printable_repr(near[0])}? " if near else ""


def _listed(known: tuple[str, ...], hint: str) -> str:
    """Return choices as text: all of few, the first of many, and only the number of many if one is suggested."""
    if len(known) <= _SHOWN:
        return ", ".join(map(repr, known))
    return f"{len(known):,} names" if hint else quote_first(known)


def _either(known: tuple[str, ...], also: str, hint: str) -> str:
    """Return choices as text: 'a', 'b' or 'c'."""
    if len(known) > _SHOWN:
        return f"one of {_listed(known, hint)}{' or ' if also else ''}{also}"
    words = [*map(repr, known), *([also] if also else [])]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
