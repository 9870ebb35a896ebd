"""Variable selection on the user's data: the three ways are those of the public functions, and noise is at chance."""

from dataclasses import replace

import numpy as np
import pytest

from dendrometry import agglomerate, overall_similarity, stages
from dendrometry._studies.inputs.data import planted_noise
from dendrometry.comparison import score_variables
from dendrometry.errors import InvalidInputError, UndefinedMeasureError

DATA = planted_noise(6, 2, 2, np.random.default_rng(0))
SUBSETS = {"informative": DATA.columns[:2], "noise": DATA.columns[2:]}


@pytest.fixture(scope="module")
def scores():
    return score_variables(
        DATA.values, variable_names=DATA.columns, subsets=SUBSETS, linkage="ward", n_permutations=79, rng=0
    )


def tree_of(columns, linkage="ward"):
    return agglomerate(DATA.values[:, columns], linkage=linkage).hierarchy


def test_methods_say_what_was_relabelled_how_often_and_whom_to_cite(scores):
    for words in ("each of 79 random relabellings", "(1 + r) / (1 + 79)", "Morlini and Zani", "Phipson and Smyth"):
        assert words in scores.methods
    assert "a level of 5% divided by 4" in scores.methods
    assert "divided by" not in replace(scores, null=scores.null[:78]).methods
    assert replace(scores, null=scores.null[:0]).methods == ""
    tied = replace(scores, agreement_over_ties=np.repeat(scores.agreement_over_ties, 3, axis=0))
    assert "the mean over 3 tie-breaks" in tied.methods
    assert "tie-breaks" not in replace(scores, agreement_over_ties=scores.agreement_over_ties[:1]).methods


def test_the_first_way_compares_single_variables(scores):
    for i in range(4):
        for j in range(4):
            if i != j:
                pair = stages(tree_of([i]), tree_of([j]))
                assert scores.similarity[i, j] == pair.similarity
                assert scores.expected[i, j] == 1.0 - pair.expected_distance
    adjusted = (scores.similarity - scores.expected) / (1 - scores.expected)
    assert scores.agreement == pytest.approx([(adjusted[i].sum() - 1) / 3 for i in range(4)], abs=1e-14)
    assert scores.trees["noise 1"].height.tolist() == tree_of([2]).height.tolist()


def test_the_second_way_compares_subsets_and_all(scores):
    assert scores.subsets.names == ("informative", "noise", "all")
    assert scores.subsets.values[0, 2] == overall_similarity(tree_of([0, 1]), tree_of([0, 1, 2, 3]))
    assert scores.subsets.values[0, 2] > scores.subsets.values[1, 2]


def test_the_third_way_omits_each_variable(scores):
    expected = [overall_similarity(tree_of([0, 1, 2, 3]), tree_of([i for i in range(4) if i != j])) for j in range(4)]
    assert scores.without.tolist() == expected
    assert list(scores.trees_without) == list(DATA.columns)


def test_noise_is_at_chance_and_structure_is_not(scores):
    assert (scores.p_value[:2] <= 0.05 / 4).all()
    assert (scores.p_value[2:] > 0.05).all()
    assert (scores.agreement[2:] < scores.agreement[:2].min() / 2).all()


def test_selected_is_what_at_most_a_share_of_5_percent_of_the_relabellings_reaches(scores):
    """Divided among four variables: 79 relabellings are the fewest with which a p-value, 1 / 80, is so low."""
    assert scores.n_relabellings_to_select == 79
    assert scores.selected.tolist() == [True, True, False, False]
    ahead = np.zeros((79, 4))
    ahead[0] = 1.0  # one relabelling agrees more than the variables themselves
    close = replace(scores, null=ahead, agreement_over_ties=np.array([[1.0, 2.0, 2.0, 1.0]]))
    assert close.p_value.tolist() == [2 / 80, 1 / 80, 1 / 80, 2 / 80]
    assert close.selected.tolist() == [False, True, True, False]


def test_with_too_few_relabellings_nothing_is_said_of_a_selection():
    few = score_variables(DATA.values, linkage="ward", n_permutations=78)
    assert (few.selected, few.p_value.min()) == (None, 1 / 79)
    assert "selected" not in few.to_frame()
    assert score_variables(DATA.values, linkage="ward").selected is None


def test_p_values_are_shares_of_relabellings(scores):
    assert scores.null.shape == (79, 4)
    for j in range(4):
        assert scores.p_value[j] == (1 + sum(scores.null[:, j] >= scores.agreement[j] - 1e-12)) / 80


def test_the_mean_over_relabellings_is_chance(scores):
    error = scores.null.std(axis=0) / np.sqrt(79)
    assert (np.abs(scores.null.mean(axis=0)) < 4 * error).all()


TIED = np.column_stack([np.random.default_rng(j).permutation(24) for j in range(3)]).astype(float)


