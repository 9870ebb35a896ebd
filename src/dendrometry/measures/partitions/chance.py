"""What chance gives: measures of two partitions over all relabellings of the items, the sizes of clusters kept."""

import math

import numpy as np

from dendrometry._exact import log_ratio, total
from dendrometry._kernels._jit import IntArray
from dendrometry.contingency import Contingency
from dendrometry.measures.partitions.pairs import pair_counts

__all__ = ["by_chance", "expected_mutual_information", "p_values"]

_MOST_STEPS = 3_000_000  # terms of the expected mutual information: about a second
_MOST_SIZES = 20_000  # pairs of distinct sizes of clusters
_ROUNDING = 1e-12  # sums that differ by less, relatively, are taken for equal

_BY_PAIRS = ("rand", "adjusted_rand", "fowlkes_mallows")
_BY_INFORMATION = (
    "mutual_information",
    "normalized_mutual_information",
    "variation_of_information",
    "variation_similarity",
    "bounded_variation_similarity",
)


def by_chance(table: Contingency, k: int | None = None) -> dict[str, float]:
    """Return the mean of each measure over all relabellings of the items, where there is a formula.

    Pairs are counted exactly. Information measures need the expected mutual information; they are left out where the
    clusters are of so many different sizes that it would take long. ``k`` is for `bounded_variation_similarity`.

    Examples
    --------
    >>> from dendrometry import Contingency
    >>> from dendrometry.measures.partitions.chance import by_chance
    >>> found = by_chance(Contingency.of([0, 0, 1, 1], [0, 0, 1, 2]))
    >>> round(found["rand"], 4), round(found["mutual_information"], 4)
    (0.6111, 0.4621)
    """
    if _always_same(table):
        return dict.fromkeys((*_BY_PAIRS, *_BY_INFORMATION[1:]), 1.0) | {
            "mutual_information": _entropies(table)[0],
            "variation_of_information": 0.0,
        }
    in_a, in_b, _, every = pair_counts(table)
    found = {
        "rand": 1.0 - ((in_a + in_b) * every - 2 * in_a * in_b) / every**2,
        "adjusted_rand": 0.0,
        "fowlkes_mallows": math.sqrt(in_a * in_b) / every,
    }
    told = expected_mutual_information(table)
    if told is None:
        return found
    of_a, of_b = _entropies(table)
    lost = of_a + of_b - 2.0 * told
    found |= {
        "mutual_information": told,
        "normalized_mutual_information": told / max(of_a, of_b),
        "variation_of_information": lost,
        "variation_similarity": 1.0 - lost / math.log(table.n_items),
    }
    if k is not None:
        found["bounded_variation_similarity"] = 1.0 - lost / (2.0 * math.log(k))
    return found


def expected_mutual_information(table: Contingency) -> float | None:
    """Return the mean mutual information over all relabellings, in nats; None where that would take long.

    The overlap of clusters of sizes s and t is hypergeometric with mean u = st/n, and the sum of m log(m/u) over all
    overlaps m is that of m log(m/u) - m + u, which is nowhere negative. Clusters of the same sizes are taken together,
    and of each distribution as much as holds all but e**-60 of it.
    """
    sides = [np.unique(sizes, return_counts=True) for sizes in (table.sizes_a, table.sizes_b)]
    (size_a, n_a), (size_b, n_b) = sides
    if size_a.size * size_b.size > _MOST_SIZES:
        return None
    n = table.n_items
    mean = np.outer(size_a / n, size_b)
    spread = np.sqrt(mean * np.outer((n - size_a) / n, (n - size_b) / max(n - 1, 1)))
    reach = 12.0 * spread + 40.0
    if float(np.minimum(2.0 * reach, np.minimum.outer(size_a, size_b)).sum()) > _MOST_STEPS:
        return None
    terms = [
        float(n_a[i] * n_b[j]) * _surplus(n, int(size_a[i]), int(size_b[j]), float(reach[i, j]))
        for i, j in np.ndindex(mean.shape)
    ]
    return math.fsum(terms) / n


def _surplus(n: int, s: int, t: int, reach: float) -> float:
    """Return the mean of m log(m/u) - m + u over the hypergeometric m with mean u = st/n."""
    mean = s * t / n
    low = max(0, s + t - n, math.floor(mean - reach))
    m = np.arange(low, min(s, t, math.ceil(mean + reach)) + 1, dtype=np.float64)
    before = m[:-1]
    steps = np.log((s - before) * (t - before) / ((before + 1.0) * (n - s - t + before + 1.0)))
    logs = np.concatenate(([0.0], np.cumsum(steps)))
    weight = np.exp(logs - logs.max())
    value = m * np.log(np.maximum(m, 1.0) / mean) - m + mean
    return float(weight @ value / weight.sum())


def p_values(table: Contingency, n_relabellings: int, rng: np.random.Generator) -> dict[str, float]:
    """Return for each measure of pairs or of information the share of relabellings that are at least as much alike.

    The sizes of clusters stay, so all measures of pairs grow with the number of pairs together in both partitions, and
    all of information with the sum of m log m over the overlaps: one count serves them all. The partitions as they are
    count in: ``(1 + r) / (1 + n_relabellings)``. O(n) for each relabelling.
    """
    row, column = (np.repeat(side, table.count) for side in (table.row, table.column))
    found = np.array([_alike(table.count)])
    null = np.array([_alike(_overlaps(row, stream.permutation(column), table)) for stream in rng.spawn(n_relabellings)])
    n_alike = (null >= found * (1.0 - _ROUNDING)).sum(axis=0)
    by_pairs, by_information = ((1 + n_alike) / (1 + n_relabellings)).tolist()
    return dict.fromkeys(_BY_PAIRS, by_pairs) | dict.fromkeys(_BY_INFORMATION, by_information)


def _overlaps(row: IntArray, column: IntArray, table: Contingency) -> IntArray:
    """Return the sizes of the overlaps of two labelings."""
    key = row * table.n_b + column
    if table.n_a * table.n_b <= max(4 * key.size, 1 << 16):
        return np.bincount(key)
    counts: IntArray = np.unique(key, return_counts=True)[1]
    return counts


def _alike(count: IntArray) -> tuple[float, float]:
    """Return the pairs together in both partitions, and the sum of m log m."""
    held = count[count > 1].astype(np.float64)
    return float(held @ (held - 1.0)), float(held @ np.log(held))


def _entropies(table: Contingency) -> tuple[float, float]:
    """Return the entropy of either partition, in nats."""
    n = table.n_items
    of_a, of_b = (total(sizes * log_ratio(np.int64(n), sizes)) / n for sizes in (table.sizes_a, table.sizes_b))
    return of_a, of_b


def _always_same(table: Contingency) -> bool:
    """Whether every relabelling gives the same two partitions: one cluster on both sides, or single items."""
    return table.n_a == table.n_b and table.n_a in (1, table.n_items)
