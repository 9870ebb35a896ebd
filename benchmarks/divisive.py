"""Trees of documents: bisecting k-means, principal direction, Buckshot and its growth, group average.

``python benchmarks/divisive.py`` runs everything (about fifteen minutes, 8 GB); ``python benchmarks/divisive.py
growth`` only what is named: documents, bisecting, growth, group_average, sparse, truncation (of newsgroups, fetched on
request).
"""

import sys
import time

import numpy as np
from scipy import sparse
from sklearn.cluster import BisectingKMeans

import dendrometry
from dendrometry import agglomerate, datasets, hierarchical_f, hierarchy_agreement
from dendrometry.cluster import bisect, buckshot, principal_direction
from timing import Figure, fresh, show

N, K = 18_821, 20  # as many documents and groups as the newsgroups have
GROWTH = (100_000, 1_000_000)
MANY = 50_000  # documents of which most merges are made by the index


def documents(n, length=100, d=50_000, topics=K):
    """Draw sparse unit rows: words by rank (Zipf), two in five of them from a topic, weighted by rarity."""
    rng = np.random.default_rng(0)
    shift = 7919 * rng.integers(1, topics + 1, size=(n, 1))
    rank = (d ** rng.random((n, length))).astype(np.int64) - 1
    word = np.where(rng.random((n, length)) < 0.4, (31 * rank + shift) % d, rank)
    X = sparse.csr_matrix((np.ones(word.size), word.ravel(), np.arange(0, word.size + 1, length)), shape=(n, d))
    X.sum_duplicates()
    X.data *= np.log(2 * n / np.bincount(X.indices, minlength=d)[X.indices])
    X.data /= np.repeat(np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel()), np.diff(X.indptr))
    return X


def short_documents(n):
    return documents(n, length=40)


