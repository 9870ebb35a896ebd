"""compare(): every measure in one result, shown as text, HTML, a frame and JSON."""

import json

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.compare import compare as module
from tests.strategies import random_linkage
from tests.zoo import ZOO

EVIL = "</script><img src=x onerror=alert(1)>[bold]\x1b[31m"


def two(n=12):
    rng = np.random.default_rng(3)
    return [dm.from_linkage(random_linkage(n, rng)) for _ in range(2)]


def test_every_measure_is_there_with_the_value_of_its_function():
    a, b = two()
    result = dm.compare(a, b)
    assert [line.name for line in result.lines] == list(dm.MEASURES)
    for line in result.lines:
        if line.value is None:
            with pytest.raises(dm.UndefinedMeasureError, match=line.reason):
                line.measure.call(a, b)
        else:
            assert line.value == line.measure.call(a, b)
    assert result.stages.distance == result["overall_distance"].value
    assert result.item_disagreement.values.sum() == pytest.approx(1 - result["hierarchy_agreement"].value)
    assert len(result.matches) == a.n_nodes


def test_adjusted_values_are_one_for_identical_trees():
    a, _ = two()
    for line in dm.compare(a, a).lines:
        if line.adjusted is not None:
            assert line.adjusted == pytest.approx(1.0, abs=1e-12)
            assert "identical trees" in line.sentence


@pytest.mark.parametrize("name", ZOO)
def test_the_zoo_is_compared_without_failing(name):
    tree = ZOO[name]
    result = dm.compare(tree, tree)
    assert str(result)
    assert result._repr_html_()
    assert json.loads(result.to_json())["n_items"] == tree.n_items
    assert all(line.sentence.endswith(".") for line in result.lines)


def test_where_chance_is_always_best_nothing_is_adjusted():
    star = dm.from_labels(["a", "b", "c", "d"])
    line = dm.compare(star, star)["hierarchy_agreement"]
    assert (line.value, line.expected, line.adjusted) == (1.0, 1.0, None)


def test_chosen_measures_only():
    a, b = two()
    assert [line.name for line in dm.compare(a, b, measures=["classic_f"]).lines] == ["classic_f"]
    with pytest.raises(dm.InvalidInputError, match="the measure must be one of"):
        dm.compare(a, b, measures=["best"])
    with pytest.raises(KeyError, match="no measure 'best'"):
        dm.compare(a, b)["best"]


def test_left_out_items_ties_and_inversions_are_told():
    a = dm.from_linkage([[0, 1, 1.0, 2], [2, 3, 0.866, 3]], ["x", "y", "z"])
    b = dm.from_linkage([[0, 1, 1.0, 2], [2, 3, 1.0, 2], [4, 5, 2.0, 4]], ["x", "y", "z", "w"])
    with pytest.raises(dm.ItemMismatchError, match="must hold the same items"):
        dm.compare(a, b)
    result = dm.compare(a, b, on_mismatch="intersect")
    assert (result.n_items, result.left_out, result.inversions) == (3, (0, 1), (1, 0))
    assert dm.compare(b, b).ties == (2, 2)
    text = str(result)
    assert "left out: 0 of the first tree, 1 of the second" in text
    assert "1 and 0 inversions" in text


def test_labels_are_text_everywhere():
    items = [EVIL, "b", "c"]
    a, b = dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]], items), dm.from_linkage([[1, 2, 1, 2], [0, 3, 2, 3]], items)
    result = dm.compare(a, b)
    page = result._repr_html_()
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert "\x1b" not in str(result) + page + result.to_json()
    assert json.loads(result.to_json())["most_disagreement"][0]["item"] in items


def test_a_frame_has_a_row_for_each_measure():
    frame = dm.compare(*two()).to_frame()
    assert list(frame.index) == list(dm.MEASURES)
    assert frame.loc["cophenetic_correlation", "lower"] == -1


def test_trees_too_deep_to_match_say_so(monkeypatch):
    monkeypatch.setattr(module, "MOST_STEPS", 10)
    result = dm.compare(*two())
    assert result.matches is None
    assert "so deep" in result["hierarchical_f"].reason
    assert json.loads(result.to_json())["clusters"] is None
