"""The partial order F-score of Spytkowski et al.: an item at the node of another or below it."""

from fractions import Fraction

from tests.oracles.measures.trees.related_pairs import f_score
from tests.oracles.sets.trees import Tree, ancestors


def partial_order_f(a: Tree, b: Tree) -> Fraction | None:
    return f_score(
        lambda i, j: a.item_node[j] in ancestors(a, a.item_node[i]),
        lambda i, j: b.item_node[j] in ancestors(b, b.item_node[i]),
        len(a.item_node),
    )
