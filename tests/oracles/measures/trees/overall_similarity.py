"""S of Morlini and Zani: how many pairs are together in both, over all numbers of groups."""

from fractions import Fraction

from tests.oracles.levels.stages import partition_at, together
from tests.oracles.sets.trees import Tree


def overall_similarity(a: Tree, b: Tree, ties: str = "together") -> Fraction | None:
    """S, or None where no pair is ever together."""
    n, both, norms = len(a.item_node), 0, 0
    for k in range(2, n):
        x, y = (together(partition_at(tree, k, ties), n) for tree in (a, b))
        both += len(x & y)
        norms += len(x) + len(y)
    return Fraction(2 * both, norms) if norms else None
