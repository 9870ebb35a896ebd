"""Cuts of trees of up to a million items, beside SciPy."""

import numpy as np
from scipy.cluster.hierarchy import cut_tree, fcluster
from scipy.spatial.distance import pdist

from dendrometry import agglomerate, cut_count, cut_height, from_linkage, to_linkage
from dendrometry.cut import cut_at_most, cut_dynamic_hybrid, cut_dynamic_tree, cut_gap, cut_penalty, residual_squares
from shapes import SHAPES
from timing import best_of, show


def with_heights(shape, n):
    Z = SHAPES[shape](n)
    Z[:, 2] = np.cumsum(np.random.default_rng(1).random(n - 1))
    return from_linkage(Z)


def main():
    for n in (10**4, 10**6):
        for shape in ("random", "caterpillar", "balanced"):
            tree = with_heights(shape, n)
            middle = float(np.median(tree.height[n:]))
            show(f"cut_count k = 100, {shape}, {n:,} items", best_of(lambda: cut_count(tree, 100)))  # noqa: B023
            show(f"cut_height, {shape}, {n:,} items", best_of(lambda: cut_height(tree, middle)))  # noqa: B023
            show(f"cut_gap, {shape}, {n:,} items", best_of(lambda: cut_gap(tree)))  # noqa: B023
    tree = with_heights("random", 10**4)
    Z = to_linkage(tree)
    ours = best_of(lambda: cut_count(tree, 100))
    theirs = best_of(lambda: cut_tree(Z, 100), 1)
    show("scipy cut_tree k = 100, random, 10,000 items", theirs, f"{theirs.seconds / ours.seconds:.0f} x our time")
    ours = best_of(lambda: cut_at_most(tree, 100))
    theirs = best_of(lambda: fcluster(Z, 100, "maxclust"))
    show("scipy fcluster maxclust 100, random, 10,000 items", theirs, f"{theirs.seconds / ours.seconds:.1f} x our time")
    points = np.random.default_rng(0).normal(size=(10**6, 2))
    large = with_heights("random", 10**6)
    error = residual_squares(large, points)
    show("residual_squares, 1,000,000 x 2", best_of(lambda: residual_squares(large, points), 1))
    show("cut_penalty, 1,000,000 items", best_of(lambda: cut_penalty(large, error, penalty=1.0), 1))
    for n in (1000, 5000):
        few = points[:n] + 6 * (np.arange(n) % 7)[:, None]
        grown, distances = agglomerate(few, linkage="average").hierarchy, pdist(few)
        for deep in (1, 4):
            done = best_of(lambda: cut_dynamic_hybrid(grown, distances, 20, deep_split=deep))  # noqa: B023
            show(f"cut_dynamic_hybrid, deep_split = {deep}, {n:,} items", done)
    for shape in ("random", "caterpillar", "balanced"):
        tree = with_heights(shape, 10**6)
        done = best_of(lambda: cut_dynamic_tree(tree, 20), 1)  # noqa: B023
        show(f"cut_dynamic_tree, {shape}, 1,000,000 items", done)


if __name__ == "__main__":
    main()
