"""Other names: what names from elsewhere stand for, where that is not a measure, a linkage or a function by itself.

The names of a measure, or of 1 minus it, are in its record; those of a linkage in its rule; the others in
``other_names.csv``.
"""

import csv
from pathlib import Path
from typing import NamedTuple


class OtherName(NamedTuple):
    """Names that people use, the call that they stand for, and what it is.

    What is not in this package (``is_here`` is False) has the nearest call, and what that differs in.
    """

    names: tuple[str, ...]
    call: str
    meaning: str
    is_here: bool


def _read() -> tuple[OtherName, ...]:
    """Return the rows of the table."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    return tuple(
        OtherName(tuple(row["names"].split("; ")), row["call"], row["meaning"], row["is_here"] == "yes") for row in rows
    )


OTHER_NAMES = _read()
