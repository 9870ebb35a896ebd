"""Trees of many points: how near they are to the exact tree, on real embeddings, and what they cost.

Words choose parts: ``fidelity`` builds trees of 18,820 newsgroup messages in 64 dimensions (`datasets.fetch`, truncated
SVD) with every number of neighbours and of exact merges, ``top`` shows at which levels some of them differ from the
exact tree, ``words`` shows those of 20,000 word vectors (GloVe, fetched on request), ``neighbours`` how many of the
nearest points are found, beside FAISS, ``times`` trees of 100,000 points, and ``million`` of 1,000,000. Without words,
all but the last.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cluster
import dendrometry as dm
from dendrometry._studies.inputs.words import frequent_words
from dendrometry.cluster import cluster_approximate
from dendrometry.cluster.approximate.neighbours import find_neighbours
from dendrometry.resampling import fidelity
from timing import once, show, within

NEIGHBOURS = (10, 25, 50)
SHARES = (2, 4, 8, 16)
PAIRS = (("ward", "euclidean"), ("average", "cosine"))
SEEDS = 2
AROUND = (40, 45, 50, 55, 60)  # neighbours, with exact merges above n/16
LEVELS = (2, 10, 100, 1000)  # clusters at which trees are cut


def newsgroups() -> NDArray[np.float64]:
    """Return the messages as vectors of 64 dimensions."""
    corpus = dm.datasets.fetch("20newsgroups")
    documents = zip(corpus.items, corpus.texts, strict=True)
    return np.asarray(dm.text.vectorize_documents(documents, min_documents=3, n_dimensions=64, rng=0).vectors)


def mixture(n: int, d: int = 64) -> NDArray[np.float32]:
    """Return points about 2,000 centres, in 200 groups and 20 groups of groups, with noise in all dimensions."""
    rng = np.random.default_rng(0)
    centre = 4.0 * rng.normal(size=(20, 16))[np.arange(2000) // 100]
    centre += 2.0 * rng.normal(size=(200, 16))[np.arange(2000) // 10] + rng.normal(size=(2000, 16))
    hidden = centre[rng.integers(2000, size=n)] + 0.6 * rng.normal(size=(n, 16))
    return (hidden @ rng.normal(size=(16, d)) + 0.5 * rng.normal(size=(n, d))).astype(np.float32)


def drawn_messages(n: int) -> NDArray[np.float32]:
    """Return n newsgroup messages drawn with replacement, with noise of half the spread in every dimension."""
    X, rng = newsgroups(), np.random.default_rng(0)
    return (X[rng.integers(len(X), size=n)] + 0.5 * X.std(axis=0) * rng.normal(size=(n, X.shape[1]))).astype(np.float32)


def judged(X: NDArray[Any], tree: dm.Hierarchy, linkage: str, metric: str) -> str:
    """Return the mean fidelity and yardstick over several seeds, and their ratio, as text."""
    options: dict[str, Any] = {"linkage": linkage, "metric": metric, "n_draws": 1}
    found = [fidelity(tree, X, rng=seed, **options) for seed in range(SEEDS)]
    value = np.mean([each.value for each in found])
    yardstick = np.mean([each.yardstick for each in found])
    return f"fidelity {value:.3f}  yardstick {yardstick:.3f}  ratio {value / yardstick:.2f}"


def trees(X: NDArray[Any], linkage: Any, metric: str) -> Iterator[tuple[str, dm.Hierarchy]]:
    """Yield the exact tree, those on graphs, and that of Buckshot, with their names."""
    yield "exact", dm.agglomerate(X, linkage=linkage, metric=metric).hierarchy
    for n_neighbours in NEIGHBOURS:
        for n_exact, above in [(len(X) // share, f"exact above n/{share}") for share in SHARES] + [(1, "graph alone")]:
            built = cluster_approximate(X, linkage=linkage, metric=metric, n_neighbours=n_neighbours, n_exact=n_exact)
            yield f"{n_neighbours} neighbours, {above}", built.hierarchy
    built = dm.cluster.buckshot(X, int(np.sqrt(len(X))), linkage=linkage, metric=metric, refine=True, rng=0)
    yield "buckshot, refined", built.hierarchy


def show_fidelity() -> None:
    X = newsgroups()
    for linkage, metric in PAIRS:
        print(f"\n{len(X):,} newsgroup messages, 64 dimensions, {linkage} on {metric}; means over {SEEDS} seeds")
        built = dict(trees(X, linkage, metric))
        for name, tree in built.items():
            near = dm.pairwise_matrix([built["exact"], tree]).values[0, 1]
            print(f"{name:36s} with the exact tree {near:.3f}  {judged(X, tree, linkage, metric)}", flush=True)


def scatter(X: NDArray[Any], label: NDArray[np.integer]) -> float:
    """Return the sum of the squared distances of points from the means of their clusters."""
    total = np.zeros((int(label.max()) + 1, X.shape[1]))
    np.add.at(total, label, X)
    return float((X**2).sum() - ((total**2).sum(axis=1) / np.bincount(label)).sum())


def show_beside(X: NDArray[Any], exact: dm.Hierarchy, built: dict[str, dm.Hierarchy]) -> None:
    for name, tree in built.items():
        levels = []
        for n_clusters in LEVELS:
            ours, theirs = (dm.cut_count(each, n_clusters).labels for each in (tree, exact))
            alike = dm.compare(dm.from_labels(ours), dm.from_labels(theirs))["adjusted_rand"].value
            levels.append(f"{alike:.2f} {scatter(X, ours) / scatter(X, theirs):.4f}")
        print(f"{name:36s} {dm.pairwise_matrix([exact, tree]).values[0, 1]:.3f}  {'  '.join(levels)}", flush=True)


def show_top() -> None:
    X = newsgroups()
    exact = dm.agglomerate(X).hierarchy
    noisy = X * (1.0 + 0.01 * np.random.default_rng(0).normal(size=X.shape))
    built = {"exact, of points with 1 % noise": dm.agglomerate(noisy).hierarchy}
    for n_neighbours in AROUND:
        tree = cluster_approximate(X, n_neighbours=n_neighbours, n_exact=len(X) // 16).hierarchy
        built[f"{n_neighbours} neighbours, exact above n/16"] = tree
    print(
        f"\n{len(X):,} newsgroup messages, ward: with the exact tree, and cut into {LEVELS} clusters the adjusted Rand"
    )
    print("index of the two and the ratio of their sums of squares")
    show_beside(X, exact, built)


def show_words(n: int = 20_000) -> None:
    """Show how much exact merging above the graph matters for real vectors, n / 20 being that of a million points."""
    X = frequent_words(n)
    exact = dm.agglomerate(X).hierarchy
    noisy = X * (1.0 + 0.01 * np.random.default_rng(0).normal(size=X.shape))
    built = {"exact, of points with 1 % noise": dm.agglomerate(noisy).hierarchy}
    for share in (2, 8, 20):
        tree = cluster_approximate(X, n_exact=n // share).hierarchy
        built[f"25 neighbours, exact above n/{share}"] = tree
    print(
        f"\n{n:,} word vectors, 100 dimensions, ward: with the exact tree, and cut into {LEVELS} clusters the adjusted"
    )
    print("Rand index of the two and the ratio of their sums of squares")
    show_beside(X, exact, built)


def spread() -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield points with groups and without, of many columns and of few dimensions."""
    rng, n = np.random.default_rng(0), 100_000
    yield "mixture", mixture(n)
    yield "hard", cluster.hard(n, 64)
    yield "hard", cluster.hard(n // 2, 768)
    yield "words", cluster.words(n, 100)
    words = cluster.words(n, 100)
    yield "words, cosine", words / np.linalg.norm(words, axis=1)[:, None]
    for m, d in ((n, 16), (n, 64), (n // 2, 384)):
        yield "noise", cluster.noise(m, d)
    far = cluster.noise(n, 16)
    far[0] = 1e7
    yield "noise, one point far off", far
    yield "line", rng.random(size=(n, 1)) * np.ones(8)
    turn = 20.0 * rng.random(n)
    yield "rolled sheet", np.column_stack([turn * np.cos(turn), turn * np.sin(turn), 30.0 * rng.random(n)])


def by_blocks(points: NDArray[np.float32], k: int) -> NDArray[np.integer]:
    return find_neighbours(points, k, 0, lambda _: None).near


def by_faiss(points: NDArray[np.float32], k: int) -> NDArray[np.integer]:
    """Find neighbours by an inverted list of codes of 4 bits, four times as many as wanted, then by distances."""
    import faiss  # here, since other benchmarks import from this one

    points = np.pad(points, ((0, 0), (0, points.shape[1] % 2)))
    n, d = points.shape
    n_cells = 2 * int(n**0.5)
    index = faiss.index_factory(d, f"IVF{n_cells},PQ{d // 2}x4fs,RFlat")
    index.k_factor = 4
    cells = faiss.downcast_index(faiss.extract_index_ivf(index))
    cells.nprobe, cells.cp.niter, cells.cp.max_points_per_centroid = 32, 4, 39
    index.train(points)
    index.add(points)
    near: NDArray[np.integer] = index.search(points, k + 1)[1]
    return near


def found_share(points: NDArray[np.float32], near: NDArray[np.integer], k: int = 15, n_some: int = 300) -> float:
    """Return the share of the k nearest of some points that are found, others as near included."""
    exact, shares = points.astype(np.float64), []
    for i in np.random.default_rng(1).choice(len(points), n_some, replace=False):
        apart = ((exact - exact[i]) ** 2).sum(axis=1)
        apart[i] = np.inf
        others = [j for j in set(near[i].tolist()) if j not in (i, -1)]
        shares.append(min(k, int((apart[others] <= np.partition(apart, k - 1)[k - 1] * (1.0 + 1e-6)).sum())) / k)
    return float(np.mean(shares))


def show_neighbours() -> None:
    """Show the share of the nearest points that are found, and what it costs, beside FAISS."""
    ways: dict[str, Callable[..., NDArray[np.integer]]] = {"blocks": by_blocks, "FAISS": by_faiss}
    by_blocks(mixture(40_000), 25)  # loads
    for what, X in spread():
        points = np.ascontiguousarray((X - X.mean(axis=0)) / np.abs(X).max(), dtype=np.float32)
        for way, search in ways.items():
            figure, near = once(lambda search=search, points=points: search(points, 25))
            show(f"{what}, {len(X):,} x {X.shape[1]}, by {way}", figure, f"{found_share(points, near):.2f} found")


def show_times(what: str, X: NDArray[np.float32]) -> dm.Hierarchy:
    cluster_approximate(mixture(5000), n_exact=2000)  # compiles and loads
    figure, built = once(lambda: cluster_approximate(X))
    within(f"{len(X):,} x 64 {what}, ward, {built.report.graph.n_exact:,} exact", figure, 900, 4000)
    print(f"  {judged(X, built.hierarchy, 'ward', 'euclidean')}", flush=True)
    return built.hierarchy


def show_beside_exact(what: str, X: NDArray[np.float32]) -> None:
    tree = show_times(what, X)
    figure, built = once(lambda: dm.agglomerate(X))
    show(f"{len(X):,} x 64 {what}, ward, all exact", figure)
    near = dm.pairwise_matrix([built.hierarchy, tree]).values[0, 1]
    print(f"  {judged(X, built.hierarchy, 'ward', 'euclidean')}  with the tree above {near:.3f}", flush=True)


if __name__ == "__main__":
    words = sys.argv[1:] or ["fidelity", "top", "words", "neighbours", "times"]
    if "fidelity" in words:
        show_fidelity()
    if "top" in words:
        show_top()
    if "words" in words:
        show_words()
    if "neighbours" in words:
        show_neighbours()
    if "times" in words:
        show_times("points of a mixture", mixture(100_000))
        show_beside_exact("messages with noise", drawn_messages(100_000))
    if "million" in words:
        show_times("points of a mixture", mixture(1_000_000))
