"""The classic F-score of Spytkowski et al.: pairs of items at the same node."""

from fractions import Fraction

from tests.oracles.measures.trees.related_pairs import f_score
from tests.oracles.sets.trees import Tree


def classic_f(a: Tree, b: Tree) -> Fraction | None:
    return f_score(
        lambda i, j: a.item_node[i] == a.item_node[j],
        lambda i, j: b.item_node[i] == b.item_node[j],
        len(a.item_node),
    )
