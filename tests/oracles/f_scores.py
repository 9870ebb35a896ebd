"""The three F-scores of Spytkowski et al., pair by pair and class by class."""

from collections.abc import Callable
from fractions import Fraction

from tests.oracles.trees import Tree, ancestors, clusters, is_leaf


def _f(related_a: Callable[[int, int], bool], related_b: Callable[[int, int], bool], n: int) -> Fraction | None:
    true = false = missed = 0
    for i in range(n):
        for j in range(n):
            if i != j:
                g, m = related_a(i, j), related_b(i, j)
                true += g and m
                false += m and not g
                missed += g and not m
    whole = 2 * true + false + missed
    return Fraction(2 * true, whole) if whole else None


def classic_f(a: Tree, b: Tree) -> Fraction | None:
    return _f(
        lambda i, j: a.item_node[i] == a.item_node[j],
        lambda i, j: b.item_node[i] == b.item_node[j],
        len(a.item_node),
    )


def partial_order_f(a: Tree, b: Tree) -> Fraction | None:
    return _f(
        lambda i, j: a.item_node[j] in ancestors(a, a.item_node[i]),
        lambda i, j: b.item_node[j] in ancestors(b, b.item_node[i]),
        len(a.item_node),
    )


def best_f(group: frozenset[int], others: set[frozenset[int]]) -> Fraction:
    return max(Fraction(2 * len(group & other), len(group) + len(other)) for other in others)


def default_classes(a: Tree) -> str:
    inner = [v for v in set(a.item_node) if not is_leaf(a, v)]
    return "occupied" if inner else "all"


def hierarchical_f(a: Tree, b: Tree, classes: str | None = None) -> Fraction:
    sets = clusters(a)
    chosen = set(a.item_node) if (classes or default_classes(a)) == "occupied" else range(len(a.parent))
    groups = {sets[v] for v in chosen}
    others = set(clusters(b))
    return sum(len(g) * best_f(g, others) for g in groups) / Fraction(sum(map(len, groups)))
