"""The study of words: the best match of each field."""

import pytest

from dendrometry._studies.words import words
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return words(quick=True)


def test_planted_fields_are_found_better_than_by_chance(result):
    frame = result.to_frame("fields")
    assert (frame.f >= frame.lowest).all()
    assert (frame.f <= frame.highest).all()
    assert frame.f.mean() > frame.by_chance.mean()
    assert frame.words.min() >= 2


def test_the_picture_has_a_line_for_each_field(result):
    ax = result.figure("fields").axes[0]
    assert len(ax.get_yticks()) == len(result.to_frame("fields"))


@pytest.mark.slow
def test_the_full_study_is_the_committed_one():
    assert_as_committed(words(), rtol=1e-4)
