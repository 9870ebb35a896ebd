"""A tree and its data: scores of all cuts, cost and cophenetic correlation, beside scikit-learn and SciPy."""

import numpy as np
from scipy.cluster.hierarchy import cophenet, cut_tree
from scipy.spatial.distance import pdist
from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score, silhouette_score

import dendrometry as dm
from dendrometry.quality import cophenetic_fit, dasgupta_cost, score_cuts
from shapes import SHAPES
from timing import beside, best_of, fresh, show

MOST = 20


def data(n: int, d: int) -> tuple[dm.Hierarchy, np.ndarray]:
    """Return a random tree over random points, whose quality takes as long as that of a good tree."""
    rng = np.random.default_rng(0)
    return dm.from_linkage(SHAPES["random"](n)), rng.normal(size=(n, d))


def warm() -> None:
    tree, points = data(1_000, 3)
    score_cuts(tree, points)
    dasgupta_cost(tree, points)
    cophenetic_fit(tree, points)


def score(given: tuple[dm.Hierarchy, np.ndarray]) -> None:
    score_cuts(*given, max_clusters=MOST)


def cost(given: tuple[dm.Hierarchy, np.ndarray]) -> None:
    dasgupta_cost(*given)


def fit(given: tuple[dm.Hierarchy, np.ndarray]) -> None:
    cophenetic_fit(*given)


def growth() -> None:
    for function, sizes in ((score, (10**4, 10**5, 10**6)), (cost, (10**4, 10**5, 10**6)), (fit, (10**3, 10**4))):
        for n in sizes:
            figure = fresh(data, function, n, 10, warm=warm)
            note = f"{figure.core_seconds:.2f} s of all cores"
            show(f"{function.__name__}, {n:,} items, 10 coordinates", figure, note)


def rivals(n: int = 2_000) -> None:
    """Show scikit-learn at every cut, cuts made before, and SciPy from all distances."""
    tree, points = data(n, 10)
    Z = dm.to_linkage(tree)
    labels = cut_tree(Z, np.arange(2, MOST + 1)).T
    ours = best_of(lambda: score_cuts(tree, points, max_clusters=MOST))
    show(f"score_cuts, 2 to {MOST} clusters, {n:,} items", ours)
    for rival in (calinski_harabasz_score, davies_bouldin_score, silhouette_score):
        theirs = best_of(lambda rival=rival: [rival(points, own) for own in labels], 1)
        beside(f"scikit-learn {rival.__name__}, one of the three", ours, theirs)
    ours = best_of(lambda: cophenetic_fit(tree, points))
    show(f"cophenetic_fit, {n:,} items", ours)
    beside("SciPy cophenet of all distances", ours, best_of(lambda: cophenet(Z, pdist(points)), 1))


if __name__ == "__main__":
    growth()
    rivals()
