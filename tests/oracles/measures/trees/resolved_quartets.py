"""Quartets of items by their definition: how a branch of a tree parts four items two by two."""

from itertools import combinations

from tests.oracles.sets.trees import Tree, clusters

Parted = frozenset[frozenset[int]]


def parted(tree: Tree) -> dict[tuple[int, ...], Parted | None]:
    """For each four items the two pairs into which a branch parts them, or None if none does."""
    held = clusters(tree)
    found: dict[tuple[int, ...], Parted | None] = {}
    for four in combinations(range(len(tree.item_node)), 4):
        ways = {
            frozenset((frozenset(inside & set(four)), frozenset(set(four) - inside)))
            for inside in held
            if len(inside & set(four)) == 2
        }
        found[four] = next(iter(ways), None)
    return found


def five_counts(a: Tree, b: Tree) -> tuple[int, int, int, int, int]:
    """Four items resolved alike, differently, by the first tree only, by the second only, and by neither."""
    same = different = only_a = only_b = neither = 0
    in_b = parted(b)
    for four, way in parted(a).items():
        other = in_b[four]
        same += way is not None and way == other
        different += way is not None and other is not None and way != other
        only_a += way is not None and other is None
        only_b += way is None and other is not None
        neither += way is None and other is None
    return same, different, only_a, only_b, neither
