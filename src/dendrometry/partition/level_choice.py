"""Which of several levels of clusters stands out: one that finer levels refine, and beyond which items cross."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import freeze_arrays
from dendrometry._display import plain_signature
from dendrometry._typing import FloatArray, IntArray

REFINED = 0.85  # the least adjusted Wallace coefficient from any finer level for a level to be chosen
ALIKE = 0.9  # the least adjusted Rand index of levels that are nearly the same
LEAST = 2.0  # the least `standing` for a level to be chosen
FINER = 2  # the fewest finer levels by which a level is judged
_SLACK = 0.05  # coefficients this near to 1 do not differ much


@freeze_arrays
@plain_signature
class LevelChoice(NamedTuple):
    """The level that stands out, its number, or None if there is none, and what each level has to show for itself.

    ``refined`` is the least adjusted Wallace coefficient from any level with more clusters to each level: 1 if all of
    them refine it, 0 by chance. ``n_alike`` is the number of levels that are nearly the same, itself among them: whose
    adjusted Rand index with it is at least 0.9. ``standing`` is how many times further finer levels are from refining
    the next level with more clusters than from refining this one, times ``n_alike``; both are counted from 1.05, so
    that coefficients near 1 do not differ much. ``refined`` and ``standing`` are nan for levels that cannot be judged:
    one cluster, single items, or fewer than two levels with more clusters.
    """

    level: int | None
    refined: FloatArray
    n_alike: IntArray
    standing: FloatArray


def choose_level(congruence: FloatArray, n_clusters: IntArray, n_items: int) -> LevelChoice:
    """Return which level stands out, given the adjusted Wallace coefficients between all levels, coarsest first.

    The level with the largest standing is chosen, the coarsest of several, if finer levels refine it by 0.85 or more
    and its standing is 2 or more.
    """
    n = n_clusters.size
    usable = (n_clusters > 1) & (n_clusters < n_items)
    refined, standing = np.full(n, np.nan), np.full(n, np.nan)
    both = congruence + congruence.T
    rand = np.divide(2.0 * congruence * congruence.T, both, out=np.zeros((n, n)), where=both != 0.0)
    n_alike = (rand >= ALIKE).sum(axis=1)
    finer = [np.flatnonzero(usable & (n_clusters > k)) for k in n_clusters.tolist()]
    for j in np.flatnonzero(usable).tolist():
        if finer[j].size:
            refined[j] = congruence[finer[j], j].min()
    for j in np.flatnonzero(usable).tolist():
        if finer[j].size >= FINER:
            before, after = 1.0 + _SLACK - refined[j], 1.0 + _SLACK - refined[finer[j][0]]
            standing[j] = after / before * n_alike[j]
    refined[np.isnan(standing)] = np.nan
    fit = (refined >= REFINED) & (standing >= LEAST)
    chosen = int(np.argmax(np.where(fit, standing, -np.inf))) if fit.any() else None
    return LevelChoice(chosen, refined, n_alike, standing)
