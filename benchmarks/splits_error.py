"""The family-wise error of `splits` in sets of one group, by kind and linkage.

``python splits_error.py [SETS [REFERENCE]]`` writes docs/results/splits-error.csv after every 50 sets of each kind, and
goes on from there.
"""

import csv
import sys
from pathlib import Path

import numpy as np

from dendrometry.significance import splits
from structureless import ONE_GROUP

LINKAGES = ("ward", "average", "complete", "single")
N_POINTS = 60
BLOCK = 50
TO = Path(__file__).parent.parent / "docs" / "results" / "splits-error.csv"
Counts = dict[tuple[str, str, str], tuple[int, int]]


def named(kind: str, linkage: str, reference: str, seed: int) -> bool:
    """Return whether any split of a set is named."""
    points = ONE_GROUP[kind](np.random.default_rng([1, seed]), N_POINTS)
    return bool(splits(points, linkage=linkage, reference=reference, rng=seed).rejected.any())


def read() -> Counts:
    """Return the numbers of sets and of those with a named split, as far as they are known."""
    if not TO.exists():
        return {}
    with TO.open() as file:
        rows = csv.DictReader(file)
        return {(r["kind"], r["linkage"], r["reference"]): (int(r["sets"]), int(r["named"])) for r in rows}


def write(counts: Counts) -> None:
    """Keep the counts, with two standard errors of 0.05 for each number of sets."""
    with TO.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kind", "linkage", "reference", "sets", "named", "error", "most"])
        for key, (n, count) in counts.items():
            writer.writerow([*key, n, count, f"{count / n:.3f}", f"{0.05 + 2 * np.sqrt(0.05 * 0.95 / n):.3f}"])


def main(n_sets: int = 1000, reference: str = "cautious") -> None:
    counts = read()
    for stop in range(BLOCK, n_sets + 1, BLOCK):
        for kind in ONE_GROUP:
            for linkage in LINKAGES:
                key = (kind, linkage, reference)
                n, count = counts.get(key, (0, 0))
                count += sum(named(kind, linkage, reference, seed) for seed in range(n, stop))
                counts[key] = (max(n, stop), count)
        write(counts)
        print(f"{stop} sets", flush=True)


if __name__ == "__main__":
    main(*(int(a) if a.isdigit() else a for a in sys.argv[1:]))
