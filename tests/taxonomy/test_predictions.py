"""Predictions on a taxonomy: as defined by sets of ancestors, beside the mean over all relabellings."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import from_paths
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.taxonomy import (
    hierarchical_prediction_f,
    hierarchical_prediction_precision,
    hierarchical_prediction_recall,
    score_predictions,
)
from tests.oracles.taxonomy import predictions as oracle
from tests.strategies import hierarchy_pairs

TAXONOMY = from_paths(["animal/mammal", "animal/bird", "plant"])
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
    found = score_predictions(truth, predicted, taxonomy=taxonomy)
    depth = [len(oracle.above(parent, v)) for v in range(taxonomy.n_nodes)]
    common = oracle.shared(parent, truth, predicted)
    assert found.common_depth.tolist() == common
    ways = zip(truth, predicted, common, strict=True)
    assert found.cost.tolist() == [depth[t] + depth[p] - 2 * c for t, p, c in ways]
    for i, level in enumerate(found.levels.depth.tolist()):
        assert found.levels.n_true[i] == sum(depth[v] >= level for v in truth)
        assert found.levels.n_predicted[i] == sum(depth[v] >= level for v in predicted)
        assert found.levels.n_shared[i] == sum(c >= level for c in common)
    for name, call in CALLS.items():
        expected = getattr(oracle, name)(parent, truth, predicted)
        if expected is None:
            with pytest.raises(UndefinedMeasureError, match="must lie below the root; all are the root itself"):
                call(truth, predicted, taxonomy=taxonomy)
        else:
            assert call(truth, predicted, taxonomy=taxonomy) == float(expected)


def test_expectations_are_the_means_over_all_relabellings():
    truth, predicted = ["mammal", "mammal", "bird", "plant", "animal"], ["bird", "mammal", "plant", "plant", "animal"]
    found = score_predictions(truth, predicted, taxonomy=TAXONOMY)
    every = [score_predictions(truth, list(order), taxonomy=TAXONOMY) for order in permutations(predicted)]
    for name in ("precision", "recall", "f"):
        mean = np.mean([getattr(one, name) for one in every])
        assert getattr(found, f"expected_{name}") == pytest.approx(mean, abs=1e-12)
    assert found.expected_common_depth == pytest.approx(np.mean([one.common_depth.mean() for one in every]), abs=1e-12)


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
        (["mammal"], ["fungus"], InvalidInputError, "the predicted nodes must be names .*; got fungus at position 0"),
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
    with pytest.raises(InvalidInputError, match=r"names of one node of the taxonomy each.*got other at position 0"):
        score_predictions(["other"], ["other"], taxonomy=twice)


def test_refuses_what_is_no_taxonomy():
    with pytest.raises(InvalidInputError, match="taxonomy must be a Hierarchy; got list"):
        score_predictions([0], [0], taxonomy=[0])