def test_where_merges_are_tied_all_scores_are_means_over_tie_breaks():
    found = score_variables(TIED, linkage="ward", subsets={"two": ["0", "1"]}, n_permutations=3, rng=4)
    assert found.agreement_over_ties.shape == (found.n_tie_breaks, 3) == (10, 3)
    assert found.tie_effect == np.ptp(found.agreement_over_ties, axis=0).max() > 0.0
    assert found.agreement.tolist() == found.agreement_over_ties.mean(axis=0).tolist()
    given = score_variables(TIED, linkage="ward", subsets={"two": ["0", "1"]}, n_tie_breaks=1)
    assert given.agreement.tolist() == found.agreement_over_ties[0].tolist()
    assert given.trees == found.trees
    for name in ("similarity", "expected", "without"):
        assert getattr(found, name).tolist() != getattr(given, name).tolist()
    assert found.subsets.values.tolist() != given.subsets.values.tolist()
    assert repr(found).endswith(", mean over 10 tie-breaks)")
    frame = found.to_frame()
    assert (frame.agreement_low <= frame.agreement).all()
    assert (frame.agreement_high - frame.agreement_low).max() == found.tie_effect


def test_without_ties_one_tree_is_enough(scores):
    assert (scores.n_tie_breaks, scores.tie_effect) == (1, 0.0)
    assert "tie-breaks" not in repr(scores)


@pytest.mark.further
def test_scores_of_tied_variables_hardly_depend_on_the_order_of_the_items():
    rng = np.random.default_rng(5)

    def spread(n_tie_breaks):
        orders = [rng.permutation(24) for _ in range(6)]
        scores = [score_variables(TIED[order], linkage="ward", n_tie_breaks=n_tie_breaks, rng=rng) for order in orders]
        return np.ptp([one.agreement for one in scores], axis=0).max()

    assert spread(30) < spread(1) / 2


@pytest.mark.parametrize(("linkage", "metric"), [("single", "cityblock"), ("complete", "euclidean")])
def test_any_linkage_and_metric_build_the_trees(linkage, metric):
    found = score_variables(DATA.values, linkage=linkage, metric=metric)
    expected = agglomerate(DATA.values[:, [1]], linkage=linkage, metric=metric).hierarchy
    assert found.trees["1"] == expected
    assert found.p_value is None
    assert found.subsets is None


def test_standardized_variables_do_not_depend_on_their_units():
    units = np.array([1.0, 1e-6, 1e6, 1e200])
    plain, scaled = (score_variables(X, standardize=True) for X in (DATA.values, DATA.values * units + units))
    assert scaled.without == pytest.approx(plain.without, abs=1e-12)
    assert score_variables(DATA.values * units).without[3] < 0.9


def test_a_table_holds_a_row_for_each_variable(scores):
    frame = scores.to_frame()
    ranges = ["agreement", "agreement_low", "agreement_high"]
    assert list(frame.columns) == [
        "variable",
        "similarity",
        "by_chance",
        *ranges,
        "p_value",
        "similarity_without",
        "selected",
    ]
    assert frame.similarity[0] == pytest.approx(scores.similarity[0, 1:].mean())
    assert repr(scores).startswith("VariableScores(4 variables, 24 items, best informative")
    assert not scores.similarity.flags.writeable


@pytest.mark.parametrize(
    ("X", "options", "error", "message"),
    [
        ([[1.0], [2.0], [3.0]], {}, InvalidInputError, "at least 2 variables to compare; got 1"),
        (DATA.values, {"variable_names": ["a"]}, InvalidInputError, "one name of its own for each of 4 variables"),
        (DATA.values, {"variable_names": list("aabc")}, InvalidInputError, "got 3 different ones"),
        (DATA.values, {"subsets": {"x": ["9"]}}, InvalidInputError, "got unknown '9' in 'x'"),
        (DATA.values, {"subsets": {"all": ["0"]}}, InvalidInputError, "not be called 'all'"),
        (DATA.values, {"subsets": {"x": []}}, InvalidInputError, "got 0 variables in 'x'"),
        (DATA.values, {"subsets": [["0"]]}, InvalidInputError, "subsets must map names to variables; got list"),
        (DATA.values, {"n_permutations": -1}, InvalidInputError, "n_permutations must be"),
        (DATA.values, {"n_tie_breaks": 0}, InvalidInputError, "n_tie_breaks must be"),
        (DATA.values, {"linkage": "longest"}, InvalidInputError, "linkage must be"),
        ([[1.0, 2.0], [1.0, 3.0], [1.0, 5.0]], {"standardize": True}, InvalidInputError, "column 0 does not"),
        ([[1.0, 2.0], [2.0, 3.0]], {}, UndefinedMeasureError, "variables '0' and '1': there must be at least 3 items"),
    ],
)
def test_refuses_what_cannot_be_compared(X, options, error, message):
    with pytest.raises(error, match=message):
        score_variables(X, **options)
