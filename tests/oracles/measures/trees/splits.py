"""Unrooted trees by their definition: the ways in which branches split the items in two, with their lengths."""

from itertools import permutations

from tests.oracles.measures.trees.mutual_clustering_information import information
from tests.oracles.measures.trees.split_matchings import best_matching
from tests.oracles.sets.trees import Tree, clusters

Split = frozenset[frozenset[int]]


def lengths(tree: Tree) -> dict[Split, float]:
    """The total length of the branches that split the items in the same way, 1 for each without heights."""
    held, n = clusters(tree), len(tree.item_node)
    everything = frozenset(range(n))
    found: dict[Split, float] = {}
    for v, inside in enumerate(held):
        if tree.parent[v] >= 0 and 0 < len(inside) < n:
            length = 1.0 if tree.height is None else tree.height[tree.parent[v]] - tree.height[v]
            split = frozenset((inside, everything - inside))
            found[split] = found.get(split, 0.0) + length
    return found


def proper(tree: Tree) -> set[Split]:
    """The splits with two items or more on both sides."""
    return {split for split in lengths(tree) if min(map(len, split)) > 1}


def robinson_foulds(a: Tree, b: Tree) -> int:
    return len(proper(a) ^ proper(b))


def weighted(a: Tree, b: Tree) -> float:
    in_a, in_b = lengths(a), lengths(b)
    return sum(abs(in_a.get(split, 0.0) - in_b.get(split, 0.0)) for split in in_a.keys() | in_b.keys())


def branch_score(a: Tree, b: Tree) -> float:
    in_a, in_b = lengths(a), lengths(b)
    return sum((in_a.get(split, 0.0) - in_b.get(split, 0.0)) ** 2 for split in in_a.keys() | in_b.keys()) ** 0.5


def differ(x: Split, y: Split) -> int:
    """The least number of items that must change sides."""
    one = next(iter(x))
    return min(len(one ^ other) for other in y)


def matching_split(a: Tree, b: Tree) -> int:
    """The least cost over all matchings; a split without a match costs its smaller side."""
    few, many = sorted((sorted(proper(a), key=repr), sorted(proper(b), key=repr)), key=len)
    costs = []
    for chosen in permutations(range(len(many)), len(few)):
        matched = sum(differ(x, many[i]) for x, i in zip(few, chosen, strict=True))
        costs.append(matched + sum(smaller(y) for i, y in enumerate(many) if i not in chosen))
    return min(costs)


def clustering_information(a: Tree, b: Tree) -> float:
    """The greatest sum of the mutual information of matched splits: of a side of one and a side of the other."""
    n = len(a.item_node)
    return best_matching(a, b, lambda x, y: information(min(x, key=sorted), min(y, key=sorted), n))


def smaller(split: Split) -> int:
    return min(map(len, split))
