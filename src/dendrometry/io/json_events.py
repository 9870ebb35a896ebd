"""JSON as a stream of events, to any depth: the standard parser recurses and gives up on deep trees."""

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, NamedTuple

from dendrometry.display import shown
from dendrometry.errors import FormatError

__all__ = ["Event", "events", "failure"]

_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}
_LONGEST_NUMBER = 400
_read_string = JSONDecoder().raw_decode  # only ever asked at a quote, where it cannot recurse


class Event(NamedTuple):
    """Something met in a JSON text: ``{``, ``}``, ``[``, ``]``, a ``key`` or a ``value``, and its offset."""

    kind: str
    value: Any
    offset: int


def failure(text: str, offset: int, rule: str) -> FormatError:
    """Return an error that says where in the text a rule is broken."""
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    came = f"'{shown(text[offset : offset + 12])}'" if offset < len(text) else "the end of the text"
    return FormatError(f"JSON, line {line}, column {column}: {rule}; got {came}")


def events(text: str) -> Iterator[Event]:  # noqa: C901 - one state machine in one loop
    """Yield what stands in a JSON text, in order; raise where it is not JSON. Linear, without recursion."""
    skip = _BLANK.match
    closers: list[str] = []  # the brackets that are open, as the characters that will close them
    i = skip(text, 0).end()  # type: ignore[union-attr]
    expects_value = True
    while True:
        if expects_value:
            c = text[i : i + 1]
            if c in ("{", "["):
                yield Event(c, None, i)
                closers.append("}" if c == "{" else "]")
                i = skip(text, i + 1).end()  # type: ignore[union-attr]
                if text[i : i + 1] != closers[-1]:
                    if c == "{":
                        key, i = _key(text, i)
                        yield key
                    continue
            else:
                value, after = _scalar(text, i)
                yield Event("value", value, i)
                i = skip(text, after).end()  # type: ignore[union-attr]
            expects_value = False
        elif not closers:
            if i < len(text):
                raise failure(text, i, "nothing must follow the value")
            return
        elif text[i : i + 1] == closers[-1]:
            yield Event(closers.pop(), None, i)
            i = skip(text, i + 1).end()  # type: ignore[union-attr]
        elif text[i : i + 1] == ",":
            i = skip(text, i + 1).end()  # type: ignore[union-attr]
            if closers[-1] == "}":
                key, i = _key(text, i)
                yield key
            expects_value = True
        else:
            raise failure(text, i, f"',' or '{closers[-1]}' must come next")


def _key(text: str, i: int) -> tuple[Event, int]:
    """Return the key that starts at i, and the offset of its value."""
    if text[i : i + 1] != '"':
        raise failure(text, i, "a key in quotes must come next")
    value, after = _string(text, i)
    colon = _BLANK.match(text, after).end()  # type: ignore[union-attr]
    if text[colon : colon + 1] != ":":
        raise failure(text, colon, "a colon must follow a key")
    return Event("key", value, i), _BLANK.match(text, colon + 1).end()  # type: ignore[union-attr]


def _string(text: str, i: int) -> tuple[str, int]:
    """Return the string that starts at i, and the offset behind it."""
    try:
        value, after = _read_string(text, i)
    except JSONDecodeError as error:
        raise failure(text, min(error.pos, len(text)), f"a string must be well formed ({error.msg})") from None
    return value, after


def _scalar(text: str, i: int) -> tuple[Any, int]:
    """Return the string, number or word that starts at i, and the offset behind it."""
    if text[i : i + 1] == '"':
        return _string(text, i)
    number = _NUMBER.match(text, i)
    if number:
        if number.end() - i > _LONGEST_NUMBER:
            raise failure(text, i, f"a number must have at most {_LONGEST_NUMBER} characters")
        return float(number.group()), number.end()
    for word, value in _WORDS.items():
        if text.startswith(word, i):
            return value, i + len(word)
    raise failure(text, i, "a value must come next")
