"""The split-merge framework: scores, combinations, features, and callables."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from dendrometry import Contingency, split_merge
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.measures import van_dongen
from dendrometry.measures.partitions.split_merge import subcomponent_scores
from dendrometry.partition import decompose, score_subcomponents
from tests.measures.partitions.exhaustive import representatives
from tests.oracles.measures.partitions import split_merge as oracle

FEATURES = [[3, 0], [1, 1], [4, 0], [1, 1], [5, 9], [9, 2]]


@pytest.mark.parametrize("n", range(1, 6))
def test_every_score_and_combination_matches_its_definition(n):
    features = FEATURES[:n]
    scores = {
        "entropy": oracle.entropy_score,
        "max_overlap": oracle.max_overlap_score,
        "mse": oracle.mse_score(features),
    }
    for a, b in representatives(n):
        for combine in ("product", "mean"):
            for name, score in scores.items():
                options = {"features": features} if name == "mse" else {}
                value = split_merge(a, b, score=name, combine=combine, **options)
                assert value == pytest.approx(float(oracle.split_merge(a, b, score, combine)), abs=1e-12)
                assert 0.0 <= value <= 1.0


@pytest.mark.parametrize("n", range(2, 6))
def test_distances_match_their_definition_square_and_condensed(n):
    """Whole numbers that are no Euclidean distances; the last two items have distance 0."""
    square = np.array([[abs(i - j) * (1 + (i * j) % 3) for j in range(n)] for i in range(n)])
    square[n - 2, n - 1] = square[n - 1, n - 2] = 0
    condensed = square[np.triu_indices(n, 1)]
    score = oracle.mse_score_of_distances(square.tolist())
    for a, b in representatives(n):
        expected = float(oracle.split_merge(a, b, score))
        for distances in (square, condensed):
            assert split_merge(a, b, score="mse", distances=distances) == pytest.approx(expected, abs=1e-12)


def test_distances_of_the_features_give_the_score_of_the_features():
    rng = np.random.default_rng(3)
    points, (a, b) = rng.normal(size=(60, 4)), rng.integers(5, size=(2, 60))
    by_points = split_merge(a, b, score="mse", features=points)
    assert 0.1 < by_points < 0.9
    for scale in (1.0, 1e-200, 1e200):
        assert split_merge(a, b, score="mse", distances=scale * pdist(points)) == pytest.approx(by_points, rel=1e-12)
    found, wanted = (
        score_subcomponents(a, b, score="mse", **data).score
        for data in ({"distances": squareform(pdist(points))}, {"features": points})
    )
    assert found == pytest.approx(wanted, rel=1e-12)
    parts = decompose(a, b, "split_merge", score="mse", distances=pdist(points))
    assert parts.value == pytest.approx(by_points, rel=1e-12)


def test_parts_with_more_squared_error_than_their_cluster_score_1():
    """Distances of 2 within two pairs and of 1 between them: on a tree such as K(2,2), no points have them."""
    apart = [2, 1, 1, 1, 1, 2]
    assert split_merge([0] * 4, [0, 0, 1, 1], score="mse", distances=apart) == 1.0
    assert split_merge([0] * 4, [0, 1, 0, 1], score="mse", distances=apart) == pytest.approx((1 / 2 + 1 / 2) / 3)


def test_distances_with_noise_left_out_are_those_of_the_items_kept():
    table = Contingency.of([-1, 0, 0, 1, -1, 1], [0, 5, 5, 5, 1, 6], noise="drop")
    distances = squareform(pdist([[100.0], [1.0], [2.0], [4.0], [-50.0], [9.0]]))
    alone = split_merge([0, 0, 1, 1], [5, 5, 5, 6], score="mse", features=[1.0, 2.0, 4.0, 9.0])
    assert split_merge(table, score="mse", distances=distances) == pytest.approx(alone, rel=1e-12)


def test_a_table_of_distances_is_matched_by_its_index():
    pd = pytest.importorskip("pandas")
    truth = pd.Series([0, 0, 0, 1], index=list("abcd"))
    square = pd.DataFrame(squareform([1.0, 4, 9, 3, 8, 5]), index=list("abcd"), columns=list("abcd"))
    expected = split_merge([0, 0, 0, 1], [0, 0, 1, 1], score="mse", distances=square.to_numpy())
    other = square.loc[list("dbca"), list("dbca")]
    found = pd.Series([0, 0, 1, 1], index=list("abcd"))
    assert split_merge(truth, found, score="mse", distances=other) == expected
    assert score_subcomponents(truth, found, score="mse", distances=other).merge == {0: 1.0, 1: 0.0}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"distances": [1, 2, 3], "features": [1, 2, 3]}, InvalidInputError, "score='mse'; got both"),
        ({"distances": [1]}, ItemMismatchError, "distances must be those of 3 items; got those of 2"),
        ({"distances": [1, 2]}, InvalidInputError, r"must be n\(n-1\)/2; got 2"),
        ({"distances": [1, -2, 3]}, InvalidInputError, "distances must be at least 0; got -2 at position 1"),
        ({"distances": [[0, 1, 2], [1, 0, 3], [2, 4, 0]]}, InvalidInputError, "must be symmetric"),
        ({"distances": [1, 2, 3], "score": "entropy"}, InvalidInputError, "distances require score='mse'; got them"),
    ],
)
def test_refuses_distances_that_do_not_fit(options, error, message):
    with pytest.raises(error, match=message):
        split_merge([0, 0, 1], [0, 1, 1], **{"score": "mse", **options})


def test_max_overlap_under_the_mean_is_van_dongen():
    for a, b in representatives(6):
        assert split_merge(a, b, score="max_overlap", combine="mean") == pytest.approx(van_dongen(a, b), abs=1e-15)


def test_the_figure_of_the_paper():
    """Figures 1 and 2: {1}, {2,3} kept apart or split as drawn, {4}, {5} merged, {6,7}, {8,9} crossed."""
    truth = [1, 2, 2, 3, 4, 5, 5, 6, 6]
    found = [1, 2, 3, 4, 4, 5, 6, 5, 6]
    scores = subcomponent_scores(Contingency.of(truth, found), "entropy")
    assert scores.split.tolist() == [1, 0, 1, 1, 0, 0]
    assert scores.merge.tolist() == [1, 1, 1, 0, 0, 0]
    assert split_merge(truth, found) == pytest.approx(1 / 9)


def test_a_cluster_without_spread_scores_as_under_vanishing_noise():
    truth, found = [0] * 5, [0, 0, 0, 1, 2]
    assert split_merge(truth, found, score="mse", features=[7.1] * 5) == 2 / 4
    rng = np.random.default_rng(0)
    draws = [split_merge(truth, found, score="mse", features=rng.normal(size=5)) for _ in range(4000)]
    assert np.mean(draws) == pytest.approx(0.5, abs=4 * np.std(draws) / math.sqrt(4000))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-5, 5)), min_size=1, max_size=12))
def test_mse_matches_exact_fractions(rows):
    a, b, features = zip(*rows, strict=True)
    expected = oracle.split_merge(a, b, oracle.mse_score([[f] for f in features]))
    assert split_merge(a, b, score="mse", features=features) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 4e307])
def test_mse_does_not_depend_on_the_scale_of_the_features(scale):
    truth, found = [0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1]
    features = np.array([0.0, 1.0, 3.0, 4.0, -1.0, 2.0])
    expected = split_merge(truth, found, score="mse", features=features)
    assert split_merge(truth, found, score="mse", features=features * scale) == pytest.approx(expected, rel=1e-9)


def test_mse_is_precise_far_from_the_origin():
    truth, found = [0, 0, 0, 0], [0, 0, 1, 1]
    features = np.array([0.0, 1.0, 3.0, 4.0])
    expected = split_merge(truth, found, score="mse", features=features)
    assert split_merge(truth, found, score="mse", features=features + 2.0**40) == pytest.approx(expected, rel=1e-12)


def test_mse_is_not_always_normalised():
    """Parts with the same centre cost nothing, parts without spread cost all: the score is that of the features."""
    assert split_merge([0] * 4, [0, 0, 1, 1], score="mse", features=[-1, 1, -1, 1]) == 1.0
    assert split_merge([0] * 4, [0, 0, 1, 1], score="mse", features=[0, 0, 1, 1]) == 0.0
    assert split_merge([0] * 4, [0, 0, 0, 1], score="mse", features=[0, 0, 0, 10]) == 0.0


def test_mse_may_rise_as_sizes_get_less_skewed():
    """Property 4.2 demands that it falls: {0, 0}, {0, 10} is more even than {0, 0, 0}, {10}."""
    skewed, even = (
        split_merge([0] * 4, found, score="mse", features=[0, 0, 0, 10]) for found in ([0, 0, 0, 1], [0, 0, 1, 1])
    )
    assert (skewed, even) == (0.0, pytest.approx(2 / 3))


def test_a_callable_gets_the_items_of_a_cluster_and_of_its_parts():
    asked = []

    def score(cluster, parts):
        asked.append((cluster.tolist(), [part.tolist() for part in parts]))
        return max(map(len, parts)) / len(cluster)

    truth, found = [1, 0, 0, 1, 2], [5, 5, 5, 4, 9]
    assert split_merge(truth, found, score=score) == split_merge(truth, found, score="max_overlap")
    assert asked == [([1, 2], [[1, 2]]), ([0, 3], [[3], [0]]), ([0, 1, 2], [[1, 2], [0]])]


def test_a_callable_matches_its_definition_on_all_small_pairs():
    for a, b in representatives(5):
        value = split_merge(a, b, score=lambda cluster, parts: 1 - (len(parts) - 1) / len(cluster))
        expected = oracle.split_merge(a, b, lambda x, parts: 1 - Fraction(len(parts) - 1, len(x)))
        assert value == pytest.approx(float(expected), abs=1e-12)


def test_positions_stay_those_of_the_labelings_where_noise_is_left_out():
    table = Contingency.of([-1, 0, 0, 1, 1, 1], [5, 5, 5, 5, -1, 6], noise="drop")
    asked = []

    def score(cluster, parts):
        asked.append((cluster.tolist(), [part.tolist() for part in parts]))
        return 1.0

    split_merge(table, score=score)
    assert asked == [([1, 2], [[1, 2]]), ([3, 5], [[3], [5]]), ([1, 2, 3], [[1, 2], [3]])]
    features = [100.0, 1.0, 2.0, 4.0, -50.0, 9.0]
    alone = split_merge([0, 0, 1, 1], [5, 5, 5, 6], score="mse", features=[1.0, 2.0, 4.0, 9.0])
    assert split_merge(table, score="mse", features=features) == alone
    with pytest.raises(ItemMismatchError, match="one vector for each of 6 items; got 4"):
        split_merge(table, score="mse", features=features[:4])


@pytest.mark.parametrize("half", [Fraction(1, 2), np.array(0.5), np.float32(0.5), Decimal("0.5")])
def test_a_callable_may_return_any_real_number(half):
    assert split_merge([0, 0, 1, 1], [0, 1, 2, 3], score=lambda cluster, parts: half) == 0.5


@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan"), "high", "1", None, 1j, 10**400, np.ones(1)])
def test_refuses_scores_that_are_none(bad):
    with pytest.raises(InvalidInputError, match=r"from 0 to 1; got .* for cluster 0 of the first partition"):
        split_merge([0, 0, 1], [0, 1, 1], score=lambda cluster, parts: bad)


def test_refuses_unknown_options_and_features_that_do_not_fit():
    pair = [0, 0, 1], [0, 1, 1]
    for bad in ("gini", None, ["mse"]):
        with pytest.raises(InvalidInputError, match="score must be 'entropy', 'max_overlap', 'mse' or a function"):
            split_merge(*pair, score=bad)
    with pytest.raises(InvalidInputError, match="combine must be 'product' or 'mean'; got 'sum'"):
        split_merge(*pair, combine="sum")
    with pytest.raises(InvalidInputError, match="combine must be 'product' or 'mean'"):
        split_merge(*pair, combine=np.array(["label", "drop"]))
    with pytest.raises(InvalidInputError, match="must be given for score='mse'; got none"):
        split_merge(*pair, score="mse")
    with pytest.raises(InvalidInputError, match="features require score='mse'"):
        split_merge(*pair, features=[1, 2, 3])
    with pytest.raises(ItemMismatchError, match="one vector for each of 3 items; got 2"):
        split_merge(*pair, score="mse", features=[[1], [2]])
    with pytest.raises(InvalidInputError, match="features must be finite; got nan in row 1, column 0"):
        split_merge(*pair, score="mse", features=[[1], [float("nan")], [2]])
    with pytest.raises(InvalidInputError, match=r"features must have 2 dimensions; got shape \(3, 1, 1\)"):
        split_merge(*pair, score="mse", features=np.zeros((3, 1, 1)))
    with pytest.raises(InvalidInputError, match="features must be an array of numbers; got text"):
        split_merge(*pair, score="mse", features=["x", "y", "z"])
    with pytest.raises(InvalidInputError, match="features must be"):
        split_merge(*pair, score="mse", features=[[1], [1, 2], [3]])
    with pytest.raises(InvalidInputError, match="must have been made from labels of items; it was made from counts"):
        split_merge(Contingency.from_counts([[1, 2]]), score="mse", features=[1, 2, 3])


@pytest.mark.parametrize("unit", ["1e4000", "1e-4900", "1e300", "1"])
def test_features_of_long_doubles_may_have_any_unit(unit):
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long doubles have the range of doubles here")
    features = np.array([0, 1, 2, 3], dtype=np.longdouble) * np.longdouble(unit)
    assert split_merge([0, 0, 0, 1], [0, 0, 1, 1], score="mse", features=features) == 0.125
    with pytest.raises(InvalidInputError, match="features must be finite; got inf in row 0, column 0"):
        split_merge([0, 1], [0, 1], score="mse", features=np.array([np.inf, 0], dtype=np.longdouble))
