"""The partitions of a tree from single items to one group, and the pairs of items together in them."""

from functools import lru_cache

from tests.oracles.sets.trees import Tree, ancestors, clusters, pairs

Group = frozenset[int]


@lru_cache(maxsize=10_000)
def available_partitions(tree: Tree, ties: str) -> list[list[Group]]:
    """All partitions on the way from singletons to one group, finest first.

    ties="order": nodes form one at a time, in ascending number. ties="together": all nodes up to a height form at
    once, where a node that lies lower than something below it waits for that. Nobody waits for a node that holds
    exactly what its only child holds: it is the same cluster, and there since the child.
    """
    assert tree.height is not None
    n, nodes = len(tree.item_node), range(len(tree.parent))
    sets = clusters(tree)
    if ties == "order":
        keys = [float(v) for v in nodes]
    else:
        keys = list(tree.height)
        for u in nodes:
            if any(tree.parent[c] == u and sets[c] == sets[u] for c in nodes):
                continue
            for v in ancestors(tree, u):
                keys[v] = max(keys[v], tree.height[u])
    partitions = [[frozenset([i]) for i in range(n)]]
    for key in sorted(set(keys)):
        formed = [sets[v] for v in nodes if keys[v] <= key] + [frozenset([i]) for i in range(n)]
        partitions.append([s for s in set(formed) if not any(s < other for other in formed)])
    return partitions


def partition_at(tree: Tree, k: int, ties: str) -> list[Group]:
    """The coarsest available partition with at least k groups."""
    return min((groups for groups in available_partitions(tree, ties) if len(groups) >= k), key=len)


def together(partition: list[Group], n: int) -> set[tuple[int, int]]:
    return {(i, j) for i, j in pairs(n) if any(i in group and j in group for group in partition)}


def counts(a: Tree, b: Tree, ties: str) -> list[tuple[int, int, int]]:
    """(P, Q, T) for k = 2 .. n - 1."""
    n = len(a.item_node)
    result = []
    for k in range(2, n):
        x, y = (together(partition_at(tree, k, ties), n) for tree in (a, b))
        result.append((len(x), len(y), len(x & y)))
    return result
