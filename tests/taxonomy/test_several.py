"""Several terms for each item, several parents for each term: against sets, all relabellings, and other packages."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Dag
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.taxonomy import score_predictions
from tests.oracles.taxonomy import several as oracle
from tests.test_dag import edge_lists

ALONE = {"n_permutations": 0, "n_bootstrap": 0}
EDGES = [("bat", "mammal"), ("bat", "flyer"), ("owl", "bird"), ("owl", "flyer"), ("mammal", "animal")]
EDGES += [("bird", "animal"), ("flyer", "animal")]
STEPS = [0.25, 0.5, 0.75]


@st.composite
def cases(draw):
    edges = draw(edge_lists(6))
    terms = sorted({term for edge in edges for term in edge})
    n = draw(st.integers(2, 4))
    label = st.sampled_from(terms)
    truth = draw(st.lists(st.lists(label, max_size=3), min_size=n, max_size=n))
    scored = st.dictionaries(label, st.sampled_from([0.25, 0.5, 0.75, 1.0]), max_size=3)
    predicted = draw(st.lists(scored, min_size=n, max_size=n))
    if not any(truth) or not any(predicted):
        truth[0], predicted[0] = [terms[0]], {terms[-1]: 1.0}
    return edges, truth, predicted


def close(value, expected):
    assert (value is None) == (expected is None)
    assert value is None or value == pytest.approx(float(expected), abs=1e-12)


@given(cases())
def test_equals_its_definition_by_sets_at_every_threshold(case):
    edges, truth, predicted = case
    dag = Dag.from_edges(edges)
    roots = {dag.terms[v] for v in dag.roots}
    top = roots if len(roots) == 1 else set()
    found = score_predictions(truth, predicted, taxonomy=dag, thresholds=STEPS, **ALONE)
    whole = [oracle.closure(edges, row) for row in truth]
    true = [row - top for row in whole]
    weight = {v: oracle.accretion(edges, [row for row in whole if row], v) for v in dag.terms}
    best_f, best_s = [], []
    for k, step in enumerate(STEPS):
        other = oracle.sets_at(edges, predicted, step, top)
        row = {name: column[k] for name, column in found.thresholds.items()}
        for name, value in zip(("precision", "recall", "f"), oracle.micro(true, other), strict=True):
            close(row[name], value)
        macro = oracle.macro(true, other)
        for name, value in zip(("macro_precision", "macro_recall", "macro_f"), macro, strict=True):
            close(row[name], value)
        ru, mi, s = oracle.semantic(true, other, weight)
        for name, value in (("remaining_uncertainty", ru), ("misinformation", mi), ("s", s)):
            close(row[name], value)
        close(row["coverage"], sum(map(bool, other)) / len(other))
        close(row["path_accuracy"], sum(t == p for t, p in zip(true, other, strict=True)) / len(true))
        best_s.append(s)
        if None not in macro[:2]:
            best_f.append(float(oracle.harmonic(*macro[:2])))
    close(found["s_min"].value, min(best_s))
    close(found["f_max"].value, max(best_f, default=None))


@given(edge_lists(6), st.data())
def test_hops_and_common_depths_equal_their_definitions(edges, data):
    dag = Dag.from_edges(edges)
    label = st.sampled_from(sorted(dag.terms))
    truth, predicted = (data.draw(st.lists(label, min_size=3, max_size=3)) for _ in range(2))
    found = score_predictions(truth, predicted, taxonomy=dag, **ALONE)
    several = dag.roots.size > 1
    assert found.cost.tolist() == [oracle.hops(edges, t, p, several) for t, p in zip(truth, predicted, strict=True)]
    for i, (t, p) in enumerate(zip(truth, predicted, strict=True)):
        both = oracle.closure(edges, [t]) & oracle.closure(edges, [p])
        deepest = max((dag.depths[dag.find(v)] + several for v in both), default=0)
        assert found.common_depth[i] == deepest
    levels = np.array([dag.depths[dag.find(t)] + several for t in truth])
    assert found["common_distance"].value == pytest.approx((levels - found.common_depth).mean(), abs=1e-12)


@pytest.mark.further
@given(cases())
def test_exact_expectations_are_the_means_over_all_relabellings(case):
    edges, truth, predicted = case
    dag = Dag.from_edges(edges)
    labels = [list(row) for row in predicted]
    found = score_predictions(truth, labels, taxonomy=dag, information="intrinsic", **ALONE)
    every = [
        score_predictions(truth, list(order), taxonomy=dag, information="intrinsic", **ALONE)
        for order in permutations(labels)
    ]
    for name, score in found.scores.items():
        if score.chance == "exact":
            assert score.expected == pytest.approx(np.mean([one[name].value for one in every]), abs=1e-12)
    assert found["path_accuracy"].chance == found["coverage"].chance == "exact"


@pytest.mark.further
def test_permutations_estimate_the_other_means():
    truth, predicted = [["bat"], ["owl"], ["bird"], ["flyer"]], [["owl"], ["owl"], ["bat"], ["flyer", "mammal"]]
    dag = Dag.from_edges(EDGES)
    found = score_predictions(truth, predicted, taxonomy=dag, n_permutations=2000, n_bootstrap=0)
    every = [score_predictions(truth, list(order), taxonomy=dag, **ALONE) for order in permutations(predicted)]
    for name in ("macro_f", "f_max", "weighted_f_max", "s_min", "common_depth", "common_distance", "cost"):
        values = [one[name].value for one in every]
        assert found[name].chance == "2,000 permutations"
        assert found[name].expected == pytest.approx(np.mean(values), abs=5 * np.std(values) / 2000**0.5)


def test_intervals_hold_the_value_and_are_those_of_drawn_items():
    rng = np.random.default_rng(1)
    terms = np.array(["bat", "owl", "bird", "flyer", "mammal"])
    truth = terms[rng.integers(5, size=300)]
    predicted = np.where(rng.random(300) < 0.6, truth, terms[rng.integers(5, size=300)])
    dag = Dag.from_edges(EDGES)
    found = score_predictions(truth, predicted, taxonomy=dag, n_bootstrap=400, n_permutations=0)
    drawn = []
    for _ in range(100):
        at = rng.integers(300, size=300)
        drawn.append(score_predictions(truth[at], predicted[at], taxonomy=dag, **ALONE).f)
    assert found["f"].lower < found.f < found["f"].upper
    low, high = np.quantile(drawn, (0.025, 0.975))
    assert found["f"].lower == pytest.approx(low, abs=0.02)
    assert found["f"].upper == pytest.approx(high, abs=0.02)
    again = score_predictions(truth, predicted, taxonomy=dag, n_bootstrap=400, n_permutations=0)
    assert again.columns() == found.columns()


def test_labels_come_as_lists_tables_mappings_and_scores():
    dag = Dag.from_edges(EDGES)
    lists = score_predictions({"x": ["bat"], "y": ["owl", "bat"]}, {"y": ["owl"], "x": ["bird"]}, taxonomy=dag, **ALONE)
    truth = pd.DataFrame({"item": ["x", "y", "y"], "term": ["bat", "owl", "bat"]})
    predicted = pd.DataFrame({"protein": ["y", "x"], "go": ["owl", "bird"], "p": [0.9, 0.4]})
    table = score_predictions(truth, predicted[["protein", "go"]], taxonomy=EDGES, **ALONE)
    assert table.columns() == lists.columns()
    scored = score_predictions(truth, predicted, taxonomy=dag, thresholds=[0.4, 0.9], **ALONE)
    same = score_predictions(
        truth, {"x": {"bird": 0.4}, "y": {"owl": 0.9}}, taxonomy=dag, thresholds=[0.4, 0.9], **ALONE
    )
    assert scored.thresholds == same.thresholds
    assert scored.thresholds["coverage"] == [1.0, 0.5]
    rows = np.array([["bat", ""], ["owl", "bat"]])
    assert score_predictions(rows, [["bird"], ["owl"]], taxonomy=dag, **ALONE).f == lists.f


def test_what_is_left_out_is_counted_and_shown():
    dag = Dag.from_edges(EDGES, aliases={"chiroptera": "bat"}, obsolete=["dinosaur"])
    truth = {"x": ["chiroptera"], "y": ["owl"], "z": ["dinosaur"]}
    predicted = {"x": ["bat", "dragon"], "w": ["owl"]}
    with pytest.raises(InvalidInputError, match=r"got 'dinosaur' of item 'z', which is obsolete, without a term"):
        score_predictions(truth, predicted, taxonomy=dag)
    with pytest.raises(InvalidInputError, match=r"got 'dragon' of item 'x', which is not among them"):
        score_predictions({"x": ["bat"]}, predicted, taxonomy=dag)
    with pytest.raises(ItemMismatchError, match=r"each predicted item must have a truth; 1 item without: 'w'"):
        score_predictions({"x": ["bat"]}, {"x": ["bat"], "w": ["owl"]}, taxonomy=dag)
    found = score_predictions(truth, predicted, taxonomy=dag, unknown="leave_out", **ALONE)
    assert {what: count for what, count in found.remainder.items() if count} == {
        "unknown predicted labels": 1,
        "obsolete true labels": 1,
        "predicted items without truth": 1,
        "items without a true term": 1,
        "items without a predicted term": 2,
    }
    assert "1 obsolete true label," in found.verdict
    assert found.recall == 3 / 6


@pytest.mark.parametrize(
    ("truth", "predicted", "options", "message"),
    [
        ([["bat"]], [["bat"]], {"thresholds": [0.5]}, "thresholds are for predicted labels with scores"),
        ([{"bat": 1.0}], [["bat"]], {}, "true labels must have no scores"),
        ([["bat"]], [{"bat": 3.0}], {}, "scores must be from 0 to 1, or thresholds must be given; got scores from 3"),
        ([["bat"]], [{"bat": float("nan")}], {}, "the scores of predicted labels must be finite; got nan"),
        ([["bat"]], [["bat"]], {"information": {"dragon": 1.0}}, "these are not terms: 'dragon'"),
        ([["bat"]], [["bat"]], {"information": {"bat": -1.0}}, "the information of 'bat' must be .* at least 0"),
        ([["bat"]], [["bat"]], {"information": "much"}, "information must be 'annotations', 'intrinsic' or a mapping"),
        ([["bat"]], [["bat"], ["owl"]], {}, "one prediction for each true node; got 2 for 1"),
    ],
)
def test_refuses_options_and_labels_that_make_no_sense(truth, predicted, options, message):
    with pytest.raises((InvalidInputError, ItemMismatchError), match=message):
        score_predictions(truth, predicted, taxonomy=EDGES, **options)


def test_frames_are_read_by_their_columns_and_an_index_of_items():
    truth = pd.DataFrame({"item": ["x", "y", "y"], "term": ["bat", "owl", "bat"]})
    predicted = pd.DataFrame({"item": ["y", "x"], "term": ["owl", "bird"], "score": [0.9, 0.4]})
    expected = score_predictions(truth, predicted, taxonomy=EDGES, **ALONE)
    by_index = (truth.set_index("item"), predicted.set_index("item"))
    assert score_predictions(*by_index, taxonomy=EDGES, **ALONE).scores == expected.scores
    with pytest.raises(InvalidInputError, match=r"must be in the column score; got numbers from 0 to 1 in 'p'"):
        score_predictions(truth, predicted.rename(columns={"score": "p"}), taxonomy=EDGES)
    plain = predicted.drop(columns="score")
    for other in (["high", "low"], [1.0, 7.0], [0, 1], [None, 0.5]):  # no scores, and left out
        found = score_predictions(truth, plain.assign(p=other), taxonomy=EDGES, **ALONE)
        assert found.scores == score_predictions(truth, plain, taxonomy=EDGES, **ALONE).scores
    with pytest.raises(InvalidInputError, match="a table of true labels must have at least one row; got none"):
        score_predictions(truth.iloc[:0], plain.iloc[:0], taxonomy=EDGES)


def test_a_name_of_several_terms_is_refused_as_such():
    dag = Dag.from_edges([("t1", "r"), ("t2", "r")], names={"t1": "wing", "t2": "wing", "r": "all"})
    with pytest.raises(InvalidInputError, match=r"got 'wing' of item 'x', which is the name of several \(their ident"):
        score_predictions({"x": ["wing"]}, {"x": ["t1"]}, taxonomy=dag)
    truth, predicted = {"x": ["t1"], "y": ["t2"]}, {"x": ["wing"], "y": ["t2"]}
    left = score_predictions(truth, predicted, taxonomy=dag, unknown="leave_out")
    assert left.verdict.endswith("Counted apart: 1 unknown predicted label, 1 item without a predicted term.")
