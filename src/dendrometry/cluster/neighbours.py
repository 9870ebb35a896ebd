"""Neighbours, as text: a file with a pair of items in each row, or the shape of a grid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from dendrometry._check.choices import suggestion
from dendrometry._display import printable
from dendrometry.cluster.table import read_rows
from dendrometry.errors import FormatError, InvalidInputError

_GRID = re.compile(r"[1-9][0-9]*(x[1-9][0-9]*)*", re.ASCII)


def read_connectivity(text: str, items: Sequence[str]) -> Any:
    """Return the argument ``connectivity`` of `agglomerate`: the shape of a grid, such as 28x28, or a sparse matrix.

    What is no shape is a CSV or TSV file with a header, whose first two columns are items that are neighbours.

    Raises
    ------
    FormatError
        If a row has less than two columns, or names what is no item; the message names the line.
    InvalidInputError
        If the file cannot be read, or the grid has another number of cells than there are items.
    """
    from scipy.sparse import csr_array

    if _GRID.fullmatch(text):
        shape = tuple(map(int, text.split("x")))
        if prod(shape) != len(items):
            raise InvalidInputError(f"a grid of {text} has {prod(shape):,} cells, and there are {len(items):,} items")
        return shape
    header, rows = read_rows(text)
    name = printable(text, longest=4096)
    if len(header) < 2:
        raise FormatError(f"{name} must have two columns, of items that are neighbours; got '{printable(header[0])}'")
    number = {item: i for i, item in enumerate(items)}
    if all(word in number for word in header[:2]):
        raise FormatError(f"{name} must have a header; its first line is the pair '{printable(', '.join(header[:2]))}'")
    found = np.empty((2, len(rows)), dtype=np.int64)
    for r, (line, row) in enumerate(rows):
        for side in (0, 1):
            if row[side] not in number:
                hint = suggestion(row[side], number)
                raise FormatError(f"{hint}{name}, line {line}: '{printable(row[side])}' must be an item")
            found[side, r] = number[row[side]]
    return csr_array((np.ones(len(rows)), (found[0], found[1])), shape=(len(items), len(items)))
