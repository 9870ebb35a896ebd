"""The hierarchical F-score of Spytkowski et al.: each class with the cluster that is best for it."""

from fractions import Fraction

from tests.oracles.sets.trees import Tree, clusters, is_leaf


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