def dense(n, d=100):
    """Draw unit vectors in groups, as a truncated SVD of documents leaves them."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(K, d))[rng.integers(K, size=n)] + 1.5 * rng.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1)[:, None]


def bisect_full(X):
    return bisect(X, rng=0)


def bisect_20(X):
    return bisect(X, max_clusters=K, rng=0)


def scikit_learn_20(X):
    """Bisecting k-means with as many starts as ours makes."""
    return BisectingKMeans(K, n_init=5, random_state=0).fit(X)


def direction_full(X):
    return principal_direction(X)


def direction_20(X):
    return principal_direction(X, max_clusters=K)


def buckshot_20(X):
    return buckshot(X, K, rng=0)


def buckshot_refined(X):
    return buckshot(X, K, refine=True, rng=0)


def group_average(X):
    return agglomerate(X, linkage="group_average", metric="cosine")


def group_average_100_terms(X):
    return agglomerate(X, linkage="group_average", metric="cosine", terms=100)


def group_average_20_terms(X):
    return agglomerate(X, linkage="group_average", metric="cosine", terms=20)


def warm():
    X = documents(1500)
    for build in (bisect_20, direction_20, buckshot_20, group_average):
        build(X)
    group_average_20_terms(documents(8500, length=5))  # more than fit a matrix
    bisect_20(X.toarray()[:, :100])
    group_average(dense(300))


def limit(figure, seconds):
    return f"under {seconds} s: {'met' if figure.seconds < seconds else 'missed'}"


def of_documents():
    for build, seconds in (
        (buckshot_20, 120),
        (buckshot_refined, None),
        (bisect_20, None),
        (scikit_learn_20, None),
        (bisect_full, 300),
        (direction_20, None),
        (direction_full, None),
    ):
        figure = fresh(documents, build, N, warm=warm)
        show(f"{build.__name__}, documents {N:,} x 50,000", figure, limit(figure, seconds) if seconds else "")


def bisecting():
    """Compare `bisect` with scikit-learn's, in turns: work of the cores, clock, and squares within 20 clusters.

    Both use as many threads as there are cores. The figures are the least of five seeds; the range is that of the
    ratio of single seeds.
    """
    warm()
    for name, X in (("documents", documents(N)), ("dense x 100", dense(N))):
        seconds, squares = [], []
        for seed in range(5):
            times = [(time.process_time(), time.perf_counter())]
            tree = bisect(X, max_clusters=K, rng=seed).hierarchy
            times.append((time.process_time(), time.perf_counter()))
            theirs = BisectingKMeans(K, n_init=5, random_state=seed).fit(X)
            times.append((time.process_time(), time.perf_counter()))
            seconds.append(np.diff(times, axis=0))
            squares.append((tree.height[tree.n_children == 0].sum(), theirs.inertia_))
        ours, rival = np.min(seconds, axis=0)
        single = np.array([pair[1] / pair[0] for pair in seconds])
        ratio = [
            f"{r:.2f} x our time ({low:.2f} to {high:.2f})"
            for r, low, high in zip(rival / ours, single.min(axis=0), single.max(axis=0), strict=True)
        ]
        mean, spread = np.mean(squares, axis=0), np.std(squares, axis=0)
        within = [f"{m:.1f} +- {s:.1f}" for m, s in zip(mean, spread, strict=True)]
        note = f"of the cores, scikit-learn {ratio[0]}; {ours[1]:.2f} s by the clock, {ratio[1]}"
        show(f"bisect, 20 clusters, {name}", Figure(ours[0]), f"{note}; sum of squares {within[0]}, {within[1]}")


def growth():
    """Time Buckshot by the clock and by the work of the cores, in which others on the machine do not count."""
    warm()
    figures = []
    for n in GROWTH:
        X = short_documents(n)
        seconds = []
        for _ in range(3):
            start = time.perf_counter(), time.process_time()
            buckshot(X, K, max_rounds=5, rng=0)
            seconds.append((time.perf_counter() - start[0], time.process_time() - start[1]))
        figures.append(np.min(seconds, axis=0))
        note = f"{figures[-1][1]:.1f} s of the cores, {1e6 * figures[-1][1] / n:.1f} us for each item"
        show(f"buckshot, 5 rounds, documents {n:,} x 50,000", Figure(figures[-1][0]), note)
    clock, cores = figures[1] / figures[0] * GROWTH[0] / GROWTH[1]
    met = "met" if max(clock, cores) <= 1.2 else "missed"
    print(
        f"time for each item grows {clock:.2f} x by the clock, {cores:.2f} x of the cores (at most 1.2: {met})",
        flush=True,
    )


def of_vectors():
    figure = fresh(dense, group_average, N, warm=warm)
    show(f"group_average, dense {N:,} x 100", figure, limit(figure, 600))


def of_sparse():
    for n in (N, MANY):
        for build in (group_average, group_average_100_terms, group_average_20_terms):
            figure = fresh(documents, build, n, warm=warm)
            show(f"{build.__name__}, documents {n:,} x 50,000", figure, f"{figure.core_seconds:.1f} s of all cores")


def of_truncation():
    """Show what truncation saves in work of the cores, and what it costs against the exact tree and the truth."""
    warm()
    corpus = datasets.fetch("20newsgroups")
    found = dendrometry.text.vectorize_documents(list(zip(corpus.items, corpus.texts, strict=True)), min_documents=3)
    truth = corpus.truth.restrict(found.items)
    exact = None
    for terms in (None, 200, 100, 50, 20, 10):
        start = time.process_time()
        built = agglomerate(
            found.vectors, linkage="group_average", metric="cosine", terms=terms, item_names=found.items
        )
        seconds = time.process_time() - start
        tree = built.hierarchy
        exact = tree if exact is None else exact
        scores = [
            f"{score(other, tree):.3f}" for other in (exact, truth) for score in (hierarchy_agreement, hierarchical_f)
        ]
        note = (
            f"of all cores, {built.report.mass_lost:.3f} lost, HAI and hierarchical F with the exact tree {scores[0]}"
        )
        note += f" {scores[1]}, with the truth {scores[2]} {scores[3]}"
        show(f"group_average, newsgroups, terms={terms}", Figure(seconds), note)


ROUNDS = {
    "documents": of_documents,
    "bisecting": bisecting,
    "growth": growth,
    "group_average": of_vectors,
    "sparse": of_sparse,
    "truncation": of_truncation,
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or ROUNDS:
        ROUNDS[wanted]()
