"""Names and numbers as text for messages and tables: labels are escaped, long lists are shortened."""

import reprlib
from collections.abc import Sequence
from typing import Any, TypeVar

from dendrometry.errors import Message, NthTree

Class = TypeVar("Class", bound=type[Any])

MOST_BITS = 2_000  # Python can refuse to print longer integers: its limit is configurable down to 640 digits


def printable(value: object, longest: int = 60) -> str:
    """Return a value as one line of printable text, truncated after ``longest`` characters.

    Control characters, terminal escapes, line breaks and direction marks appear as backslash escapes, so that a label
    can never control the terminal that shows it.
    """
    text = str.__str__(value) if isinstance(value, str) else _representation(value, longest)
    head = text[: longest + 1]  # truncated first, because escapes take time and memory
    head = "".join(c if c.isprintable() else _escape(c) for c in head)
    return head if len(head) <= longest else head[: longest - 1] + "…"


def _escape(character: str) -> str:
    """Return an escape for a character; for a byte of a file name that could not be decoded, that of the byte."""
    code = ord(character)
    is_byte = 0xDC80 <= code <= 0xDCFF
    return f"\\x{code - 0xDC00:02x}" if is_byte else character.encode("unicode_escape").decode("ascii")


def printable_repr(value: object) -> str:
    """Return a value in the form of `printable`, with text in quotes."""
    return printable(_representation(value, 60))


def _representation(value: object, longest: int) -> str:
    """Return the beginning of the ``repr`` of a value, however large, unusual or deeply nested the value is."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"an integer of {value.bit_length():,} bits"
    short = reprlib.Repr()
    short.maxlevel = 20
    short.maxlist = short.maxtuple = short.maxset = short.maxfrozenset = short.maxdeque = short.maxdict = longest
    short.maxarray = short.maxstring = short.maxlong = short.maxother = 3 * longest
    try:
        return short.repr(value)
    except Exception:  # the message must be printed whatever a foreign __repr__ raises
        return f"<{type(value).__name__}>"


def quote_first(values: Sequence[object], most: int = 5, count: int | None = None) -> str:
    """Return the first few values as quoted text, and the number of further ones, of ``count`` if not all are given."""
    n_more = (len(values) if count is None else count) - min(len(values), most)
    head = ", ".join(f"'{printable(value)}'" for value in values[:most])
    return f"{head} and {n_more} more" if n_more else head


def table_text(table: Any) -> str:
    """Return the columns of a frame that came for one column, and how to take one of them."""
    columns = list(getattr(table, "column_names", None) or table.columns)
    if len(columns) == 1:
        return f"a table with the column {quote_first(columns)} (take frame[{printable_repr(columns[0])}])"
    return f"a table with the columns {quote_first(columns)} (choose one of them, or see from_levels)"


def first_to_last(values: Sequence[object]) -> str:
    """Return the first and the last value as quoted, shortened text: 'ape' to 'owl'."""
    ends = values[:1] if len(values) == 1 else (values[0], values[-1])
    return " to ".join(f"'{printable(value, longest=24)}'" for value in ends)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 item``, ``1,000 items``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def percent(share: float) -> str:
    """Return a share in percent; 0 % and 100 % only if exact."""
    if 0.0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1.0 else f"{round(share, 2) + 0.0:.0%}".replace("-", "−")


def index_text(value: float, digits: int = 2) -> str:
    """Return an index with so many digits, or with up to six if it would be 1 and is not: 0.997, not 1.00."""
    texts = [f"{value + 0.0:.{n}f}" for n in range(digits, 7)]
    return next((text for text in texts if float(text) < 1.0 or value >= 1.0), texts[0])


def support_text(share: float) -> str:
    """Return a support in percent, as a whole number; 0 and 100 only if exact."""
    return str(round(100 * share) if share in (0.0, 1.0) else min(max(round(100 * share), 1), 99))


def p_text(p: float) -> str:
    """Return a p-value as short text with two digits: 0.012, or <0.001."""
    return "<0.001" if p < 0.001 else f"{p:.2g}"


def plain_signature(cls: Class) -> Class:
    """Return a NamedTuple whose signature in ``help()`` prints types as they are written, without ``ForwardRef``."""
    new: Any = cls.__new__
    new.__annotations__ = {name: getattr(kind, "__forward_arg__", kind) for name, kind in new.__annotations__.items()}
    return cls


def name_trees(parts: Message, names: tuple[str, str] | None) -> Message:
    """Return a message in which the two trees have their names, if they have any."""
    if names is None:
        return parts
    return tuple(printable(names[part.place == "second"], 80) if isinstance(part, NthTree) else part for part in parts)
