"""Merges beside the definition: every outcome that ties allow, and whether a sequence of merges is one."""

import numpy as np
from scipy.spatial.distance import squareform
from tests.oracles.cluster import agglomerate as oracle

SQUARED = ("ward", "centroid", "median")


def merges_of(built):
    """Return the merges of a tree as a set of (cluster, height)."""
    tree = built.hierarchy
    order = tree.order
    return {
        (frozenset(order.item[order.item_low[v] : order.item_high[v]].tolist()), float(tree.height[v]))
        for v in np.flatnonzero(tree.n_children)
    }


def is_outcome(built, expected, linkage):
    got = merges_of(built)
    for outcome in expected:
        heights = {c: float(h) ** 0.5 if linkage in SQUARED else float(h) for c, h in outcome}
        if heights.keys() == {c for c, _ in got} and all(abs(heights[c] - h) <= 1e-12 * (1 + h) for c, h in got):
            return True
    return False


def matrix_of(vector, n):
    d = squareform(np.array(vector, dtype=float)) if n > 1 else np.zeros((1, 1))
    return [[int(x) for x in row] for row in d]


def random_vectors(count, sizes, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.choice(sizes))
        yield n, rng.integers(1, 4, size=n * (n - 1) // 2).tolist()


def power_of(linkage):
    """Return the power of distances that a linkage works on."""
    return 2 if linkage in SQUARED else 1


def is_a_path(merges, d, linkage):
    """Whether each merge, in the order of the tree, joins a pair that no other pair undercuts."""
    node = {i: frozenset([i]) for i in range(len(d))}
    history = {}
    for step, (a, b, height) in enumerate(zip(merges.left, merges.right, merges.height, strict=True)):
        pairs = {
            (x, y): oracle.linkage_distance(linkage, node[x], node[y], d, history) for x in node for y in node if x < y
        }
        least = min(pairs.values())
        got = pairs[int(a), int(b)]
        if float(got - least) > 1e-12 or abs(float(got) - height) > 1e-11 * float(got):
            return False
        union = node[int(a)] | node[int(b)]
        history[union] = (node.pop(int(a)), node.pop(int(b)))
        node[len(d) + step] = union
    return True
