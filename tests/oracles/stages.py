"""The series of Morlini and Zani, from explicit partitions and the binary variables of pairs."""

from fractions import Fraction

from tests.oracles.contraction import partitions_at, together
from tests.oracles.trees import Tree


def counts(a: Tree, b: Tree, ties: str) -> list[tuple[int, int, int]]:
    """(P, Q, T) for k = 2 .. n - 1."""
    n = len(a.item_node)
    in_a, in_b = partitions_at(a, ties), partitions_at(b, ties)
    result = []
    for k in in_a:
        x, y = together(in_a[k], n), together(in_b[k], n)
        result.append((len(x), len(y), len(x & y)))
    return result


def overall_distance(a: Tree, b: Tree, ties: str) -> Fraction | None:
    """Z, or None where no pair is ever together."""
    n, differ, norms = len(a.item_node), 0, 0
    in_a, in_b = partitions_at(a, ties), partitions_at(b, ties)
    for k in in_a:
        x, y = together(in_a[k], n), together(in_b[k], n)
        differ += len(x ^ y)
        norms += len(x) + len(y)
    return Fraction(differ, norms) if norms else None
