"""Errors that give the place in a text where a rule of its format is broken."""

from __future__ import annotations

from dendrometry._display import printable
from dendrometry.errors import FormatError, Part


def broken_at(text: str, offset: int, language: str, *rule: Part) -> FormatError:
    """Return an error that gives the line and column of an offset, the rule, and the text found there."""
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    got = f"'{printable(text[offset : offset + 12])}'" if offset < len(text) else "the end of the text"
    return FormatError(f"{language}, line {line}, column {column}: ", *rule, f"; got {got}")
