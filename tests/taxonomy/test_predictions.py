"""Predictions on a taxonomy: as defined by sets of ancestors, beside the mean over all relabellings."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import from_newick, from_paths, write
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.taxonomy import (
    hierarchical_prediction_f,
    hierarchical_prediction_precision,
    hierarchical_prediction_recall,
    score_predictions,
)
from tests.oracles.taxonomy import predictions as oracle
from tests.oracles.taxonomy.several import micro
from tests.strategies import hierarchy_pairs

TAXONOMY = from_paths(["animal/mammal", "animal/bird", "plant"])
ALONE = {"n_permutations": 0, "n_bootstrap": 0}
CALLS = {
    "precision": hierarchical_prediction_precision,
    "recall": hierarchical_prediction_recall,
    "f": hierarchical_prediction_f,
}


@given(hierarchy_pairs(max_items=8), st.data())
def test_equals_its_definition_on_random_taxonomies(pair, data):
    taxonomy = pair[0]
    nodes = st.lists(st.integers(0, taxonomy.n_nodes - 1), min_size=4, max_size=4)
    truth, predicted, parent = data.draw(nodes), data.draw(nodes), taxonomy.parent.tolist()
    found = score_predictions(truth, predicted, taxonomy=taxonomy, **ALONE)
    depth = [len(oracle.above(parent, v)) for v in range(taxonomy.n_nodes)]
    common = oracle.shared(parent, truth, predicted)
    assert found.common_depth.tolist() == common
    ways = zip(truth, predicted, common, strict=True)
    assert found.cost.tolist() == [depth[t] + depth[p] - 2 * c for t, p, c in ways]
    for i, level in enumerate(found.levels.depth.tolist()):
        assert found.levels.n_true[i] == sum(depth[v] >= level for v in truth)
        assert found.levels.n_predicted[i] == sum(depth[v] >= level for v in predicted)
        assert found.levels.n_shared[i] == sum(c >= level for c in common)
        assert found.levels.cost[i] == oracle.cost_at(parent, truth, predicted, level)
        pair = [[oracle.above(parent, v) for v in side] for side in (truth, predicted)]
        held = [[{v for v in row if len(oracle.above(parent, v)) == level} for row in side] for side in pair]
        for name, value in zip(("precision", "recall", "f"), micro(*held), strict=True):
            assert getattr(found.levels, name)[i] == (None if value is None else float(value))
    for name, call in CALLS.items():
        expected = getattr(oracle, name)(parent, truth, predicted)
        if expected is None:
            with pytest.raises(UndefinedMeasureError, match="must lie below the root; all are the root itself"):
                call(truth, predicted, taxonomy=taxonomy)
        else:
            assert call(truth, predicted, taxonomy=taxonomy) == float(expected)


@pytest.mark.further
def test_expectations_are_the_means_over_all_relabellings():
    truth, predicted = ["mammal", "mammal", "bird", "plant", "animal"], ["bird", "mammal", "plant", "plant", "animal"]
    found = score_predictions(truth, predicted, taxonomy=TAXONOMY)
    every = [score_predictions(truth, list(order), taxonomy=TAXONOMY, **ALONE) for order in permutations(predicted)]
    for name in ("precision", "recall", "f"):
        mean = np.mean([getattr(one, name) for one in every])
        assert found[name].expected == pytest.approx(mean, abs=1e-12)
    assert found["common_depth"].expected == pytest.approx(
        np.mean([one.common_depth.mean() for one in every]), abs=1e-12
    )
    assert found["cost"].expected == pytest.approx(np.mean([one.cost.mean() for one in every]), abs=1e-12)
    lost = np.mean([one["common_distance"].value for one in every])
    assert found["common_distance"].expected == pytest.approx(lost, abs=1e-12)
    assert found.levels.expected_f == pytest.approx(
        np.mean([one.levels.f for one in every], axis=0).tolist(), abs=1e-12
    )
    by_level = np.mean([one.levels.cost for one in every], axis=0)
    assert found.levels.expected_cost.tolist() == pytest.approx(by_level.tolist(), abs=1e-12)


def test_adjusted_values_are_1_for_right_predictions_and_0_by_chance():
    truth, predicted = ["mammal", "mammal", "bird", "plant"], ["mammal", "bird", "bird", "plant"]
    found = score_predictions(truth, predicted, taxonomy=TAXONOMY)
    for name in ("precision", "recall", "f"):
        value, expected = getattr(found, name), found[name].expected
        assert found[name].adjusted == pytest.approx((value - expected) / (1 - expected))
    assert found["cost"].adjusted == pytest.approx(1 - found.cost.mean() / found["cost"].expected)
    assert found.levels.adjusted_cost == pytest.approx([1.0, 1 - 2 / found.levels.expected_cost[1]])
    every = [score_predictions(truth, list(order), taxonomy=TAXONOMY, **ALONE) for order in permutations(predicted)]
    assert np.mean([one["f"].adjusted for one in every]) == pytest.approx(0.0, abs=1e-12)
    assert np.mean([one["cost"].adjusted for one in every]) == pytest.approx(0.0, abs=1e-12)
    right = score_predictions(truth, truth, taxonomy=TAXONOMY)
    assert (right["precision"].adjusted, right["recall"].adjusted, right["f"].adjusted, right["cost"].adjusted) == (
        1,
        1,
        1,
        1,
    )


def test_an_adjusted_value_is_none_if_every_relabelling_is_right():
    found = score_predictions(["bird", "bird"], ["bird", "bird"], taxonomy=TAXONOMY)
    assert (found["f"].adjusted, found["cost"].adjusted, found.levels.adjusted_cost) == (None, None, [None, None])


def test_right_predictions_score_1_and_cost_nothing():
    found = score_predictions(["mammal", "plant"], ["mammal", "plant"], taxonomy=TAXONOMY)
    assert (found.precision, found.recall, found.f) == (1.0, 1.0, 1.0)
    assert found.cost.tolist() == [0, 0]


def test_works_as_a_scorer_of_scikit_learn():
    from sklearn.dummy import DummyClassifier
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import cross_val_score

    x, y = np.zeros((8, 1)), np.array(["mammal", "mammal", "mammal", "bird"] * 2)
    scorer = make_scorer(hierarchical_prediction_f, taxonomy=TAXONOMY)
    values = cross_val_score(DummyClassifier(strategy="most_frequent"), x, y, scoring=scorer, cv=2, error_score="raise")
    assert values.tolist() == [0.875, 0.875]


@pytest.mark.parametrize(
    ("truth", "predicted", "error", "message"),
    [
        (
            ["mammal"],
            ["fungus"],
            InvalidInputError,
            "the predicted nodes must be .*; got 'fungus' at position 0, which is",
        ),
        (["mammals"], ["bird"], InvalidInputError, r"^did you mean 'mammal'\? .* which is not among them$"),
        (["animal/birds"], ["bird"], InvalidInputError, r"^did you mean 'bird'\? .* which is not among them$"),
        ([""], ["bird"], InvalidInputError, "got '' at position 0, which is not among them$"),
        ([True], ["bird"], InvalidInputError, "got True at position 0, which is not among them$"),
        ({"x": "bird", "y": "owl"}, ["bird"] * 2, InvalidInputError, r"got 'owl' at position 1 \('y'\), which is"),
        (["mammal"], [None], InvalidInputError, "must hold no missing label; got None at position 0"),
        ([0, 99], [0, 0], InvalidInputError, "the true nodes must be .* from 0 to 4; got 99 at position 1"),
        (["mammal"], ["bird", "bird"], ItemMismatchError, "one prediction for each true node; got 2 for 1"),
        ([], [], InvalidInputError, "must hold at least one item; got none"),
    ],
)
def test_refuses_what_is_not_one_node_for_each_item(truth, predicted, error, message):
    with pytest.raises(error, match=message):
        score_predictions(truth, predicted, taxonomy=TAXONOMY)


def test_refuses_a_name_that_several_nodes_have():
    twice = from_paths(["a/other", "b/other"])
    message = r"got 'other' at position 0, which 2 nodes are called \(give the path of one: 'a/other', 'b/other'\)$"
    with pytest.raises(InvalidInputError, match=message):
        score_predictions(["other"], ["other"], taxonomy=twice)
    found = score_predictions(["a/other", "b/other"], ["a/other", "a/other"], taxonomy=twice)
    assert found.cost.tolist() == [0, 4]


def test_a_repeated_name_at_the_top_is_given_with_a_separator_before_it():
    top = from_paths(["a/other", "other"])
    with pytest.raises(InvalidInputError, match=r"give the path of one: 'a/other', '/other'\)$"):
        score_predictions(["other"], ["other"], taxonomy=top)
    assert score_predictions(["/other", "/"], ["a/other", "/other"], taxonomy=top).cost.tolist() == [3, 1]


def test_nodes_that_share_a_path_must_be_given_by_number():
    same = from_newick("((x,y)a,(z,w)a);")
    with pytest.raises(InvalidInputError, match=r"which 2 nodes are called \(give the number of one\)$"):
        score_predictions(["a"], ["x"], taxonomy=same)
    assert score_predictions(["a/x"], ["a/z"], taxonomy=same).cost.tolist() == [4]


def test_few_paths_of_a_name_that_many_nodes_have_are_listed():
    many = from_paths([f"{letter}/other" for letter in "abcd"])
    with pytest.raises(
        InvalidInputError, match=r"4 nodes are called \(.*: 'a/other', 'b/other', 'c/other' and so on\)$"
    ):
        score_predictions(["other"], ["a"], taxonomy=many)


def test_tips_without_a_name_are_called_by_their_item():
    tips = from_newick("((cat,dog)mammal,(owl,hen))animal;")
    found = score_predictions(["cat", "owl", "mammal/dog"], ["dog", "mammal", "animal"], taxonomy=tips)
    assert found.cost.tolist() == [2, 3, 2]
    assert score_predictions([0, 3], ["mammal/cat", "owl"], taxonomy=tips).cost.tolist() == [0, 0]


def test_series_and_mappings_are_matched_by_name():
    truth = pd.Series(["mammal", "bird", "plant"], index=["x", "y", "z"])
    assert score_predictions(truth, truth[::-1], taxonomy=TAXONOMY).f == 1.0
    assert score_predictions(truth, dict(truth[::-1]), taxonomy=TAXONOMY).cost.tolist() == [0, 0, 0]
    assert score_predictions(truth, truth[::-1].tolist(), taxonomy=TAXONOMY).cost.tolist() == [3, 0, 3]
    with pytest.raises(ItemMismatchError, match=r"must name the same items .* 1 item only in the first: 'z'"):
        score_predictions(truth, truth.rename({"z": "w"}), taxonomy=TAXONOMY)


def test_shows_its_scores_and_writes_them_as_tables():
    found = score_predictions(["mammal", "plant"], ["bird", "plant"], taxonomy=TAXONOMY)
    assert repr(found) == (
        "PredictionScores(2 items, precision 0.6667, recall 0.6667, F 0.6667 (0.3333 by chance), mean cost 1)"
    )
    assert found.to_frame().loc["f", ["value", "expected", "adjusted"]].tolist() == pytest.approx([2 / 3, 1 / 3, 0.5])
    assert found.to_markdown().splitlines()[2].endswith("| 0.3333 | 0.5 | exact |")
    assert found.levels.to_frame().cost.tolist() == [0, 2]
    assert found.levels.to_latex().splitlines()[4].startswith(r"1 & 2 & 2 & 2 & 1 & 1 & 1 & 1 & 0.5 & 0 & 2 & 1 \\")
    assert repr(found.levels) == "PredictionLevels(2 levels, cost 2)"


def test_undefined_scores_are_shown_as_such():
    found = score_predictions(["mammal"], ["/"], taxonomy=TAXONOMY)
    assert "precision undefined, recall 0, F 0" in repr(found)
    assert found.to_frame().loc["precision"].drop("chance").isna().all()
    assert "None" not in found._repr_html_()


def test_refuses_what_is_no_taxonomy():
    with pytest.raises(InvalidInputError, match="taxonomy must be a Hierarchy; got int"):
        score_predictions([0], [0], taxonomy=3)
    with pytest.raises(InvalidInputError, match=r"taxonomy: it must be readable in one way; .*from_paths\(\) takes"):
        score_predictions(["b"], ["b"], taxonomy=["a/b", "a/c"])


def test_takes_the_taxonomy_of_a_file(tmp_path):
    from_file = tmp_path / "taxonomy.json"
    write(TAXONOMY, from_file)
    found, expected = (score_predictions(["mammal"], ["/"], taxonomy=tree) for tree in (from_file, TAXONOMY))
    assert found.recall == expected.recall
