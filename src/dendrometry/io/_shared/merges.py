"""Merges of a tree in a table, by R's or SciPy's numbering: refused, since they look like columns of labels."""

from __future__ import annotations

from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._display import printable
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError, Remedy

_MOST_COLUMNS = 6  # of a table of edges
_LONGEST = 100  # characters of a number
_EDGE_WORDS = frozenset("node node1 node2 source target parent child from to id parent_id parentid".split())


def check_no_merges(columns: dict[str, list[Any]]) -> None:
    """Refuse a table whose rows are the merges of an hclust object or of a linkage matrix.

    In both, every item and every cluster but the last is merged once. In R, items are -1 to -n and clusters count from
    1; in SciPy, items are 0 to n - 1 and clusters count from n.
    """
    if not 2 <= len(columns) <= 5:
        return
    numbers = [_numbers(column) for column in columns.values()]
    found = [column for column in numbers if column is not None]
    n = len(next(iter(columns.values()))) + 1
    for first, second in pairwise(found):
        merged = np.sort(np.concatenate([first, second]))
        if np.array_equal(merged, np.append(np.arange(-n, 0), np.arange(1, n - 1))):
            raise InvalidInputError(
                "a table must have one row for each item; got the merges of an hclust, one row for each merge",
                Remedy("", ..., "takes its parts", "from_hclust"),
                Remedy("", ..., "in R, ape::write.tree(ape::as.phylo(h)) writes a Newick file"),
            )
        if len(found) > 3 and n > 2 and np.array_equal(merged, np.arange(2 * n - 2)):
            raise InvalidInputError(
                "a table must have one row for each item; got the merges of a linkage matrix, one row for each merge",
                Remedy("", ..., "takes it", "from_linkage"),
                Remedy("", ..., "numpy.save writes it to an .npy file"),
            )


def check_no_edges(columns: dict[str, list[Any]]) -> None:
    """Refuse a table whose rows are the edges of a tree: in each row a node and the one above it.

    Names that are numbers, which labels may have in common with items, and names in several levels count only in
    columns with names of edges, or where one is said to hold parents; then there may be several roots, too.
    """
    if len(columns) < 2 or "item" in columns:
        return
    parents = [name for name in columns if "parent" in name.lower()]
    few = len(columns) <= _MOST_COLUMNS
    for child, parent in permutations(columns, 2) if few else product([next(iter(columns))], parents):
        below, above = columns[child], columns[parent]
        said = {child.lower(), parent.lower()} <= _EDGE_WORDS or parent in parents
        if (said or len(columns) == 2) and _are_edges(below, above, said, forest=parent in parents):
            raise InvalidInputError(
                "a table must have one row for each item; got the edges of a tree, one row for each edge from"
                f" '{printable(child)}' to '{printable(parent)}' above it",
                Remedy("", ..., "with the columns called node and parent, it is read as a tree"),
            )


def _are_edges(below: list[Any], above: list[Any], said: bool, *, forest: bool) -> bool:
    """Whether each value below occurs once, and those above lead on without a circle.

    They must lead over two steps to one root, unless they may be a ``forest``.
    """
    if not all(isinstance(child, str | int) and child != "" for child in below) or len(set(below)) < len(below):
        return False
    rows = [(child, up) for child, up in zip(below, above, strict=True) if isinstance(up, str | int) and up != ""]
    parent = {child: up for child, up in rows if child != up}
    known = set(below) if forest else parent
    inner = [up for up in parent.values() if up in known]
    named = said or any(isinstance(up, str) and not up.removeprefix("-").isdecimal() for up in inner)
    whole = forest or len(parent) >= len(below) - 1  # one row may be the root: nothing above, or itself
    if not inner or not named or not whole:
        return False
    done: set[Any] = set()
    for child in parent:
        way = []
        while child in parent and child not in done:
            done.add(child)
            way.append(child)
            child = parent[child]
            if child in way[-1:] or (child in done and child in set(way)):
                return False
    return True


def _numbers(column: list[Any]) -> FloatArray | None:
    """Return a column of numbers, or of their text, as an array; None if it holds anything else."""
    if any(isinstance(value, str) and len(value) > _LONGEST for value in column):
        return None
    try:
        numbers: NDArray[Any] = np.array([float(value) for value in column])
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers
