"""All relabellings of the items of two trees, one by one: the table of each, and how often each table occurs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

Table = tuple[tuple[int, int, int], ...]  # node of the first, node of the second, number of items


def cells(first: Sequence[int], second: Sequence[int]) -> Table:
    """Return the number of items at each pair of nodes, given the node of each item."""
    found = Counter(zip(first, second, strict=True))
    return tuple((a, b, count) for (a, b), count in sorted(found.items()))


def relabellings(first: Sequence[int], second: Sequence[int]) -> Iterator[Table]:
    """Yield the cells of every relabelling of the items of the second tree; all are equally likely."""
    for nodes in permutations(second):
        yield cells(first, nodes)


def distribution(first: Sequence[int], second: Sequence[int]) -> dict[Table, float]:
    """Return the probability of each table."""
    found = Counter(relabellings(first, second))
    n = sum(found.values())
    return {table: count / n for table, count in found.items()}
