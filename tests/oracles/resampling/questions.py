"""What a question about three items is worth, by sets and loops over trees and answers."""

from fractions import Fraction
from itertools import combinations

from tests.oracles.measures.trees.hierarchy_agreement import hierarchy_agreement
from tests.oracles.sets.trees import Tree, clusters


def odd_one(tree: Tree, question: tuple[int, int, int]) -> int | None:
    """The item that some cluster with the other two leaves out, or None."""
    for odd in question:
        others = {item for item in question if item != odd}
        if any(others <= cluster and odd not in cluster for cluster in clusters(tree)):
            return odd
    return None


def expected_agreement(trees: list[Tree], weights: list[int], question: tuple[int, int, int]) -> Fraction:
    """The agreement of two trees that give the true answer, when the truth is one of the trees, drawn by weight."""
    total = Fraction(0)
    for truth, of_truth in zip(trees, weights, strict=True):
        answer = odd_one(truth, question)
        fitting = [(t, w) for t, w in zip(trees, weights, strict=True) if odd_one(t, question) == answer]
        mean = sum(w * hierarchy_agreement(truth, tree) for tree, w in fitting)
        total += of_truth * (mean / sum(w for _, w in fitting) if of_truth else 0)
    return total / sum(weights)


def best_value(trees: list[Tree], weights: list[int]) -> Fraction:
    """The value of the best of all questions."""
    items = range(len(trees[0].item_node))
    return max(expected_agreement(trees, weights, question) for question in combinations(items, 3))
