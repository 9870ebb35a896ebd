"""Data without clusters are called structured as rarely as the level says, and planted clusters are found."""

import numpy as np
import pytest

from dendrometry import stability

N_SETS, ALPHA = 200, 0.05
MOST = 18  # a binomial count of 200 trials with probability 0.05 exceeds this in fewer than 1 of 100 cases


def normal(rng):
    return rng.normal(size=(40, 4)) @ rng.normal(size=(4, 4))


def skewed(rng):
    return rng.exponential(size=(40, 4))


def planted(rng):
    return rng.normal(size=(40, 4)) + np.repeat(np.eye(4) * 6, 10, axis=0)


def row(rng):
    return rng.normal(size=(180, 2)) + np.repeat([[0, 0], [6, 0], [12, 0]], 60, axis=0)


def groups(k, d, rng):
    """Round groups of 15 points whose centres are at least 5 standard deviations apart."""
    centres = []
    while len(centres) < k:
        drawn = 6 * rng.normal(size=d)
        if all(np.linalg.norm(drawn - other) >= 5 for other in centres):
            centres.append(drawn)
    return rng.normal(size=(15 * k, d)) + np.repeat(centres, 15, axis=0)


def n_found(draw, reference, n_sets):
    """The number of data sets in which structure is found."""
    choices = []
    for seed in range(n_sets):
        points = draw(np.random.default_rng(seed))
        found = stability(points, n_replicates=6, reference=reference, n_references=19, rng=seed, n_jobs=1)
        choices.append(found.agreement.choose(ALPHA).n_clusters)
    return sum(k > 1 for k in choices)


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "reference"), [(normal, "normal"), (skewed, "permuted")])
def test_noise_is_not_called_structure(draw, reference):
    count = n_found(draw, reference, N_SETS)
    print(f"{draw.__name__} points, {reference} reference: {count} of {N_SETS} at the level {ALPHA}")
    assert count <= MOST


@pytest.mark.slow
def test_groups_in_a_row_are_told_from_a_long_cloud_but_not_from_permuted_columns():
    count, permuted = (n_found(row, reference, 20) for reference in ("normal", "permuted"))
    print(f"three groups in a row, found in {count} of 20 with a normal, in {permuted} with a permuted reference")
    assert count >= 18
    assert permuted <= 2


def test_planted_clusters_are_found():
    assert n_found(planted, "normal", 5) >= 4


@pytest.mark.slow
def test_the_planted_number_is_chosen():
    planned = [(k, d, seed) for k in (3, 4, 5, 6) for d in (2, 6) for seed in range(4)]
    right = covered = 0
    for k, d, seed in planned:
        points = groups(k, d, np.random.default_rng([k, d, seed]))
        choice = stability(points, n_replicates=20, n_jobs=1).agreement.choose()
        right += choice.n_clusters == k
        covered += k in (choice.n_clusters, *choice.as_good)
    print(f"3 to 6 groups: the number chosen in {right} of {len(planned)}, chosen or as good in {covered}")
    assert right >= 22
    assert covered >= 25
