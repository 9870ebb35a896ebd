"""Layouts at up to 100,000 items; drawings, beside SciPy's dendrogram."""

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from scipy.cluster.hierarchy import dendrogram as scipy_dendrogram

from dendrometry import from_linkage, plot
from dendrometry.plot.layout.branches import branches
from dendrometry.plot.layout.rectangles import rectangles
from shapes import SHAPES
from timing import best_of, show

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


def main():
    layouts()
    drawings()


if __name__ == "__main__":
    main()
