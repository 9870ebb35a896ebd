"""The parts of the items add up to the measure, exactly."""

from fractions import Fraction

import pytest
from hypothesis import given

import dendrometry as dm
from tests.compare.judge import or_none
from tests.oracles.agreement import hierarchy_agreement
from tests.oracles.stages import overall_distance
from tests.oracles.trees import plain
from tests.strategies import hierarchy_pairs


@given(hierarchy_pairs(max_items=9, heights=True))
def test_parts_add_up_to_the_measure(pair):
    a, b = pair
    x, y = plain(a, a.items), plain(b, a.items)
    parts = dm.item_disagreement(a, b)
    assert Fraction(int(parts.sums.sum()), parts.scale) == 1 - hierarchy_agreement(x, y)
    if or_none(dm.overall_distance, a, b) is not None:
        parts = dm.item_disagreement(a, b, clock="rank")
        assert Fraction(int(parts.sums.sum()), parts.scale) == overall_distance(x, y, "together")
    if a.n_items > 1:
        parts = dm.item_disagreement(a, b, clock="height")
        assert parts.values.sum() == pytest.approx(dm.cophenetic_distance(a, b), abs=1e-12)
        assert (parts.values >= 0).all()


def test_the_odd_item_comes_first():
    a = dm.from_newick("((((a,b),c),x),((d,e),(f,g)));")
    b = dm.from_newick("(((a,b),c),(((d,e),x),(f,g)));")
    parts = dm.item_disagreement(a, b)
    assert parts.worst(1)[0][0] == "x"
    assert repr(parts) == "ItemDisagreement(8 items; most: 'x', 'd', 'e')"
    assert repr(dm.item_disagreement(a, a)) == "ItemDisagreement(8 items; none)"


def test_bad_clocks_and_undefined_cases_are_refused():
    one = dm.from_labels([0])
    with pytest.raises(dm.InvalidInputError, match="clock must be 'size', 'rank' or 'height'; got 'wall'"):
        dm.item_disagreement(one, one, clock="wall")
    with pytest.raises(dm.UndefinedMeasureError, match="got a single item"):
        dm.item_disagreement(one, one, clock="height")
    with pytest.raises(dm.UndefinedMeasureError, match="at least 3 items"):
        dm.item_disagreement(one, one, clock="rank")
