"""Predictions on a taxonomy: a million of them, and a plain loop over sets of ancestors as the rival."""

import numpy as np

import dendrometry as dm
from timing import beside, best_of, fresh, show


def predictions(n: int) -> tuple[dm.Hierarchy, np.ndarray, np.ndarray]:
    """Return a taxonomy of 1,000 leaves, and the true and the predicted node of each item."""
    taxonomy = dm.generate.random_tree(1_000, rng=0)
    rng = np.random.default_rng(0)
    return taxonomy, rng.integers(0, taxonomy.n_nodes, n), rng.integers(0, taxonomy.n_nodes, n)


def score(data: tuple[dm.Hierarchy, np.ndarray, np.ndarray]) -> dm.taxonomy.PredictionScores:
    taxonomy, truth, predicted = data
    return dm.taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)


def f_by_sets(taxonomy: dm.Hierarchy, truth: np.ndarray, predicted: np.ndarray) -> float:
    """Return the hierarchical F-score alone, from the set of ancestors of every node."""
    parent = taxonomy.parent.tolist()
    above: list[set[int]] = [set() for _ in parent]
    for v in range(len(parent) - 2, -1, -1):
        above[v] = above[parent[v]] | {v}
    shared = held = 0
    for t, p in zip(truth.tolist(), predicted.tolist(), strict=True):
        shared += len(above[t] & above[p])
        held += len(above[t]) + len(above[p])
    return 2 * shared / held


def warm() -> None:
    score(predictions(100))


def rivals(n: int = 100_000) -> None:
    data = predictions(n)
    assert abs(score(data).f - f_by_sets(*data)) < 1e-12
    ours = best_of(lambda: score(data))
    show(f"score_predictions, {n:,} items, 1,000 leaves", ours)
    beside("a loop over sets of ancestors, F alone", ours, best_of(lambda: f_by_sets(*data), 1))


if __name__ == "__main__":
    show("score_predictions, 1,000,000 items, 1,000 leaves", fresh(predictions, score, 1_000_000, warm=warm))
    rivals()
