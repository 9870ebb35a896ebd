"""Building beside fastcluster, on noise, in clusters, on hard and on real points: times and peak memory.

Each is measured in a fresh process.

``python benchmarks/cluster.py`` runs everything (about ten minutes); ``python benchmarks/cluster.py ward single`` only
what is named. ``ties`` are inputs full of ties beside noise of the same shape, in seconds of all cores together;
``hard`` are points in groups of very different sizes and widths, with outliers, where bounds decide less, ``words``
vectors of GloVe, which are fetched once; both in seconds of all cores together.
"""

import sys

import numpy as np

from dendrometry import agglomerate
from dendrometry._studies.inputs.words import frequent_words
from timing import fresh, show

N, D = 20_000, 32
RUNS = 3  # of which the one in the middle is shown, with the ratios of all


def noise(n, d):
    return np.random.default_rng(0).normal(size=(n, d))


def clustered(n, d):
    rng = np.random.default_rng(1)
    return 5 * rng.normal(size=(200, d))[rng.integers(200, size=n)] + rng.normal(size=(n, d))


def hard(n, d):
    """Return groups with sizes as 1 / rank, of very different widths, with heavy tails."""
    rng = np.random.default_rng(0)
    share = 1 / np.arange(1, 2001)
    group = rng.choice(2000, size=n, p=share / share.sum())
    width = rng.gamma(0.5, size=2000)[group][:, None]
    return 3 * rng.normal(size=(2000, d))[group] + width * rng.standard_t(3, size=(n, d))


def words(n, d):
    """Return the vectors of the n most frequent words, 100 columns."""
    return frequent_words(n)[:, :d]


def grid(n, d):
    """Return the first n points with whole coordinates, in d dimensions."""
    side = int(np.ceil(n ** (1 / d)))
    return np.indices((side,) * d).reshape(d, -1).T[:n].astype(float)


def one_hot(n, d):
    return np.eye(d)[np.arange(n) % d]


def binary(n, d):
    """Return points whose coordinates are 0 or 1."""
    return np.random.default_rng(0).integers(0, 2, size=(n, d)).astype(float)


