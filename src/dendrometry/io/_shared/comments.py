"""Comments in square brackets, and the names and supports of nodes that NHX and BEAST write in them."""

from __future__ import annotations

import re

_BRACKET = re.compile(r"[\[\]]")
_MARK = re.compile(r"'(?:[^']++|'')*+'|[\[,)]")
_KEY = re.compile(r"([^,={}]++)(=?+)")
_VALUE = re.compile(r"[^,]*+")
_NAMING = ("ND", "S", "label", "B", "posterior", "bootstrap", "prob")  # names first, then supports


def after_comment(text: str, start: int) -> int:
    """Return the offset behind the comment that opens at ``start`` and may hold others; -1 if it is not closed."""
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == "[" else -1
        if depth == 0:
            return bracket.end()
    return -1


def comment_names(text: str) -> dict[int, str]:
    """Return the names, or else the supports, that comments of a valid Newick text give to its nodes.

    Nodes are numbered as they end, children first: a node ends at a comma or closing bracket, so that the number of
    these before a comment is that of its node.
    """
    names: dict[int, str] = {}
    node = at = 0
    while (mark := _MARK.search(text, at)) is not None:
        at = mark.end()
        if mark[0] in ",)":
            node += 1
        elif mark[0] == "[":
            at = after_comment(text, mark.start())
            name = _name(text[mark.start() : at])
            if name:
                names.setdefault(node, name)
    return names


def _parts(text: str) -> list[str]:
    """Return the parts ``key=value`` of a comment, in which commas separate; braces and quotes hold commas. O(n)."""
    last = {mark: text.rfind(mark) for mark in '}"'}  # so that a mark without a second one is not searched for again
    parts = []
    at = 0
    while (key := _KEY.search(text, at)) is not None:
        at = key.end()
        if key[2]:
            mark = {"{": "}"}.get(text[at : at + 1], text[at : at + 1])
            closed = last.get(mark, -1) > at
            at = text.index(mark, at + 1) + 1 if closed else _VALUE.match(text, at).end()  # type: ignore[union-attr]
            parts.append(text[key.start() : at])
    return parts


def _name(comment: str) -> str:
    """Return the name of a node, or else its support, that a comment gives, or ""."""
    if comment.startswith("[&&NHX"):
        parts = comment[6:-1].split(":")
    elif comment.startswith("[&"):
        parts = _parts(comment[2:-1])
    else:
        return ""
    known = {key.strip(): value.strip().strip('"') for key, _, value in (part.partition("=") for part in parts)}
    return next((known[key] for key in _NAMING if known.get(key)), "")
