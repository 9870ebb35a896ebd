"""Lines of the texts in which taxonomies are published."""

from __future__ import annotations

from dendrometry.errors import FormatError, InvalidInputError


def require_text(text: object) -> str:
    """Return a text, with neither another type nor a byte order mark."""
    if not isinstance(text, str):
        raise InvalidInputError(f"the text must be a string; got {type(text).__name__}")
    return text.removeprefix("\ufeff")


def text_lines(text: object) -> list[tuple[int, str]]:
    """Return the lines of a text with their numbers, without comments and blank ones."""
    lines = enumerate(require_text(text).splitlines(), start=1)
    return [(at, line.strip()) for at, line in lines if line.strip() and not line.lstrip().startswith("#")]


def require_some(items: list[str], what: str) -> tuple[str, ...]:
    """Return items, of which there must be at least one."""
    if not items:
        raise FormatError(f"the text must hold at least one {what}; got none")
    return tuple(items)
