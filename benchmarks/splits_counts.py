"""The error and the power of `splits` on counts of simulated cells, with ``reference="counts"``.

``python splits_counts.py [SETS [OTHERS]]`` prints how many sets of one kind of cell are split, by linkage, and in how
many of other sets, of two or three kinds, exactly these are found; by default of a tenth as many.
"""

import sys

import numpy as np

from dendrometry.significance import splits

N_CELLS, N_GENES = 90, 200


def cells(
    rng: np.random.Generator, n_kinds: int = 1, fold: float = 1.0, dispersion: float = 0.3, program: float = 0.0
) -> np.ndarray:
    """Return counts of cells by genes, a tenth of which each kind of cell expresses ``fold`` as much.

    Rates of genes are gamma distributed, sums of cells lognormal (600 on average); ``program`` is the deviation of a
    factor that a fifth of the genes share within a kind. Genes without counts are left out.
    """
    rate = np.tile(rng.gamma(0.6, 1.0, N_GENES), (N_CELLS, 1))
    kind = np.repeat(np.arange(n_kinds), N_CELLS // n_kinds)
    for k in range(n_kinds):
        rate[np.ix_(kind == k, rng.choice(N_GENES, N_GENES // 10, replace=False))] *= fold
    rate[:, : N_GENES // 5] *= np.exp(program * rng.normal(size=(N_CELLS, 1)))
    rate *= 600 * rng.lognormal(0.0, 0.4, size=(N_CELLS, 1)) / rate.sum(axis=1, keepdims=True)
    if dispersion:
        rate *= rng.gamma(1.0 / dispersion, dispersion, size=rate.shape)
    counts = rng.poisson(rate)
    return counts[:, counts.any(axis=0)].astype(float)


ONE_KIND = {
    "Poisson": {"dispersion": 0.0},
    "negative binomial": {},
    "widely dispersed": {"dispersion": 2.0},
    "genes that vary together": {"program": 0.8},
}


def n_kinds_found(seed: int, linkage: str, **how: float) -> int:
    """Return the number of groups in one set."""
    points = cells(np.random.default_rng([5, seed]), **how)  # type: ignore[arg-type]
    return int(splits(points, linkage=linkage, reference="counts", rng=seed).rejected.sum()) + 1  # type: ignore[arg-type]


def main(n_sets: int = 200, n_others: int | None = None) -> None:
    for name, how in ONE_KIND.items():
        for linkage in ("ward", "average", "complete", "single"):
            count = sum(n_kinds_found(seed, linkage, **how) > 1 for seed in range(n_sets))
            print(f"one kind, {name}, {linkage}: {count} of {n_sets} split", flush=True)
    few = max(n_sets // 10, 1) if n_others is None else n_others
    for n_kinds in (2, 3) if few else ():
        for fold in (2.0, 3.0, 4.0, 6.0):
            for linkage in ("ward", "average"):
                found = [n_kinds_found(seed, linkage, n_kinds=n_kinds, fold=fold) for seed in range(few)]
                print(f"{n_kinds} kinds, {fold:g} fold, {linkage}: {found.count(n_kinds)} of {few} exactly,", end=" ")
                print(f"{sum(one > n_kinds for one in found)} too many", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
