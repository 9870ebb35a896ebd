"""JSON as a stream of events, to any depth: the standard parser is recursive and fails on deep trees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any

from dendrometry.errors import FormatError
from dendrometry.io._shared.place import broken_at

Event = tuple[str, Any, int]
"""The kind of an event (``{``, ``}``, ``[``, ``]``, ``key`` or ``value``), its value if any, and its offset."""

_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
        ([{}\[\],:])
      | "([^"\\\x00-\x1f]*+)"
      | (-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
      | (true|false|null)
    )""",
    re.VERBOSE,
)
_BLANKS = re.compile(r"[ \t\n\r]*+")
_MARK, _STRING, _NUMBER, _WORD = 1, 2, 3, 4
_WORDS = {"true": True, "false": False, "null": None}
_read_string = JSONDecoder().raw_decode  # only called at a quote, where it cannot recurse


def failure(text: str, offset: int, rule: str) -> FormatError:
    """Return an error that gives the place in a JSON text where a rule is broken."""
    return broken_at(text, offset, "JSON", rule)


def events(text: str) -> Iterator[Event]:  # noqa: C901 - one state machine in one loop
    """Yield the events of a JSON text in order; raise an error where it is not JSON. Linear, without recursion."""
    closers: list[str] = []  # the brackets that are open, as the characters that will close them
    expects, may_close = "value", False
    for kind, value, offset in _tokens(text):
        if kind == "mark" and closers and value == closers[-1] and (may_close or expects == "comma"):
            yield closers.pop(), None, offset
            expects, may_close = "comma", False
        elif expects == "value":
            if value == "{" and kind == "mark":
                closers.append("}")
                yield "{", None, offset
                expects, may_close = "key", True
            elif value == "[" and kind == "mark":
                closers.append("]")
                yield "[", None, offset
                may_close = True
            elif kind == "mark":
                raise failure(text, offset, "a value must follow")
            else:
                yield "value", value, offset
                expects, may_close = "comma", False
        elif expects == "key":
            if kind != "string":
                raise failure(text, offset, "a key in quotes must follow")
            yield "key", value, offset
            expects, may_close = "colon", False
        elif expects == "colon":
            if value != ":" or kind != "mark":
                raise failure(text, offset, "a colon must follow a key")
            expects = "value"
        elif not closers:
            raise failure(text, offset, "nothing may follow the value")
        elif value == "," and kind == "mark":
            expects = "key" if closers[-1] == "}" else "value"
        else:
            raise failure(text, offset, f"',' or '{closers[-1]}' must follow")
    if closers or expects == "value":
        wanted = f"',' or '{closers[-1]}'" if expects == "comma" else f"a {expects}"
        raise failure(text, len(text), f"{wanted} must follow")


def _tokens(text: str) -> Iterator[Event]:
    """Yield punctuation, strings and other values with offsets; an unexpected character is the last token."""
    match = _TOKEN.match
    i = 0
    while True:
        found = match(text, i)
        if found is None:
            offset = _BLANKS.match(text, i).end()  # type: ignore[union-attr]
            if offset == len(text):
                return
            if text[offset] != '"':
                yield "mark", text[offset], offset
                return
            value, i = _string(text, offset)
            yield "string", value, offset
            continue
        group, i = found.lastindex, found.end()
        if group == _MARK:
            yield "mark", found[1], i - 1
        elif group == _STRING:
            yield "string", found[2], found.start(2) - 1
        elif group == _NUMBER:
            yield "number", float(found[3]), found.start(3)
        else:
            yield "word", _WORDS[found[4]], found.start(4)


def _string(text: str, offset: int) -> tuple[str, int]:
    """Return the string with escapes that starts at an offset, and the offset after it."""
    try:
        value, after = _read_string(text, offset)
    except JSONDecodeError as error:
        raise failure(text, min(error.pos, len(text)), f"a string must be well formed ({error.msg})") from None
    return value, after
