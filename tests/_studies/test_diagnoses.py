"""The study of diagnoses: every pair of classifications and levels."""

import numpy as np
import pytest

from dendrometry._studies.diagnoses import diagnoses
from dendrometry._studies.inputs.diagnoses import LEVELS
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return diagnoses(quick=True)


def test_every_pair_and_every_pair_of_levels_is_there(result):
    assert len(result.to_frame("alike").groupby(["first", "second"])) == 6
    levels = result.to_frame("levels")
    pairs = levels.groupby(["first", "second"]).size()
    for (first, second), n in pairs.items():
        assert n == len(LEVELS[first]) * len(LEVELS[second])
    assert np.isfinite(levels.adjusted_mutual_information).all()


def test_the_shares_of_a_chapter_add_up(result):
    shares = result.figure("chapters").axes[0].images[0].get_array()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


@pytest.mark.slow
def test_the_full_study_is_the_committed_one():
    assert_as_committed(diagnoses(), rtol=1e-4)
