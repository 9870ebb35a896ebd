"""Every number of groups: stages and profiles of two trees of up to ten million items, growth, and the usual ways.

``python benchmarks/levels.py at_a_million`` runs this part alone; the others can be chosen in the same way.
"""

import sys
from functools import partial
from math import log, log2

import numpy as np
from scipy.cluster.hierarchy import cut_tree
from sklearn.metrics import adjusted_mutual_info_score, fowlkes_mallows_score, normalized_mutual_info_score

import dendrometry as dm
from dendrometry._kernels._jit import njit
from dendrometry.generate import random_tree
from shapes import SHAPES, dendrograms
from timing import Figure, beside, best_of, core_time, fresh, show, within

MILLION = 1_000_000


def stages(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    """All series, not the counts alone."""
    series = dm.stages(*trees)
    for name in ("z", "v", "s", "rand", "adjusted_rand", "fowlkes_mallows", "variance_fowlkes_mallows"):
        getattr(series, name)


def agreement(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.hierarchy_agreement(*trees)


WALKS = {"hierarchy_agreement": agreement, "stages": stages}


def trees(shape_a, shape_b, n):
    names = [f"item {i}" for i in range(n)]
    other = [names[i] for i in np.random.default_rng(2).permutation(n)]
    return dm.from_linkage(SHAPES[shape_a](n), names), dm.from_linkage(SHAPES[shape_b](n), other)


def profile_of(pair):
    return dm.levels.profile(*pair, "split_merge"), dm.levels.profile(*pair, "variation_of_information")


def warm() -> None:
    for function in WALKS.values():
        function(dendrograms("random", 5_000))
    profile_of(trees("random", "random", 200))


def at_a_million() -> None:
    """Print clock times, with the processor time beside them, which is what counts on a machine with other work."""
    for shape in SHAPES:
        for name, function in WALKS.items():
            figure = fresh(dendrograms, function, shape, MILLION, warm=warm)
            within(f"{name}, {shape}, 1,000,000 items", figure, 0.8, 2000)


def merged(n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    return random_tree(n, shape="merges", rng=1), random_tree(n, shape="merges", rng=2)


def at_ten_million() -> None:
    for name, function in WALKS.items():
        figure = fresh(merged, function, 10 * MILLION, warm=warm)
        within(f"{name}, random, 10,000,000 items", figure, 15, 8000)


def profiles():
    for shapes in (("random", "random"), ("caterpillar", "caterpillar"), ("balanced", "random")):
        for n in (10**4, 10**5):
            figure = fresh(trees, profile_of, *shapes, n, warm=warm)
            what = f"profile of S_H and of VI, all k, {' and '.join(shapes)}, {n:,} items"
            if n == 10**5:
                within(what, figure, 10)
            else:
                show(what, figure)


def labelled(shape: str, n: int) -> tuple[dm.Hierarchy, np.ndarray]:
    """Return a tree, and one of 100 classes for each of its items."""
    return random_tree(n, shape=shape, rng=1), np.random.default_rng(5).integers(0, 100, n)


def label_profile(pair):
    return dm.levels.label_profile(*pair)


def element_centric(pair):
    return dm.levels.label_profile(*pair, ["element_centric"])


def purity(pair):
    tree, labels = pair
    return dm.measures.dendrogram_purity(dm.from_labels(labels, item_names=tree.items), tree)


def warm_labels() -> None:
    for shape in ("merges", "caterpillar"):
        label_profile(labelled(shape, 20_000))
        element_centric(labelled(shape, 20_000))
        purity(labelled(shape, 20_000))


def labels_at_a_million() -> None:
    """Print the processor time of labels at every number of clusters, and of purity."""
    for shape in ("merges", "balanced", "uniform", "caterpillar"):
        figure = fresh(labelled, label_profile, shape, MILLION, warm=warm_labels)
        title = f"label_profile, four measures, {shape}, 1,000,000 items"
        within(title, core_time(figure), 5)
        figure = fresh(labelled, element_centric, shape, MILLION, warm=warm_labels)
        within(f"label_profile, element_centric, {shape}, 1,000,000 items", core_time(figure), 5)
        figure = fresh(labelled, purity, shape, MILLION, warm=warm_labels)
        title = f"dendrogram_purity, {shape}, 1,000,000 items"
        within(title, core_time(figure), 3)


def growth() -> None:
    for shape in SHAPES:
        for name, function in WALKS.items():
            figures: dict[int, Figure] = {}
            for n in (10_000, 100_000, MILLION):
                trees = dendrograms(shape, n)
                figures[n] = best_of(partial(function, trees), repeat=3 if n == MILLION else 9)
                first = figures[10_000].seconds / (10_000 * log(10_000))
                ratio = figures[n].seconds / (n * log(n)) / first
                show(f"{name}, {shape}, {n:,} items", figures[n], f"{ratio:.2f} x n log n of 10,000")


def in_smaller_parts(shape: str, n: int) -> int:
    """How many rows the contraction looks at, at most: those of the smaller part of every merge in either tree."""
    total = 0
    for seed in (1, 2):
        rows = SHAPES[shape](n, seed)
        size = np.concatenate((np.ones(n), rows[:, 3]))
        total += int(np.minimum(size[rows[:, 0].astype(int)], size[rows[:, 1].astype(int)]).sum())
    return total


@njit
def follow(after: np.ndarray, steps: int) -> int:
    at = 0
    for _ in range(steps):
        at = after[at]
    return at


def cache() -> None:
    """Where the cache stops helping: the steps of the walk, and what one read from its tables costs."""
    for shape in SHAPES:
        for n in (10_000, 100_000, MILLION):
            rows = in_smaller_parts(shape, n)
            share = f"{rows / n:.2f} an item, {rows / (n * log2(n)):.2f} x n log2 n"
            print(f"rows in smaller parts, {shape}, {n:,} items: {share}")
    for n in (10_000, 100_000, MILLION):
        size = 16 * n // 8  # the tables that the walk reads at random places hold 16 bytes an item
        order = np.random.default_rng(0).permutation(size)
        after = np.empty(size, dtype=np.int64)
        after[order] = np.roll(order, -1)
        seconds = best_of(partial(follow, after, 10**6)).seconds
        what = f"one read that waits for another, tables of {n:,} items, {size * 8 / 1e6:.2g} MB"
        print(f"{what}: {seconds * 1e3:.0f} ns")


def rivals() -> None:
    """Show the usual ways, each from the same two trees to the same numbers, the best of three calls on both sides."""
    n = 2_000
    trees = dendrograms("random", n)
    links = [dm.to_linkage(tree) for tree in trees]
    ours = best_of(lambda: dm.stages(*trees).fowlkes_mallows)
    show(f"stages, fowlkes_mallows at every k, {n:,} items", ours)
    theirs = best_of(lambda: fowlkes_mallows_by_cutting(links, n))
    beside(f"SciPy cut_tree, scikit-learn for every k, {n:,} items", ours, theirs, 2_000)
    labels = [cut_tree(z, np.arange(2, n)) for z in links]
    theirs = best_of(lambda: fowlkes_mallows_of_cuts(labels))
    beside(f"scikit-learn for every k, already cut, {n:,} items", ours, theirs, 2_000)


def fowlkes_mallows_by_cutting(links: list[np.ndarray], n: int) -> list[float]:
    """Cut both trees into every number of groups, then score."""
    return fowlkes_mallows_of_cuts([cut_tree(z, np.arange(2, n)) for z in links])


def fowlkes_mallows_of_cuts(labels: list[np.ndarray]) -> list[float]:
    return [fowlkes_mallows_score(x, y) for x, y in zip(labels[0].T, labels[1].T, strict=True)]


def loop_over_k(n=1000):
    """Time a loop over k that compares the labels of cuts made before."""
    Z, Y = SHAPES["random"](n), SHAPES["balanced"](n)
    Z[:, 2] = Y[:, 2] = np.arange(1, n)
    a, b = dm.from_linkage(Z), dm.from_linkage(Y)
    cuts = cut_tree(Z), cut_tree(Y)
    ours = best_of(lambda: dm.levels.profile(a, b, "normalized_mutual_information"))
    theirs = best_of(
        lambda: [normalized_mutual_info_score(cuts[0][:, i], cuts[1][:, i], average_method="max") for i in range(n)], 1
    )
    show(f"profile of NMI, all k, {n:,} items", ours)
    beside("scikit-learn NMI in a loop over k, cuts not counted", ours, theirs)


def labels_over_k(n: int = 1_000) -> None:
    """Time labels at every number of clusters beside a loop over k, cuts made before."""
    Z = SHAPES["random"](n)
    Z[:, 2] = np.arange(1, n)
    tree, labels = dm.from_linkage(Z), np.random.default_rng(5).integers(0, 10, n)
    cuts = cut_tree(Z)
    ours = best_of(lambda: dm.levels.label_profile(tree, labels, ["adjusted_mutual_information"]))
    theirs = best_of(lambda: [adjusted_mutual_info_score(labels, cut) for cut in cuts.T], 1)
    show(f"label_profile of AMI, all k, {n:,} items", ours)
    beside("scikit-learn AMI in a loop over k, cuts not counted", ours, theirs)


PARTS = (
    at_a_million,
    at_ten_million,
    labels_at_a_million,
    labels_over_k,
    profiles,
    growth,
    cache,
    rivals,
    loop_over_k,
)

if __name__ == "__main__":
    for part in PARTS:
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            part()
