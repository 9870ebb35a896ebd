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


def ontology(n_terms: int = 43_559) -> dm.Dag:
    """Return terms of the number and shape of GO: about 1.8 parents each, one kind of root."""
    rng = np.random.default_rng(0)
    level = np.sort(rng.binomial(14, 0.45, n_terms))
    level[0] = 0
    terms = [f"t{v}" for v in range(n_terms)]
    edges = []
    for v in range(1, n_terms):
        before = int(np.searchsorted(level, level[v]))
        low = int(np.searchsorted(level, level[v] - 3))
        above = rng.integers(min(low, before - 1) if before else 0, max(before, 1), 1 + rng.poisson(0.8))
        edges += [(terms[v], terms[p]) for p in above.tolist() if p != v]
    return dm.Dag.from_edges(edges, terms=terms)


def annotations(n: int) -> tuple[dm.Dag, list[str], list[str]]:
    """Return the ontology, and a true and a predicted term of each item, half of which are right."""
    dag, rng = ontology(), np.random.default_rng(1)
    truth = rng.integers(0, dag.n_terms, n)
    found = np.where(rng.random(n) < 0.5, truth, rng.integers(0, dag.n_terms, n))
    return dag, [dag.terms[v] for v in truth.tolist()], [dag.terms[v] for v in found.tolist()]


def scored(n: int) -> tuple[dm.Dag, list[list[str]], list[dict[str, float]]]:
    """Return the ontology, and for each of n / 50 items three true terms and 50 predicted ones with scores."""
    dag, rng = ontology(), np.random.default_rng(1)
    truth = [[dag.terms[v] for v in row] for row in rng.integers(0, dag.n_terms, (n // 50, 3)).tolist()]
    found = [
        {dag.terms[v]: s for v, s in zip(*row, strict=True)}
        for row in zip(
            rng.integers(0, dag.n_terms, (n // 50, 50)).tolist(),
            rng.random((n // 50, 50)).round(3).tolist(),
            strict=True,
        )
    ]
    return dag, truth, found


def score_on_dag(data: tuple[dm.Dag, list[str], list[str]], **options: int) -> dm.taxonomy.PredictionScores:
    dag, truth, predicted = data
    return dm.taxonomy.score_predictions(truth, predicted, taxonomy=dag, **options)


def warm() -> None:
    score(predictions(100))
    for make in (annotations, scored):
        score_on_dag(make(1_000))


def rivals(n: int = 100_000) -> None:
    data = predictions(n)
    assert abs(score(data).f - f_by_sets(*data)) < 1e-12
    ours = best_of(lambda: score(data))
    show(f"score_predictions, {n:,} items, 1,000 leaves", ours)
    beside("a loop over sets of ancestors, F alone", ours, best_of(lambda: f_by_sets(*data), 1))


if __name__ == "__main__":
    show("score_predictions, 1,000,000 items, 1,000 leaves", fresh(predictions, score, 1_000_000, warm=warm))
    for make, what in ((annotations, "one label each"), (scored, "50 with scores each")):
        title = f"score_predictions, 1,000,000 predictions, {what}, 43,559 terms"
        show(title, fresh(make, score_on_dag, 1_000_000, warm=warm))
    rivals()
