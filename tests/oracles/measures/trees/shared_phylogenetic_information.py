"""Information of splits, by counting the binary trees without a root that have them."""

import math

from tests.oracles.measures.trees.split_matchings import Split, all_trees, best_matching
from tests.oracles.sets.trees import Tree


def shared_phylogenetic_information(a: Tree, b: Tree) -> float:
    every = all_trees(frozenset(range(len(a.item_node)))) if len(a.item_node) > 1 else []

    def having(*chosen: Split) -> int:
        return sum(all(split in tree for split in chosen) for tree in every)

    def shared(x: Split, y: Split) -> float:
        return math.log(len(every) * having(x, y) / (having(x) * having(y))) if having(x, y) else 0.0

    return best_matching(a, b, shared)
