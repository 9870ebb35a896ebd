"""How often `stability` finds clusters where there are none, and where there are.

``python stability_nulls.py [SETS [POINTS [REFERENCE [KIND ...]]]]`` prints, for each kind and linkage, the number of
sets in which more than one cluster is chosen, of 30 replicates and 19 reference sets.
"""

import sys

import numpy as np

import dendrometry as dm
from dendrometry import stability
from dendrometry.resampling.replicates.reference import valley_p_value
from structureless import BARS, ONE_GROUP, corners, normal, planted

KINDS = ("Gaussian", "long ellipse", "uniform box", "skewed", "ring", "t(2)")


def dense_in_thin(rng: np.random.Generator, n: int) -> np.ndarray:
    """One dense group in a thin background."""
    return np.vstack([0.05 * rng.normal(size=(n - n // 3, 2)) + 0.5, rng.random((n // 3, 2))])


def three(rng: np.random.Generator, n: int) -> np.ndarray:
    return planted(rng, corners(3, 2, 7), [n // 3] * 3, normal(2))


SETS = {name: ONE_GROUP[name] for name in KINDS} | BARS | {"dense in thin": dense_in_thin, "three groups": three}


def is_structured(points: np.ndarray, linkage: str, reference: str, seed: int) -> bool:
    """Return whether more than one cluster is chosen; without a valley there is nothing to draw for."""
    tree, rng = dm.agglomerate(points, linkage=linkage).hierarchy, np.random.default_rng(seed)
    if reference == "cautious" and valley_p_value(points, tree, (linkage, "euclidean"), 19, rng) > 0.2:
        return False
    options = {"linkage": linkage, "reference": reference, "rng": seed}
    agreement = stability(points, n_replicates=30, n_references=19, **options).agreement  # type: ignore[arg-type]
    return agreement is not None and agreement.choose().n_clusters > 1


def main(n_sets: int = 60, n_points: int = 80, reference: str = "cautious", *kinds: str) -> None:
    for name, make in ((name, SETS[name]) for name in kinds or SETS):
        for linkage in ("ward", "average"):
            draws = (make(np.random.default_rng([3, seed]), n_points) for seed in range(n_sets))
            count = sum(is_structured(points, linkage, reference, seed) for seed, points in enumerate(draws))
            print(f"{name}, {linkage}, {reference} reference: {count} of {n_sets}", flush=True)


if __name__ == "__main__":
    main(*(int(a) if a.isdigit() else a for a in sys.argv[1:]))
