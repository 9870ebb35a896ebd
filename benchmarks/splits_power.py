"""Groups found in planted settings by `splits`, and beside it by the gap statistic and `stability`.

``python splits_power.py METHOD SETS`` writes to docs/results/splits-power.csv in how many sets of each setting exactly
the planted number of groups is found, in how many any two, and in how many more than there are; METHOD is splits, gap
or stability. It goes on from the sets that are there.
``python splits_power.py table`` prints them as the table of docs/significance.md.
``python splits_power.py sigclust2 SETS`` prints the p-values of the example of sigclust2, beside those that it prints.
"""

import csv
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import dendrometry as dm
from dendrometry.quality import gap_statistic
from dendrometry.resampling import stability
from dendrometry.significance import splits
from structureless import corners, normal, planted, ring

TO = Path(__file__).parent.parent / "docs" / "results" / "splits-power.csv"
HEAD = ["setting", "points", "groups", "method", "sets", "exactly", "two_or_more", "too_many"]
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


Found = dict[str, int]


def by_splits(points: np.ndarray) -> Found:
    """Return the number of groups by the cautious and by the normal reference."""
    return {
        f"splits, {reference}": int(splits(points, reference=reference).rejected.sum()) + 1  # type: ignore[arg-type]
        for reference in ("cautious", "normal")
    }


def by_gap(points: np.ndarray) -> Found:
    return {"gap": int(gap_statistic(points, lambda x: dm.agglomerate(x).hierarchy).best)}


def by_stability(points: np.ndarray) -> Found:
    """Return the number by the cautious and by the normal reference, for which the same sets are drawn."""
    agreement = stability(points, n_replicates=30, n_references=19).agreement
    assert agreement is not None
    plain = replace(agreement, valley=None)
    return {
        "stability, cautious": agreement.choose().n_clusters,
        "stability, normal": plain.choose().n_clusters,
    }


def sigclust2(n_sets: int) -> None:
    """Print the p-values of the first three splits of three normal groups in 100 columns, as in sigclust2's example."""
    for reference in ("normal", "cautious"):
        p = np.ones((n_sets, 3))
        for seed in range(n_sets):
            points = np.random.default_rng([4, seed]).normal(size=(150, 100))
            points[:, 0] += np.repeat([2, -2, 0], [60, 40, 50])
            points[100:, 1] += 3 * np.sqrt(3)
            found = splits(points, reference=reference, rng=seed)  # type: ignore[arg-type]
            nodes = np.flatnonzero(found.tested)[::-1][:3]
            p[seed, : nodes.size] = found.p_value[nodes]
        print(f"{reference}: {(p <= 0.05).sum(axis=0).tolist()} of {n_sets} at most 0.05;", end=" ")
        print("medians", np.median(p, axis=0).round(3).tolist())


METHODS = {"splits": by_splits, "gap": by_gap, "stability": by_stability}
WAYS = ("splits, cautious", "splits, normal", "stability, cautious", "stability, normal", "gap")
Key = tuple[str, str]  # setting and way


def read() -> dict[Key, np.ndarray]:
    """Return the number of sets of each setting and way, and in how many exactly as many groups, two, or more."""
    if not TO.exists():
        return {}
    with TO.open() as file:
        return {(row[0], row[3]): np.array(row[4:], dtype=int) for row in list(csv.reader(file))[1:]}


def write(counts: dict[Key, np.ndarray]) -> None:
    with TO.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        for name, (k, make) in settings().items():
            n = make(np.random.default_rng(0)).shape[0]
            writer.writerows([name, n, k, way, *counts[name, way]] for way in WAYS if (name, way) in counts)


def table() -> None:
    """Print in how many percent of the sets each way finds exactly the planted number, and in how many more."""
    counts = read()
    print("| planted |", " | ".join(f"`{way.replace(', ', '`, ')}" if ", " in way else way for way in WAYS), "|")
    print("|---|" + "--:|" * len(WAYS))
    for name in settings():
        print("|", " | ".join([name, *(percent(*counts[name, way][:2]) for way in WAYS)]), "|")
    sums = {way: sum(count for (_, own), count in counts.items() if own == way) for way in WAYS}
    print("|", " | ".join(["all", *(percent(*sums[way][:2]) for way in WAYS)]), "|")
    print("|", " | ".join(["too many", *(percent(*sums[way][[0, 3]]) for way in WAYS)]), "|")
    print("sets:", {way: int(sums[way][0]) for way in WAYS})


def percent(n: int, found: int) -> str:
    return f"{100 * found / n:.0f}"


def main(method: str, n_sets: int) -> None:
    for name, (k, make) in settings().items():
        counts = read()
        done = max((n for (own, way), (n, *_) in counts.items() if own == name and way.startswith(method)), default=0)
        for seed in range(done, n_sets):
            for way, found in METHODS[method](make(np.random.default_rng([2, seed]))).items():
                counts.setdefault((name, way), np.zeros(4, dtype=int))
                counts[name, way] += (1, found == k, found > 1, found > k)
        write(counts)


if __name__ == "__main__":
    if sys.argv[1] == "table":
        table()
    elif sys.argv[1] == "sigclust2":
        sigclust2(int(sys.argv[2]))
    else:
        main(sys.argv[1], int(sys.argv[2]))
