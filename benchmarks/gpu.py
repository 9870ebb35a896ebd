"""Trees built on a GPU: checked against SciPy or the CPU for every linkage, then timed beside the CPU and fastcluster.

Times are wall-clock, with the transfers there and back, after builds that compile the kernels. Words choose parts:
``check``, ``products`` (the same for the linkages that search, none of them in float64 at once), ``times``, ``hard``,
``greedy``, ``cpu``, ``fastcluster`` and ``large`` (10,000,000 points); without words, all but the last two, which take
minutes.
"""

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage as scipy_linkage

import dendrometry as dm
from dendrometry.cluster.gpu import ladder
from dendrometry.cluster.gpu.choose import cuda_is_there
from timing import Figure, beside, show, within

LINKAGES = {
    "ward": ("euclidean",),
    "average": ("cosine", "dot", "sqeuclidean", "euclidean", "canberra"),
    "single": ("euclidean", "cosine", "dot"),
    "complete": ("euclidean", "dot", "cityblock", "chebyshev", "correlation", "seuclidean"),
    "group_average": ("cosine", "dot", "sqeuclidean"),
    "weighted": ("euclidean",),
    "centroid": ("euclidean",),
    "median": ("euclidean",),
}
SINGLE = {"single": LINKAGES["single"]}
LOSSY = {"cosine": 1, "correlation": 2, "dot": 0}  # metrics, and the dimensions up to which most of their values tie


def noise(n: int, d: int, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=(n, d))


def clustered(n: int, d: int, n_clusters: int = 1000, width: float = 0.1) -> NDArray[np.float64]:
    rng = np.random.default_rng(1)
    return rng.normal(size=(n_clusters, d))[rng.integers(n_clusters, size=n)] + width * rng.normal(size=(n, d))


def hard(n: int, d: int) -> NDArray[np.float32]:
    """Return groups with sizes as 1 / rank, of very different widths, with heavy tails, as `cluster.py` has them."""
    rng = np.random.default_rng(0)
    share = 1 / np.arange(1, 2001)
    group = rng.choice(2000, size=n, p=share / share.sum())
    width = rng.gamma(0.5, size=2000).astype(np.float32)
    points = (3 * rng.normal(size=(2000, d))).astype(np.float32)[group]
    for at in range(0, n, 50_000):  # in parts, as the tails are drawn in float64
        part = slice(at, min(at + 50_000, n))
        points[part] += width[group[part], None] * rng.standard_t(3, size=(part.stop - at, d)).astype(np.float32)
    return points


