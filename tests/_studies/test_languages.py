"""The study of languages: distances on the globe, and what planted languages show."""

import numpy as np
import pytest

from dendrometry._studies.languages import great_circle_distances, languages
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return languages(quick=True)


def test_distances_are_angles_on_the_globe():
    place = np.array([[0.0, 0.0], [0.0, 90.0], [90.0, 33.0], [0.0, 180.0], [0.0, -179.0]])
    found = np.degrees(great_circle_distances(place))
    np.testing.assert_allclose(found[0], [0.0, 90.0, 90.0, 180.0, 179.0], atol=1e-5)
    assert found[3, 4] == pytest.approx(1.0)


def test_planted_descent_is_found_again_in_grammar(result):
    frame = result.to_frame("alike").query("first == 'descent' and measure == 'triplet_agreement'")
    assert (frame.adjusted > 0.1).all()
    assert (frame.p_value == 1 / 20).all()
    assert (frame.low < frame.adjusted).all()


def test_the_map_has_every_language(result):
    assert result.figure("map").axes[0].collections[0].get_offsets().shape == (60, 2)


@pytest.mark.slow
def test_the_full_study_is_the_committed_one():
    assert_as_committed(languages(), rtol=1e-4)
