"""Stability of trees: replicates, the comparison at every level, the figures and the report."""

import tempfile
import time
from pathlib import Path

import numpy as np

import dendrometry as dm
from dendrometry import plot
from dendrometry.cluster import bisect_constrained
from dendrometry.generate import random_colours, rgb_to_hsv, rgb_to_lab
from dendrometry.resampling import ask_triplets
from dendrometry.resampling.agreement import agreement_values
from dendrometry.resampling.node_support import node_support
from dendrometry.resampling.rank_stability import rank_stability
from timing import Figure, show

LEVELS = np.arange(2, 11)


def data(n: int, d: int, n_groups: int = 5) -> np.ndarray:
    """Return points in some clusters that overlap a little."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(n_groups, d))
    return rng.normal(size=(n, d)) + 2.0 * centres[rng.integers(0, n_groups, n)]


def timed(function, *args, **options):
    """Return the result of a call, and its seconds by the clock and of all cores."""
    start, work = time.perf_counter(), time.process_time()
    result = function(*args, **options)
    return result, Figure(time.perf_counter() - start, None, time.process_time() - work)


def with_everything(n: int = 2_000, d: int = 64, n_replicates: int = 100) -> None:
    """Show replicates, reference sets, all figures and the report: under 60 s on two cores."""

    def everything():
        found = dm.stability(points, n_replicates=n_replicates, n_jobs=2)
        plot.dendrogram(found.hierarchy, support=found.support.bp, top=40)
        plot.stability_curve(found.agreement)
        plot.co_membership(found, 5)
        with tempfile.TemporaryDirectory() as folder:
            dm.report(found, Path(folder, "report.html"))
        return found

    points = data(n, d)
    found, figure = timed(everything)
    show(f"stability, {n_replicates} replicates of Ward on {n:,} x {d}, figures and report", figure)
    print(f"  {found!r}\n  {found.agreement!r}")


def levels_beside_building(n: int = 2_000, d: int = 64, n_replicates: int = 20) -> None:
    """Show the comparison at every level: under a fifth of the building."""
    points = data(n, d)
    found, building = timed(dm.stability, points, n_replicates=n_replicates, n_references=0, n_jobs=1)
    every, comparing = timed(agreement_values, found.replicates, np.arange(2, n // 2))
    _, supporting = timed(node_support, found.hierarchy, found.replicates, (1.0,))
    rest = building.core_seconds - supporting.core_seconds
    show(f"building and assessing {n_replicates} replicates, {n:,} x {d}", building)
    share = comparing.core_seconds / rest
    show(f"comparing them at {every.shape[1]:,} levels", comparing, f"{share:.3f} of the building")
    show("support of all nodes", supporting)


def many_replicates(n: int = 500, d: int = 50, n_replicates: int = 1_000) -> None:
    """Show a thousand replicates: under 60 s."""
    found, figure = timed(dm.stability, data(n, d), n_replicates=n_replicates, n_jobs=2)
    show(f"stability, {n_replicates:,} replicates of Ward on {n} x {d}", figure)
    print(f"  {found.agreement!r}")


def asking(n: int = 200, n_questions: int = 200) -> None:
    """Show questions about triplets of colours, beside one tree with the answers."""
    rgb = random_colours(n, rng=0)
    truth = dm.agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy
    asked, figure = timed(ask_triplets, rgb_to_hsv(rgb), truth, n_questions)
    show(f"asking {n_questions} questions about {n} colours", figure)
    _, building = timed(bisect_constrained, rgb_to_hsv(rgb), asked.triplets)
    show("one tree with the answers", building)


def many_conditions(n: int = 100_000, n_methods: int = 10) -> None:
    """Show the ranks of ten methods in 100,000 conditions of three factors, with tied scores."""
    rng = np.random.default_rng(0)
    factors = {name: rng.integers(0, size, n) for name, size in (("data", 20), ("sample", 100), ("seed", 50))}
    scores = rng.integers(0, 50, size=(n, n_methods))
    found, figure = timed(rank_stability, scores, factors=factors)
    show(f"rank_stability, {n_methods} methods in {n:,} conditions", figure)
    print(f"  {found!r}")


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("Agg")
    dm.stability(data(300, 8), n_replicates=6, n_references=1)  # compile
    many_replicates()
    asking()
    levels_beside_building()
    with_everything()
    many_conditions()
