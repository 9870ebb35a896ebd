"""Z of Morlini and Zani: how many pairs differ, over all numbers of groups."""

from fractions import Fraction

from tests.oracles.levels.stages import partition_at, together
from tests.oracles.sets.trees import Tree


def overall_distance(a: Tree, b: Tree, ties: str = "together") -> Fraction | None:
    """Z, or None where no pair is ever together."""
    n, differ, norms = len(a.item_node), 0, 0
    for k in range(2, n):
        x, y = (together(partition_at(tree, k, ties), n) for tree in (a, b))
        differ += len(x ^ y)
        norms += len(x) + len(y)
    return Fraction(differ, norms) if norms else None
