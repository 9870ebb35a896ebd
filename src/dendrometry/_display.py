"""Names and numbers as text for messages and tables: labels are escaped, long lists are shortened."""

from collections.abc import Sequence

__all__ = ["quote_first", "plural", "printable"]


def printable(value: object, longest: int = 60) -> str:
    """Return a value as one line of printable text, cut after ``longest`` characters.

    Control characters, terminal escapes, line breaks and direction marks appear as
    backslash escapes, so that a label can never control the terminal that shows it.
    """
    text = value if isinstance(value, str) else repr(value)
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quote_first(values: Sequence[object], most: int = 5) -> str:
    """Return the first few values as quoted text, and how many more there are."""
    head = ", ".join(f"'{printable(value)}'" for value in values[:most])
    return head if len(values) <= most else f"{head} and {len(values) - most} more"


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 item``, ``1,000 items``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