def duplicated(n: int, d: int) -> NDArray[np.float64]:
    return noise(n // 2, d)[np.random.default_rng(2).integers(n // 2, size=n)]


def inputs(n: int) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Points of many kinds; their numbers are not multiples of a block."""
    for d in (1, 2, 3, 16, 17, 64, 65, 300):
        yield f"noise, {d} dimensions", noise(n, d)
    yield "20 tight clusters, 64 dimensions", clustered(n - 1, 64, 20, 1e-3)
    yield "duplicates, 10 dimensions", duplicated(n + 1, 10)
    yield "far from 0, 8 dimensions", noise(n - 7, 8) + 1e4


def check(n: int, linkages: dict[str, tuple[str, ...]]) -> int:
    """Compare with SciPy or the CPU: merges where nothing ties, heights everywhere; and two builds with each other."""
    failures = 0
    for what, X in inputs(n):
        for name, metrics in linkages.items():
            for metric in metrics:
                if metric in LOSSY and (X.shape[1] <= LOSSY[metric] or "far" in what):
                    continue  # most values tie, or are lost in rounding
                failures += not agrees(what, X, name, metric)
    print(f"{failures} failures", flush=True)
    return failures


def products(n: int) -> int:
    """Make the check of all linkages that search with products first, however few the distances."""
    few, ladder._FEW = ladder._FEW, 0
    try:
        return check(n, {"ward": ("euclidean",), "average": ("cosine", "dot", "sqeuclidean"), **SINGLE})
    finally:
        ladder._FEW = few


def agrees(what: str, X: NDArray[np.float64], name: str, metric: str) -> bool:
    """Print one comparison with SciPy, or with the CPU where SciPy has no such tree; return whether the trees agree."""
    built, again = (dm.agglomerate(X, linkage=name, metric=metric, device="cuda") for _ in range(2))
    if name == "group_average" or metric == "dot":
        theirs = dm.to_linkage(dm.agglomerate(X, linkage=name, metric=metric).hierarchy)
    else:
        theirs = scipy_linkage(X, name, metric)
    ours = dm.to_linkage(built.hierarchy)
    off = float(np.max(np.abs(ours[:, 2] - theirs[:, 2]) / np.max(theirs[:, 2])))
    same = bool((np.sort(ours[:, :2]) == np.sort(theirs[:, :2])).all())
    steady = (built.hierarchy.parent == again.hierarchy.parent).all() and (
        built.hierarchy.height == again.hierarchy.height
    ).all()
    right = off < 1e-10 and (same or built.report.ties > 0) and bool(steady)
    tail = f"merges {'equal' if same else 'DIFFER'}, {built.report.ties} ties, {built.report.device.search}"
    print(
        f"{what:<36} {name:>13} {metric:<12} heights within {off:.0e}, {tail}{'' if right else '  FAILED'}", flush=True
    )
    return right


def timed(X: object, kept: list[dm.Hierarchy] | None = None, **options: str) -> Figure:
    """Return the time of one build after a small one, keep its tree if there is a list, and print its report."""
    start = time.perf_counter()
    built = dm.agglomerate(X, **options)
    seconds = time.perf_counter() - start
    if kept is not None:
        kept.append(built.hierarchy)
    report = built.report
    if report.device is not None:
        used = report.device
        print(
            f"    {report.rounds} rounds, {used.scans:.2f} n² distances, {used.left_open:,} searches left open,"
            f" {used.search}, {used.peak_memory / 1e9:.1f} GB",
            flush=True,
        )
    return Figure(seconds, None if report.device is None else report.device.peak_memory / 1e6)


def time_cuda(what: str, X: object, limit: float, peak_mb: float | None = None, **options: str) -> Figure:
    """Print one time on the GPU beside its limit."""
    figure = timed(X, device="cuda", **options)
    within(what, figure, limit, peak_mb)
    return figure


def warm_up(*builds: dict[str, str]) -> None:
    """Compile the kernels of some builds."""
    for options in builds:
        dm.agglomerate(noise(20_000, 64), device="cuda", **options)
        dm.agglomerate(clustered(20_000, 64, 10, 1e-4), device="cuda", **options)


def times() -> None:
    cosine = {"linkage": "average", "metric": "cosine"}
    warm_up({}, cosine, {"linkage": "single"}, {"linkage": "complete"})
    hundred = noise(100_000, 64)
    for _ in range(7):  # the host decides this time, which varies; the first build takes memory from the device
        time_cuda("Ward, 100,000 x 64, noise", hundred, 0.5)
    inputs = {"noise": noise(1_000_000, 64), "1,000 clusters": clustered(1_000_000, 64)}
    for what, X in inputs.items():
        X = X.astype(np.float32)
        time_cuda(f"Ward, 1,000,000 x 64, {what}", X, 5)
        time_cuda(f"average on cosine, 1,000,000 x 64, {what}", X, 7.5, **cosine)
        time_cuda(f"single, 1,000,000 x 64, {what}", X, 5, linkage="single")
    for what, make in (("noise", noise), ("1,000 clusters", clustered)):
        for name in ("complete", "average"):
            time_cuda(f"{name}, 50,000 x 64, {what}", make(50_000, 64), 5, linkage=name)
    for name in ("complete", "average"):
        show(f"{name}, 100,000 x 64, noise", timed(hundred, device="cuda", linkage=name))


def on_hard_data() -> None:
    cosine = {"linkage": "average", "metric": "cosine"}
    warm_up({}, cosine, {"linkage": "single"})
    for options in ({}, cosine, {"linkage": "single"}):  # compiles what only hard data needs
        dm.agglomerate(hard(50_000, 64), device="cuda", **options)
    X = hard(1_000_000, 64)
    time_cuda("Ward, 1,000,000 x 64, hard", X, 5)
    time_cuda("average on cosine, 1,000,000 x 64, hard", X, 5, **cosine)
    time_cuda("single, 1,000,000 x 64, hard", X, 4, linkage="single")
    X = hard(200_000, 768)
    for _ in range(2):  # the first build compiles
        time_cuda("Ward, 200,000 x 768, hard", X, 3)
        time_cuda("average on cosine, 200,000 x 768, hard", X, 3, **cosine)


def greedy() -> None:
    options = {"linkage": "group_average", "metric": "cosine"}
    warm_up(options)
    time_cuda("group average on cosine, 20,000 x 64, noise", noise(20_000, 64), 60, **options)
    time_cuda("group average on cosine, 100,000 x 64, noise", noise(100_000, 64), 60, **options)


def large() -> None:
    warm_up({})
    X = np.random.default_rng(3).random((10_000_000, 64), np.float32)
    time_cuda("Ward, 10,000,000 x 64, noise", X, 300, 1e5)


def cpu() -> bool:
    """Print the time of our own build on the CPU beside that on the GPU; return whether the trees differ."""
    warm_up({})
    dm.agglomerate(noise(3000, 64))
    hundred = noise(100_000, 64)
    trees: list[dm.Hierarchy] = []
    ours = timed(hundred, trees, device="cuda")
    show("Ward, 100,000 x 64, noise", ours)
    beside("Ward, 100,000 x 64, our own build on the CPU", ours, timed(hundred, trees))
    same = all(bool((x == y).all()) for x, y in zip(dm.to_linkage(trees[0]), dm.to_linkage(trees[1]), strict=True))
    print(f"both trees are {'the same, to the last bit' if same else 'DIFFERENT'}", flush=True)
    return not same


def fastcluster() -> None:
    """Print the time of fastcluster's vector Ward on the CPU beside ours."""
    import fastcluster as theirs

    warm_up({})
    fifty = noise(50_000, 64)
    ours = timed(fifty, device="cuda")
    show("Ward, 50,000 x 64, noise", ours)
    beside("Ward, 50,000 x 64, fastcluster", ours, once(lambda: theirs.linkage_vector(fifty, "ward")))


def once(function: Callable[[], object]) -> Figure:
    start = time.perf_counter()
    function()
    return Figure(time.perf_counter() - start)


def machine() -> None:
    """Print the date, the device and the versions."""
    import torch
    import triton

    print(f"{time.strftime('%Y-%m-%d')}: {torch.cuda.get_device_name()}, CUDA {torch.version.cuda},", end=" ")
    print(f"PyTorch {torch.__version__}, Triton {triton.__version__}, NumPy {np.__version__}", flush=True)


PARTS = {
    "check": lambda: check(5000, LINKAGES),
    "products": lambda: products(5000),
    "times": times,
    "hard": on_hard_data,
    "greedy": greedy,
    "cpu": cpu,
    "fastcluster": fastcluster,
    "large": large,
}


if __name__ == "__main__":
    if not cuda_is_there():
        sys.exit(print("no CUDA device, or no PyTorch: nothing was checked or timed"))
    machine()
    results = [PARTS[name]() for name in sys.argv[1:] or ("check", "products", "times", "hard", "greedy", "cpu")]
    sys.exit(any(results))
