"""Layouts at up to 100,000 items; drawings, beside SciPy's dendrogram and seaborn's clustermap; orders of leaves."""

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import seaborn
from scipy.cluster.hierarchy import dendrogram as scipy_dendrogram
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import pdist

from dendrometry import agglomerate, from_linkage, plot
from dendrometry.plot._layout.branches import branches
from dendrometry.plot._layout.rectangles import rectangles
from shapes import SHAPES
from timing import beside, best_of, fresh, show, within

SIZES = (10**3, 10**4, 10**5)


def pair(shape, n):
    names = [f"item {i}" for i in range(n)]
    shuffled = [names[i] for i in np.random.default_rng(2).permutation(n)]
    return from_linkage(SHAPES[shape](n, 1), names), from_linkage(SHAPES[shape](n, 2), shuffled)


def drawn(make):
    """Draw to pixels, and close."""
    ax = make()
    ax.figure.canvas.draw()
    plt.close(ax.figure)


def scipy_drawn(Z, no_labels, recursion=10**6):
    """SciPy's drawing of the same tree, on a figure of the same size; it recurses, so the limit is raised."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(recursion)
    try:
        _, ax = plt.subplots(figsize=(13, 5), layout="constrained")
        scipy_dendrogram(Z, ax=ax, no_labels=no_labels)
        return ax
    finally:
        sys.setrecursionlimit(limit)


def layouts():
    for shape in SHAPES:
        for n in SIZES:
            a, b = pair(shape, n)
            key = np.random.default_rng(0).random(a.n_nodes)
            show(f"branches, {shape}, {n:,} items", best_of(lambda a=a, key=key: branches(a, key=key)))
            show(f"rectangles, {shape}, {n:,} items", best_of(lambda a=a: rectangles(a)))
            found = plot.untangle(a, b)
            note = f"entanglement {found.entanglement_given:.3f} -> {found.entanglement:.3f}"
            show(f"untangle, {shape}, {n:,} items", best_of(lambda a=a, b=b: plot.untangle(a, b), 1), note)


def drawings():
    for n in (30, 3000):
        Z = SHAPES["random"](n, 1)
        tree = from_linkage(Z)
        ours = best_of(lambda tree=tree: drawn(lambda: plot.dendrogram(tree, root="top")))
        show(f"dendrogram to pixels, random, {n:,} leaves", ours)
        for no_labels, what in ((False, "all names, overlapping or not"), (True, "without names")):
            theirs = best_of(lambda Z=Z, no_labels=no_labels: drawn(lambda: scipy_drawn(Z, no_labels)), 1)
            show(f"SciPy dendrogram, {what}", theirs, f"theirs takes {theirs.seconds / ours.seconds:.1f}x as long")
    a, b = pair("random", 3000)
    show("tanglegram to pixels, random, 3,000 leaves", best_of(lambda: drawn(lambda: plot.tanglegram(a, b)), 1))
    show("icicle to pixels, random, 3,000 leaves", best_of(lambda: drawn(lambda: plot.icicle(a)), 1))
    deep = from_linkage(SHAPES["caterpillar"](10**5))
    show("dendrogram to pixels, caterpillar, 100,000 leaves", best_of(lambda: drawn(lambda: plot.dendrogram(deep)), 1))
    top = best_of(lambda: drawn(lambda: plot.dendrogram(deep, top=50)), 1)
    show("the same, the top 50 clusters", top)


def table(n):
    """Return a table of n rows and 200 columns, in 40 clusters."""
    rng = np.random.default_rng(0)
    centres = 1.5 * rng.normal(size=(40, 200))
    return centres[rng.integers(0, 40, n)] + rng.normal(size=(n, 200))


def our_map(X):
    drawn(lambda: plot.clustermap(X, n_clusters=40).ax)


def their_map(X):
    """Seaborn's, by the same linkage."""
    grid = seaborn.clustermap(X, method="ward")
    grid.figure.canvas.draw()
    plt.close(grid.figure)


def warm():
    our_map(table(1200))


def clustermaps():
    """To pixels, from the table on: both trees, both orders and the drawing; also in the time of all cores."""
    ours = fresh(table, our_map, 2000, warm=warm)
    show("clustermap to pixels, 2,000 x 200, leaves ordered", ours)
    beside("seaborn clustermap, leaves as they come", ours, fresh(table, their_map, 2000, warm=warm_theirs))
    within("clustermap to pixels, 20,000 x 200, leaves ordered", fresh(table, our_map, 20_000, warm=warm), 15)


def warm_theirs():
    their_map(table(100))


def leaf_orders():
    """Length beside the shortest order, and that of SciPy's optimal_leaf_ordering."""
    for n, d in ((300, 5), (1500, 20)):
        X = np.random.default_rng(0).normal(size=(n, d))
        y = pdist(X)
        Z = linkage(y, "average")
        tree = from_linkage(Z)
        shortest = plot.leaf_order(tree, X)
        for ends in (None, 32, 1):
            found = plot.leaf_order(tree, X, max_ends=ends)
            what = f"leaf_order, {n:,} items, {'all' if ends is None else ends} ends"
            note = f"length {found.length / shortest.length:.4f} of the shortest"
            show(what, best_of(lambda ends=ends, tree=tree, X=X: plot.leaf_order(tree, X, max_ends=ends), 1), note)
        order = leaves_list(optimal_leaf_ordering(Z, y))
        length = np.linalg.norm(np.diff(X[order], axis=0), axis=1).sum()
        theirs = best_of(lambda Z=Z, y=y: optimal_leaf_ordering(Z, y), 1)
        show("SciPy optimal_leaf_ordering", theirs, f"length {length / shortest.length:.4f} of the shortest")
    X = table(20_000)
    tree = agglomerate(X).hierarchy
    found = plot.leaf_order(tree, X)
    note = f"length {found.length / found.length_given:.4f} of the order given"
    show("leaf_order, 20,000 items, 32 ends", best_of(lambda: plot.leaf_order(tree, X), 1), note)


def main():
    layouts()
    drawings()
    leaf_orders()
    clustermaps()


if __name__ == "__main__":
    main()
