"""Groups found in planted settings by `splits`, and beside it by the gap statistic and `stability`.

``python splits_power.py METHOD SETS`` adds to docs/results/splits-power.csv how often exactly the planted number of
groups is found, and how often any two; METHOD is splits, gap or stability.
"""

import csv
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import dendrometry as dm
from dendrometry.quality import gap_statistic
from dendrometry.resampling import stability
from dendrometry.significance import splits
from structureless import corners, normal, planted, ring

TO = Path(__file__).parent.parent / "docs" / "results" / "splits-power.csv"
HEAD = ["setting", "points", "groups", "method", "sets", "exactly", "two_or_more"]
Setting = tuple[int, Callable[[np.random.Generator], np.ndarray]]


def in_thin(rng: np.random.Generator) -> np.ndarray:
    """Two dense groups in a thin background."""
    dense = planted(rng, np.array([[3.0, 3.0], [7.0, 7.0]]), [34, 33], lambda g, n: 0.4 * g.normal(size=(n, 2)))
    return np.vstack([dense, 10 * rng.random((33, 2))])


def ring_and_centre(rng: np.random.Generator) -> np.ndarray:
    return np.vstack([5 * ring(rng, 70), 0.5 * rng.normal(size=(30, 2))])


def settings() -> dict[str, Setting]:
    found: dict[str, Setting] = {}
    for k in (2, 3, 4):
        for d in (2, 10, 50):
            for apart in (4, 5, 6, 8):
                sizes, centres = [100 // k] * k, corners(k, d, apart)
                found[f"{k} groups, {d} columns, {apart} apart"] = (
                    k, lambda rng, d=d, sizes=sizes, centres=centres: planted(rng, centres, sizes, normal(d))
                )  # fmt: skip
    uneven = lambda rng: planted(rng, corners(2, 2, 7), [17, 83], normal(2))  # noqa: E731
    heavy = lambda rng: planted(rng, corners(2, 2, 12), [50, 50], lambda g, n: g.standard_t(3, size=(n, 2)))  # noqa: E731
    found["2 groups of 17 and 83, 2 columns, 7 apart"] = (2, uneven)
    found["2 groups of t(3), 2 columns, 12 apart"] = (2, heavy)
    found["2 dense groups in a thin background"] = (2, in_thin)
    found["a ring and its centre"] = (2, ring_and_centre)
    return found


def by_splits(points: np.ndarray) -> int:
    return int(splits(points).rejected.sum()) + 1


def by_gap(points: np.ndarray) -> int:
    return int(gap_statistic(points, lambda x: dm.agglomerate(x).hierarchy).best)


def by_stability(points: np.ndarray) -> int:
    agreement = stability(points).agreement
    return 1 if agreement is None else agreement.choose().n_clusters


METHODS = {"splits": by_splits, "gap": by_gap, "stability": by_stability}


def main(method: str, n_sets: int) -> None:
    rows = []
    if TO.exists():
        with TO.open() as file:
            rows = [row for row in list(csv.reader(file))[1:] if row[3] != method]
    for name, (k, make) in settings().items():
        found = [METHODS[method](make(np.random.default_rng([2, seed]))) for seed in range(n_sets)]
        n = make(np.random.default_rng(0)).shape[0]
        rows.append([name, n, k, method, n_sets, found.count(k), sum(one > 1 for one in found)])
        print(*rows[-1], sep="; ", flush=True)
        with TO.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
