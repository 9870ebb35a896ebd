"""Times of documents in tables: numbers, or dates as in ISO 8601."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from dendrometry._display import printable
from dendrometry.errors import FormatError


def time_of(value: str, where: str) -> float:
    """Return a number, or the days since 1970 of a date; without a time zone, it is taken as UTC.

    >>> time_of("80.5", "line 2"), time_of("1970-01-02", "line 2"), time_of("1970-01-02T12:00+06:00", "line 2")
    (80.5, 1.0, 1.25)
    """
    try:
        number = float(value)
    except ValueError:
        return _days(value, where)
    if not math.isfinite(number):
        raise FormatError(f"{where}: a time must be finite; got {printable(value)}")
    return number


def _days(value: str, where: str) -> float:
    """Return the days of a date since 1970."""
    try:
        date = datetime.fromisoformat(value.strip())
    except ValueError:
        what = "a time must be a number, or a date such as 1987-02-26 15:01"
        raise FormatError(f"{where}: {what}; got '{printable(value)}'") from None
    date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return (date - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() / 86_400
