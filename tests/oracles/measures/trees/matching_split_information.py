"""Information of the split of the items on which two splits agree, by counting the binary trees that have it."""

import math

from tests.oracles.measures.trees.split_matchings import Split, all_trees, best_matching
from tests.oracles.sets.trees import Tree


def matching_split_information(a: Tree, b: Tree) -> float:
    return best_matching(a, b, agreed)


def agreed(x: Split, y: Split) -> float:
    x_1, x_2 = sorted(x, key=min)
    y_1, y_2 = sorted(y, key=min)
    return max(information(x_1 & y_1, x_2 & y_2), information(x_1 & y_2, x_2 & y_1))


def information(first: frozenset[int], second: frozenset[int]) -> float:
    if len(first) < 2 or len(second) < 2:
        return 0.0
    every = all_trees(first | second)
    return math.log(len(every) / sum(frozenset((first, second)) in tree for tree in every))
