"""Personalised PageRank on the graph of items that a tree's clusters make, solved as a system of linear equations."""

import math

import numpy as np
from tests.oracles.sets.trees import Tree, ancestors, clusters

DAMPING = 0.9


def distinct(tree: Tree) -> list[int]:
    """One node for each cluster."""
    held = clusters(tree)
    return [held.index(cluster) for cluster in dict.fromkeys(held)]


def level(tree: Tree, v: int) -> float:
    """The place of a cluster between the root, 0, and the leaves, 1, along the longest path through it."""
    held = clusters(tree)
    above = len({held[u] for u in ancestors(tree, v)}) - 1
    below = max(
        len({held[x] for x in ancestors(tree, u) if held[x] < held[v]}) for u in range(len(held)) if held[u] <= held[v]
    )
    return above / (above + below) if above + below else 0.0


def affinities(tree: Tree, r: float) -> np.ndarray:
    held, n = clusters(tree), len(tree.item_node)
    weight = {v: math.exp(r * level(tree, v)) for v in distinct(tree)}
    step = np.zeros((n, n))
    for i in range(n):
        around = {v: w for v, w in weight.items() if i in held[v]}
        for v, w in around.items():
            for j in held[v]:
                step[i, j] += w / sum(around.values()) / len(held[v])
    return (1 - DAMPING) * np.linalg.inv(np.eye(n) - DAMPING * step)


def element_centric_hierarchy(a: Tree, b: Tree, r: float = 1.0) -> float:
    apart = np.abs(affinities(a, r) - affinities(b, r)).sum(axis=1)
    return float(np.mean(1 - apart / (2 * DAMPING)))
