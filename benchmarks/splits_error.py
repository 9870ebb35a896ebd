"""The family-wise error of `splits` in sets of one group, by kind, linkage, metric and reference.

``python splits_error.py [SETS [STUDY ...]]`` writes docs/results/splits-error.csv after every 50 sets of each kind, and
goes on from there; ``STUDIES`` has the studies. A cell ends early once more than ``SETS`` would allow are named.
"""

import csv
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dendrometry.significance import Splits, splits
from dendrometry.significance.separation import LEAST
from structureless import BARS, ONE_GROUP, as_directions, beside_another

LINKAGES = ("ward", "average", "complete", "single")
BLOCK = 50
TO = Path(__file__).parent.parent / "docs" / "results" / "splits-error.csv"


class Study(NamedTuple):
    """What is tested: sets of so many points, by a metric and a reference; alone, or beside another group."""

    points: int = 60
    metric: str = "euclidean"
    reference: str = "cautious"
    groups: int = 1


STUDIES = {
    "cautious": Study(),
    "unimodal": Study(reference="unimodal"),
    "normal": Study(reference="normal"),
    "permuted": Study(reference="permuted"),
    "cosine": Study(metric="cosine"),
    "many": Study(points=400),
    "beside": Study(points=120, groups=2),
    "bars": Study(),
    "more in bars": Study(points=100),
}
KINDS = ONE_GROUP | BARS
Key = tuple[str, str, Study]
Counts = dict[Key, tuple[int, int]]


def named(kind: str, linkage: str, study: Study, seed: int) -> bool:
    """Return whether any split within one group is named."""
    rng, make = np.random.default_rng([1, seed]), KINDS[kind]
    points = beside_another(make, rng, study.points) if study.groups == 2 else make(rng, study.points)
    if study.metric == "cosine":
        points = as_directions(points)
    found = splits(points, linkage=linkage, metric=study.metric, reference=study.reference, rng=seed)
    return any(_is_of_one(found, v, study) for v in np.flatnonzero(found.rejected).tolist())


def _is_of_one(found: Splits, v: int, study: Study) -> bool:
    """Return whether all items below a node but outliers are of one group; with two, the halves of the set."""
    order = found.tree.order
    below = order.item[order.item_low[v] : order.item_high[v]] * study.groups // study.points
    return bool(np.sort(np.bincount(below))[:-1].sum() < LEAST)


def read() -> Counts:
    """Return the numbers of sets and of those with a named split, as far as they are known."""
    if not TO.exists():
        return {}
    with TO.open() as file:
        return {
            (r["kind"], r["linkage"], Study(int(r["points"]), r["metric"], r["reference"], int(r["groups"]))):
            (int(r["sets"]), int(r["named"])) for r in csv.DictReader(file)
        }  # fmt: skip


def write(counts: Counts) -> None:
    """Keep the counts, with two standard errors of 0.05 above it for each number of sets, and whether it is held."""
    with TO.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kind", "linkage", *Study._fields, "sets", "named", "error", "most", "held"])
        for (kind, linkage, study), (n, count) in counts.items():
            limit = most(n)
            held = "yes" if count / n <= limit else "no"
            writer.writerow([kind, linkage, *study, n, count, f"{count / n:.3f}", f"{limit:.3f}", held])


def most(n: int) -> float:
    """Return the largest share of n sets that may be named if the error is 0.05: two standard errors above it."""
    return float(0.05 + 2 * np.sqrt(0.05 * 0.95 / n))


def main(n_sets: int = 1000, *studies: str) -> None:
    for name in studies or STUDIES:
        study, counts = STUDIES[name], read()
        linkages = LINKAGES[study.metric == "cosine" :]  # Ward is for Euclidean distances
        for stop in range(BLOCK, n_sets + 1, BLOCK):
            for kind in BARS if "bars" in name else ONE_GROUP:
                for linkage in linkages:
                    key = (kind, linkage, study)
                    n, count = counts.get(key, (0, 0))
                    if count <= n_sets * most(n_sets):
                        count += sum(named(kind, linkage, study, seed) for seed in range(n, stop))
                        counts[key] = (max(n, stop), count)
            write(counts)
        print(f"{name}: {n_sets} sets", flush=True)


if __name__ == "__main__":
    main(*(int(a) if a.isdigit() else a for a in sys.argv[1:]))