def categories(n, d):
    """Return d / 5 variables of five categories each, one column for each category."""
    rng = np.random.default_rng(0)
    return np.hstack([np.eye(5)[rng.integers(5, size=n)] for _ in range(d // 5)])


def duplicates(n, d):
    """Return points that occur ten times each."""
    return noise(n // 10, d)[np.random.default_rng(1).permutation(n) % (n // 10)]


def integers(n, d):
    """Return points whose coordinates are 0, 1 or 2."""
    return np.random.default_rng(0).integers(0, 3, size=(n, d)).astype(float)


def ward(X):
    return agglomerate(X, linkage="ward")


def average_cosine(X):
    return agglomerate(X, linkage="average", metric="cosine")


def complete(X):
    return agglomerate(X, linkage="complete")


def complete_float32(X):
    return agglomerate(X, linkage="complete", precision="float32")


def average(X):
    return agglomerate(X, linkage="average")


def average_float32(X):
    return agglomerate(X, linkage="average", precision="float32")


def single(X):
    return agglomerate(X, linkage="single")


def group_average(X):
    return agglomerate(X, linkage="group_average", metric="cosine")


def fastcluster_vector_ward(X):
    import fastcluster

    return fastcluster.linkage_vector(X, "ward")


def fastcluster_vector_single(X):
    import fastcluster

    return fastcluster.linkage_vector(X, "single")


def fastcluster_ward(X):
    import fastcluster

    return fastcluster.linkage(X, "ward")


def fastcluster_single(X):
    import fastcluster

    return fastcluster.linkage(X, "single")


def fastcluster_average_cosine(X):
    import fastcluster

    return fastcluster.linkage(X, "average", "cosine")


def fastcluster_complete(X):
    import fastcluster

    return fastcluster.linkage(X, "complete")


def fastcluster_average(X):
    import fastcluster

    return fastcluster.linkage(X, "average")


def warm_ours():
    X = noise(1500, 8)
    for build in (ward, average_cosine, complete, complete_float32, average, single, group_average):
        build(X)
    single(X[:, :2])
    single(clustered(1500, 8))  # joins far clusters
    for build in (complete, complete_float32, average, average_float32):  # halves of a matrix, from 1,000 clusters on
        build(noise(4000, 8))
    for tied in (ward, average_cosine, complete, average_float32):  # ties take the ways that are not taken without
        tied(np.round(X))


def warm_fastcluster():
    fastcluster_ward(noise(50, 3))


ROUNDS = {
    "ward": ((ward,), (fastcluster_vector_ward, fastcluster_ward)),
    "average_cosine": ((average_cosine,), (fastcluster_average_cosine,)),
    "complete": ((complete, complete_float32), (fastcluster_complete,)),
    "average": ((average, average_float32), (fastcluster_average,)),
    "single": ((single,), (fastcluster_vector_single, fastcluster_single)),
}
ALONE = {
    "ward_large": (ward, 100_000, 32, 20, 1000),
    "single_plane": (single, 1_000_000, 2, 60, None),
    "group_average": (group_average, 10_000, 64, 60, None),
}  # build, n, d, and the seconds and megabytes to stay under


TIED = (
    (grid, 6000, 2),
    (grid, 16_000, 2),
    (grid, 65_537, 2),
    (one_hot, 1500, 1500),
    (one_hot, 3000, 3000),
    (binary, 4000, 64),
    (categories, 20_000, 50),
    (duplicates, 6000, 16),
    (integers, 6000, 16),
    (integers, 50_000, 16),
)
TIED_BUILDS = {ward: 100_000, average_cosine: 20_000, complete: 6000, group_average: 6000, single: 100_000}


def ties():
    """Show inputs full of ties beside noise; matrices and greedy algorithms get fewer points."""
    for build, most in TIED_BUILDS.items():
        for data, n, d in TIED:
            if n > most or (data is grid and build in (average_cosine, group_average)):
                continue
            usual, tied = (fresh(of, build, n, d, warm=warm_ours).core_seconds for of in (noise, data))
            what = f"{build.__name__}, {data.__name__} {n:,} x {d}"
            print(f"{what:<48} {tied:8.2f} s, noise {usual:8.2f} s: {tied / usual:.1f} x", flush=True)


def beside_rivals(name):
    ours, rivals = ROUNDS[name]
    for data in (noise, clustered):
        best = None
        for rival in rivals:
            figure = fresh(data, rival, N, D, warm=warm_fastcluster)
            show(f"{rival.__name__}, {data.__name__} {N:,} x {D}", figure)
            best = figure if best is None or figure.seconds < best.seconds else best
        for build in ours:
            # the first touch of new memory differs from run to run, most after a process that has given back gigabytes
            runs = sorted(fresh(data, build, N, D, warm=warm_ours) for _ in range(RUNS))
            figure = runs[RUNS // 2]
            work = best.core_seconds / figure.core_seconds  # holds beside other work, where the clock does not
            span = f"{best.seconds / runs[-1].seconds:.1f} to {best.seconds / runs[0].seconds:.1f}"
            ratio = f"{best.seconds / figure.seconds:.1f} x as fast ({span}; {work:.1f} x by the work of all cores)"
            ratio += f", {figure.peak_mb / best.peak_mb:.2f} of the memory"
            show(f"dendrometry {build.__name__}, {data.__name__} {N:,} x {D}", figure, ratio)


def work_beside_rivals(data, columns, names):
    """Show points beside fastcluster, in seconds of all cores together."""
    for d in columns:
        for name in names:
            (build, *_), rivals = ROUNDS[name]
            rival = min(fresh(data, one, 12_000, d, warm=warm_fastcluster).core_seconds for one in rivals)
            ours = fresh(data, build, 12_000, d, warm=warm_ours).core_seconds
            what = f"{name}, {data.__name__} 12,000 x {d}"
            print(f"{what:<48} {ours:8.2f} s, fastcluster {rival:8.2f} s: {rival / ours:.1f} x", flush=True)


def alone(name):
    build, n, d, seconds, megabytes = ALONE[name]
    for data in (noise, clustered):
        figure = fresh(data, build, n, d, warm=warm_ours)
        met = figure.seconds < seconds and (megabytes is None or figure.peak_mb < megabytes)
        limit = f"{seconds} s" + (f" and {megabytes:,} MB" if megabytes else "")
        show(
            f"dendrometry {build.__name__}, {data.__name__} {n:,} x {d}",
            figure,
            f"under {limit}: {'met' if met else 'missed'}",
        )


if __name__ == "__main__":
    for wanted in sys.argv[1:] or [*ROUNDS, *ALONE, "ties", "hard", "words"]:
        if wanted == "ties":
            ties()
        elif wanted == "hard":
            work_beside_rivals(hard, (32, 256), ("single", "ward"))
        elif wanted == "words":
            work_beside_rivals(words, (100,), ROUNDS)
        elif wanted in ROUNDS:
            beside_rivals(wanted)
        else:
            alone(wanted)
