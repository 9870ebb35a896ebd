"""Building beside fastcluster, on noise and on clustered points: times and peak memory, each in a fresh process.

``python benchmarks/cluster.py`` runs everything (about ten minutes); ``python benchmarks/cluster.py ward single`` only
what is named.
"""

import sys

import numpy as np

from dendrometry import agglomerate
from timing import fresh, show

N, D = 20_000, 32


def noise(n, d):
    return np.random.default_rng(0).normal(size=(n, d))


def clustered(n, d):
    rng = np.random.default_rng(1)
    return 5 * rng.normal(size=(200, d))[rng.integers(200, size=n)] + rng.normal(size=(n, d))


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
    for tied in (ward, average_cosine, complete):  # ties take the ways that are not taken without
        tied(np.round(X))


def warm_fastcluster():
    fastcluster_ward(noise(50, 3))


ROUNDS = {
    "ward": ((ward,), (fastcluster_vector_ward, fastcluster_ward)),
    "average_cosine": ((average_cosine,), (fastcluster_average_cosine,)),
    "complete": ((complete, complete_float32), (fastcluster_complete,)),
    "average": ((average, average_float32), (fastcluster_average,)),
    "single": ((single,), (fastcluster_vector_single,)),
}
ALONE = {
    "ward_large": (ward, 100_000, 32, 180, 1000),
    "single_plane": (single, 1_000_000, 2, 60, None),
    "group_average": (group_average, 10_000, 64, 60, None),
}  # build, n, d, and the seconds and megabytes to stay under


def beside_rivals(name):
    ours, rivals = ROUNDS[name]
    for data in (noise, clustered):
        best = None
        for rival in rivals:
            figure = fresh(data, rival, N, D, warm=warm_fastcluster)
            show(f"{rival.__name__}, {data.__name__} {N:,} x {D}", figure)
            best = figure if best is None or figure.seconds < best.seconds else best
        for build in ours:
            figure = fresh(data, build, N, D, warm=warm_ours)
            ratio = f"{best.seconds / figure.seconds:.1f} x as fast, {figure.peak_mb / best.peak_mb:.2f} of the memory"
            show(f"dendrometry {build.__name__}, {data.__name__} {N:,} x {D}", figure, ratio)


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
    for wanted in sys.argv[1:] or [*ROUNDS, *ALONE]:
        if wanted in ROUNDS:
            beside_rivals(wanted)
        else:
            alone(wanted)
