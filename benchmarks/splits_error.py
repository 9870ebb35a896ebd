"""The family-wise error of `splits` in sets of one group, by kind, linkage, metric and reference.

``python splits_error.py [SETS [STUDY ...]]`` writes docs/results/splits-error.csv after every 50 sets of each kind, and
goes on from there; ``STUDIES`` has the studies. A cell ends early once more than ``SETS`` would allow are named.
"""

import csv
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dendrometry import agglomerate
from dendrometry.significance import Splits, splits
from dendrometry.significance.separation import LEAST
from structureless import BARS, BENT, ONE_GROUP, OTHER_BARS, as_directions, beside_another

LINKAGES = ("ward", "average", "complete", "single")
OTHER_TREES = ("centroid", "median", "weighted")  # linkages of given trees, tested as those of average linkage
BLOCK = 50
TO = Path(__file__).parent.parent / "docs" / "results" / "splits-error.csv"


class Study(NamedTuple):
    """What is tested: sets of so many points, by a metric and a reference; alone, or beside another group.

    ``references`` is the number of reference sets, fewer of which make the test coarser, not wrong.
    """

    points: int = 60
    metric: str = "euclidean"
    reference: str = "cautious"
    groups: int = 1
    references: int = 199


STUDIES = {
    "cautious": Study(),
    "unimodal": Study(reference="unimodal"),
    "normal": Study(reference="normal"),
    "permuted": Study(reference="permuted"),
    "cosine": Study(metric="cosine"),
    "many": Study(points=400),
    "beside": Study(points=120, groups=2, references=39),
    "bars": Study(),
    "more in bars": Study(points=100),
    "other bars": Study(),
    "unimodal bars": Study(reference="unimodal"),
    "bent": Study(),
    "other trees": Study(),
}
KINDS = ONE_GROUP | BARS | OTHER_BARS | BENT
Key = tuple[str, str, Study]
Counts = dict[Key, tuple[int, int]]


def named(kind: str, linkage: str, study: Study, seed: int) -> bool:
    """Return whether any split within one group is named."""
    rng, make = np.random.default_rng([1, seed]), KINDS[kind]
    points = beside_another(make, rng, study.points) if study.groups == 2 else make(rng, study.points)
    if study.metric == "cosine":
        points = as_directions(points)
    tree = agglomerate(points, linkage=linkage).hierarchy if linkage in OTHER_TREES else None
    how = "average" if linkage in OTHER_TREES else linkage
    options = {"linkage": how, "metric": study.metric, "reference": study.reference, "rng": seed}
    found = splits(points, tree, n_references=study.references, **options)
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
            (r["kind"], r["linkage"], _study(r)):
            (int(r["sets"]), int(r["named"])) for r in csv.DictReader(file)
        }  # fmt: skip


def _study(row: dict[str, str]) -> Study:
    """Return the study of a row of the table."""
    numbers = {name: int(row[name]) for name in ("points", "groups", "references")}
    return Study(metric=row["metric"], reference=row["reference"], **numbers)


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


def _kinds(study: str) -> Iterable[str]:
    """Return the names of the kinds of a study."""
    if study in ("other bars", "bent"):
        return OTHER_BARS if study == "other bars" else BENT
    return BARS if "bars" in study else ONE_GROUP


def main(n_sets: int = 1000, *studies: str) -> None:
    for name in studies or STUDIES:
        study, counts = STUDIES[name], read()
        linkages = LINKAGES[study.metric == "cosine" :]  # Ward is for Euclidean distances
        if name == "other trees":
            linkages = OTHER_TREES
        for stop in range(BLOCK, n_sets + 1, BLOCK):
            for kind in _kinds(name):
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
