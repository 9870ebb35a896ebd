"""What the columns of a table may hold: groups, texts, numbers, clusters; and tables that have no columns of items."""

from __future__ import annotations

import re

from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.first_row import check_columns
from dendrometry.io._shared.merges import check_no_edges, check_no_merges
from dendrometry.io._shared.missing import MISSING_WORDS

_MANY_WORDS = 8  # of a text
_MANY_ROWS = 20  # in more, a level has each value twice, on average
_WHOLE = re.compile(r"-?\d{1,9}+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)


def groups(values: list[str]) -> bool:
    """Whether a column has several values, and not nearly another one in each row; of few rows, no number for each."""
    n, rows = len(set(values)), len(values)
    return 1 < n <= (rows // 2 if rows > _MANY_ROWS else rows - all(map(is_number, values)))


def nested_run(first: str, groups: dict[str, list[str]]) -> list[str]:
    """Return a column and the next ones, in their order, that each divide the values of the one before further."""
    names = list(groups)
    run = [first]
    for name in names[names.index(first) + 1 :]:
        pairs, values = set(zip(groups[run[-1]], groups[name], strict=True)), set(groups[name])
        if len(pairs) == len(values) > len(set(groups[run[-1]])):
            run.append(name)
    return run


def are_texts(values: list[str]) -> bool:
    """Whether a column holds texts: on average many words, and hardly ever the same."""
    n_words = sum(len(value.split()) for value in values)
    return len(values) > 1 and n_words >= _MANY_WORDS * len(values) and 2 * len(set(values)) > len(values)


def is_of_another_kind(columns: dict[str, list[str]]) -> bool:
    """Whether a table has no header, or holds the edges or the merges of a tree."""
    try:
        for check in (check_columns, check_no_edges, check_no_merges) if columns else ():
            check(columns)
    except InvalidInputError:
        return True
    return False


def are_clusters(values: list[str]) -> bool:
    """Whether a column may number clusters: several, without a gap, from 0, 1 or -1 on, and fewer than rows."""
    numbers = {int(value) for value in values if _WHOLE.fullmatch(value)}
    if len(numbers) < len(set(values)) or not 1 < len(numbers) < len(values):
        return False
    return min(numbers) in (-1, 0, 1) and max(numbers) - min(numbers) == len(numbers) - 1


def is_number(value: str) -> bool:
    """Whether a value is a number, or missing."""
    return not value or value in MISSING_WORDS or _NUMBER.fullmatch(value) is not None
