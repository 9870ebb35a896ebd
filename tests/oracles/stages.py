"""The series of Morlini and Zani, from explicit partitions and the binary variables of pairs."""

from fractions import Fraction

from tests.oracles.contraction import partition_at, together
from tests.oracles.trees import Tree


def counts(a: Tree, b: Tree, ties: str) -> list[tuple[int, int, int]]:
    """(P, Q, T) for k = 2 .. n - 1."""
    n = len(a.item_node)
    result = []
    for k in range(2, n):
        x, y = together(partition_at(a, k, ties), n), together(partition_at(b, k, ties), n)
        result.append((len(x), len(y), len(x & y)))
    return result


def overall_distance(a: Tree, b: Tree, ties: str) -> Fraction | None:
    """Z, or None where no pair is ever together."""
    n, differ, norms = len(a.item_node), 0, 0
    for k in range(2, n):
        x, y = together(partition_at(a, k, ties), n), together(partition_at(b, k, ties), n)
        differ += len(x ^ y)
        norms += len(x) + len(y)
    return Fraction(differ, norms) if norms else None
