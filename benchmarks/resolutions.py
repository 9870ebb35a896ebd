"""How often the level that stands out is the right one: k-means and Louvain at 11 resolutions each.

``python benchmarks/resolutions.py SEEDS`` prints a table of planted groups and one of tables with known classes; SEEDS
are as "3-5". The rule was fixed on seeds 0 to 2. Two simpler rules are beside it: the level that agrees best with its
neighbours, and the finest level before more than 2 % of the items must move for the next to be nested in it.
"""

import sys
import time

import networkx as nx
import numpy as np
import sklearn.datasets
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans
from sklearn.neighbors import kneighbors_graph

import dendrometry as dm
from dendrometry.partition import Resolutions, resolutions

N = 300
KINDS = ((2, 6, False), (2, 4, False), (5, 5, True), (10, 4, False), (10, 6, True))  # dimensions, distance, unequal
TABLES = ("iris", "wine", "breast_cancer", "digits")
NEIGHBOURS, MOVED = "agrees with neighbours", "before items move"


def planted(k: int, d: int, distance: float, unequal: bool, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return k normal groups; for k = 1 a normal cloud, for k = 0 an even one."""
    if k < 2:
        return (rng.normal(size=(N, d)) if k else rng.uniform(size=(N, d))), np.zeros(N, dtype=int)
    centre = rng.normal(size=(k, d))
    for _ in range(500):
        if pdist(centre).min() > 0.45 * pdist(centre).mean():
            break
        centre = rng.normal(size=(k, d))
    centre *= distance / pdist(centre).min()
    share = rng.dirichlet(np.full(k, 2.0)) * 0.7 + 0.3 / k if unequal else np.full(k, 1 / k)
    y = np.sort(rng.choice(k, size=N, p=share))
    return centre[y] + rng.normal(size=(N, d)), y


def kmeans(X: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    return {f"k = {k}": KMeans(k, n_init=3, random_state=seed).fit(X).labels_ for k in range(2, 13)}


def louvain(X: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    near = kneighbors_graph(X, 15, include_self=False)
    graph, found = nx.from_scipy_sparse_array(((near + near.T) > 0).astype(int)), {}
    for gamma in (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.4, 2, 3, 4):
        found[f"resolution {gamma}"] = label = np.empty(len(X), dtype=int)
        for i, part in enumerate(nx.community.louvain_communities(graph, resolution=gamma, seed=seed)):
            label[list(part)] = i
    return found


def simpler(found: Resolutions) -> dict[str, int]:
    """Return the levels that the two simpler rules choose."""
    codes, n = [level.code for level in found.levels], len(found.names)
    rand = [dm.adjusted_rand(codes[i], codes[i + 1]) for i in range(n - 1)]
    mean = [np.mean([rand[i] for i in (j - 1, j) if 0 <= i < n - 1]) for j in range(n)]
    moved = [step.moved > 0.02 * len(found.items) for step in found.steps]
    return {NEIGHBOURS: int(np.argmax(mean)), MOVED: moved.index(True) if any(moved) else n - 1}


def judge(X: np.ndarray, y: np.ndarray, seed: int) -> dict[str, dict[str, tuple[int | None, float, float]]]:
    """Return for each way and rule the number of clusters, its adjusted Rand index, and that of the best level."""
    rows: dict[str, dict[str, tuple[int | None, float, float]]] = {}
    for way, cluster in (("k-means", kmeans), ("Louvain", louvain)):
        found = resolutions(cluster(X, seed))
        rand = [dm.adjusted_rand(y, level.code) for level in found.levels]
        chosen = {"stands out": found.choose().level, **simpler(found)}
        rows[way] = {
            rule: (None, 0.0, max(rand)) if at is None else (int(found.n_clusters[at]), rand[at], max(rand))
            for rule, at in chosen.items()
        }
    return rows


def print_planted(seeds: range) -> None:
    real, none = [], []
    for seed in seeds:
        for k in (0, 1, 2, 3, 4, 5, 6, 8):
            for d, distance, unequal in KINDS:
                data = planted(k, d, distance, unequal, np.random.default_rng([3, seed, k, d, distance]))
                (real if k > 1 else none).append((k, seed, judge(*data, seed)))
    print("| way | rule | right number | near the best level | no verdict | verdict without groups |")
    print("|---|---|---|---|---|---|")
    for way in ("k-means", "Louvain"):
        able = [(k, seed, rows[way]) for k, seed, rows in real if rows[way]["stands out"][2] > 0.6]
        for rule in able[0][2]:
            cells = []
            for of in (
                lambda k, one: one[0] == k,
                lambda k, one: one[0] is not None and one[1] >= one[2] - 0.05,
                lambda k, one: one[0] is None,
            ):
                share = [np.mean([of(k, rows[rule]) for k, s, rows in able if s == seed]) for seed in seeds]
                cells.append(f"{np.mean(share):.2f} ({min(share):.2f} to {max(share):.2f})")
            false = np.mean([rows[way][rule][0] is not None for _, _, rows in none])
            print(f"| {way} | {rule} |", " | ".join(cells), f"| {false:.2f} |")
        print(
            f"# {way}: {len(able)} of {len(real)} with a level that has an index above 0.6; {len(none)} without groups"
        )


def print_tables(seeds: range) -> None:
    print(
        "| table | classes | way | best level | stands out |",
        " | ".join((NEIGHBOURS, MOVED)),
        "|\n|---|---|---|---|---|---|---|",
    )
    for name in TABLES:
        X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
        at = np.sort(np.random.default_rng(0).permutation(len(X))[:600])
        X, y = X[at][:, X[at].std(axis=0) > 0], y[at]
        judged = [judge((X - X.mean(axis=0)) / X.std(axis=0), y, seed) for seed in seeds]
        for way in judged[0]:
            cells = []
            for rule in ("stands out", NEIGHBOURS, MOVED):
                found = [rows[way][rule] for rows in judged]
                numbers = ", ".join("none" if k is None else str(k) for k, _, _ in found)
                cells.append(f"{numbers} ({np.mean([rand for _, rand, _ in found]):.2f})")
            best = np.mean([rows[way]["stands out"][2] for rows in judged])
            print(f"| {name} | {len(np.unique(y))} | {way} | {best:.2f} |", " | ".join(cells), "|")


if __name__ == "__main__":
    first, last = map(int, sys.argv[1].split("-"))
    start = time.process_time()
    print_planted(range(first, last + 1))
    print_tables(range(first, last + 1))
    print(f"{time.process_time() - start:.0f} s of processor time")
