"""Speed of comparing: a million items on three shapes, growth, and the usual ways as rivals."""

import json
import subprocess
import sys
import tempfile
from functools import partial
from math import log, log2
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import cophenet, cut_tree, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import fowlkes_mallows_score

import dendrometry as dm
import shapes
from dendrometry._kernels._jit import njit
from timing import Figure, best_of, fresh, show

MILLION = 1_000_000


def dendrograms(shape: str, n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    return dm.from_linkage(shapes.SHAPES[shape](n, 1)), dm.from_linkage(shapes.SHAPES[shape](n, 2))


def occupied(shape: str, n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Two trees of n nodes whose items sit anywhere, so that the order of items matters."""
    trees = []
    for seed, tree in zip((3, 4), dendrograms(shape, n // 2), strict=True):
        at = np.random.default_rng(seed).integers(0, tree.n_nodes, n)
        at[: tree.leaves.size] = tree.leaves
        trees.append(dm.Hierarchy(tree.parent, tree.height, at, tuple(map(str, range(n)))))
    return trees[0], trees[1]


def stages(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    """All series, not the counts alone."""
    series = dm.stages(*trees)
    for name in ("z", "v", "s", "rand", "adjusted_rand", "fowlkes_mallows", "variance_fowlkes_mallows"):
        getattr(series, name)


def agreement(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.hierarchy_agreement(*trees)


def partial_order(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.partial_order_f(*trees)


def hierarchical(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.hierarchical_f(*trees)


def correlation(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.cophenetic_correlation(*trees)


def blame(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.item_disagreement(*trees)


def warm() -> None:
    for function in (stages, agreement, hierarchical, correlation, blame):
        function(dendrograms("random", 50))
    partial_order(occupied("random", 50))


def average_linkage(n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Average linkage of n real-valued points, and of the same points with noise.

    The points lie on a line, where the tree can be built from neighbours without n x n distances.
    """
    rng = np.random.default_rng(0)
    points = rng.normal(size=n)
    return _average_on_a_line(points), _average_on_a_line(points + rng.normal(scale=0.1, size=n))


def _average_on_a_line(points: np.ndarray) -> dm.Hierarchy:
    """Average linkage on a line: clusters are stretches, and their distance is that of their means."""
    import heapq

    n = points.size
    order = np.argsort(points).tolist()
    mean, size, cluster = points[order].tolist(), [1] * n, list(order)
    before, after, stamp = list(range(-1, n - 1)), list(range(1, n + 1)), [0] * n
    heap = [(mean[i + 1] - mean[i], i, i + 1, 0, 0) for i in range(n - 1)]
    heapq.heapify(heap)
    rows = np.empty((n - 1, 4))
    for made in range(n - 1):
        while True:
            height, i, j, stamp_i, stamp_j = heapq.heappop(heap)
            if stamp[i] == stamp_i and stamp[j] == stamp_j:
                break
        rows[made] = min(cluster[i], cluster[j]), max(cluster[i], cluster[j]), height, size[i] + size[j]
        mean[i] = (mean[i] * size[i] + mean[j] * size[j]) / (size[i] + size[j])
        size[i] += size[j]
        cluster[i], stamp[i], stamp[j] = n + made, stamp[i] + 1, -1
        after[i] = after[j]
        if after[i] < n:
            before[after[i]] = i
        for x, y in ((before[i], i), (i, after[i])):
            if x >= 0 and y < n:
                heapq.heappush(heap, (mean[y] - mean[x], x, y, stamp[x], stamp[y]))
    return dm.from_linkage(rows)


def within(what: str, figure: Figure, seconds: float, peak_mb: float | None = None) -> None:
    """Show a figure beside its limit, and MISSED where it is past it."""
    limit = f"limit {seconds:g} s" + ("" if peak_mb is None else f", {peak_mb / 1000:g} GB")
    too_large = peak_mb is not None and figure.peak_mb is not None and figure.peak_mb > peak_mb
    show(what, figure, f"{limit} MISSED" if figure.seconds > seconds or too_large else limit)


def beside(what: str, ours: Figure, theirs: Figure, goal: float) -> None:
    """Show a rival with how many times longer it takes, and MISSED where that is less than the goal."""
    ratio = theirs.seconds / ours.seconds
    show(what, theirs, f"{ratio:,.0f} x; goal {goal:,.0f} x{' MISSED' if ratio < goal else ''}")


def at_a_million() -> None:
    for shape in shapes.SHAPES:
        figure = fresh(dendrograms, stages, shape, MILLION, warm=warm)
        within(f"stages, {shape}, 1,000,000 items", figure, 10, 2000)
        figure = fresh(dendrograms, agreement, shape, MILLION, warm=warm)
        within(f"hierarchy_agreement, {shape}, 1,000,000 items", figure, 10, 2000)
        figure = fresh(occupied, partial_order, shape, MILLION, warm=warm)
        within(f"partial_order_f, {shape}, 1,000,000 items at any node", figure, 5)
    show("item_disagreement, random, 1,000,000 items", fresh(dendrograms, blame, "random", MILLION, warm=warm))
    show(
        "cophenetic_correlation, random, 1,000,000 items", fresh(dendrograms, correlation, "random", MILLION, warm=warm)
    )


def matching() -> None:
    figure = fresh(average_linkage, hierarchical, 100_000, warm=warm)
    within("hierarchical_f, average linkage of points on a line, 100,000", figure, 10)
    figure = fresh(dendrograms, hierarchical, "caterpillar", 20_000, warm=warm)
    show("hierarchical_f, caterpillar, 20,000: the worst case, n**2 / 2 steps", figure)


def growth() -> None:
    for shape in shapes.SHAPES:
        for name, function in (("stages", stages), ("hierarchy_agreement", agreement)):
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
        rows = shapes.SHAPES[shape](n, seed)
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
    for shape in shapes.SHAPES:
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


def cophenetic_sizes(z: np.ndarray) -> np.ndarray:
    """Sizes of the smallest cluster of each pair, by giving SciPy sizes for heights."""
    heights = z.copy()
    heights[:, 2] = z[:, 3]
    return cophenet(heights)


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
    n = 5_000
    trees = dendrograms("random", n)
    links = [dm.to_linkage(tree) for tree in trees]
    ours = best_of(lambda: agreement(trees))
    show(f"hierarchy_agreement, {n:,} items", ours)
    theirs = best_of(lambda: 1 - 2 * np.abs(cophenetic_sizes(links[0]) - cophenetic_sizes(links[1])).sum() / n**3)
    show(f"NumPy on SciPy's condensed matrices, {n:,} items", theirs, f"{theirs.seconds / ours.seconds:,.0f} x")
    theirs = best_of(lambda: full_matrix_agreement(links, n))
    beside(f"NumPy on n x n matrices, {n:,} items", ours, theirs, 100)


def fowlkes_mallows_by_cutting(links: list[np.ndarray], n: int) -> list[float]:
    """Cut both trees into every number of groups, then score."""
    return fowlkes_mallows_of_cuts([cut_tree(z, np.arange(2, n)) for z in links])


def fowlkes_mallows_of_cuts(labels: list[np.ndarray]) -> list[float]:
    return [fowlkes_mallows_score(x, y) for x, y in zip(labels[0].T, labels[1].T, strict=True)]


def full_matrix_agreement(links: list[np.ndarray], n: int) -> float:
    """Return the index as it is printed: two n x n matrices, their difference, its mean."""
    first, second = (squareform(cophenetic_sizes(z)) / n for z in links)
    return float(1 - np.abs(first - second).mean())


def command_line() -> None:
    folder = Path(tempfile.mkdtemp())
    points = np.random.default_rng(0).normal(size=(1000, 4))
    paths = []
    for method in ("average", "complete"):
        paths.append(str(folder / f"{method}.nwk"))
        dm.write(dm.from_linkage(linkage(points, method)), paths[-1])
    command = [sys.executable, "-m", "dendrometry.cli", "compare", *paths, "--json"]
    figure = best_of(lambda: json.loads(subprocess.run(command, check=True, capture_output=True).stdout))
    within("dendrometry compare of two Newick files of 1,000 leaves, with start", figure, 2)


if __name__ == "__main__":
    at_a_million()
    matching()
    command_line()
    growth()
    cache()
    rivals()
