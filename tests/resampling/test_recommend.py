"""One recommendation: what most of its rules say, in words, and where it must agree with what other results say."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

import dendrometry as dm
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.quality import gap_statistic, score_cuts
from dendrometry.resampling import Recommendation, score_methods
from dendrometry.resampling.recommend import _most_named

POINTS = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
FEW = {"n_replicates": 10, "n_references": 19}


def most_named(numbers):
    """The number with the most votes, half of one from each neighbour; half a vote more for two; of several the nearest
    to the median, then the lower; one only if it is named most often.
    """
    numbers = list(numbers)
    ordered = sorted(numbers)
    middle = ordered[(len(ordered) - 1) // 2]
    votes = {k: sum({0: 1, 1: 0.5}.get(abs(k - other), 0) for other in ordered) + (k == 2) / 2 for k in ordered}
    often = [k for k in ordered if votes[k] == max(votes.values())]
    if max(map(numbers.count, numbers)) > numbers.count(1) or any(
        numbers.count(k) == numbers.count(1) for k in ordered if k > 1
    ):
        often = [k for k in often if k > 1] or often
    return min(often, key=lambda number: abs(number - middle))


def with_rules(**rules):
    found = dm.recommend(POINTS, max_clusters=4, **FEW)
    return Recommendation(
        "ward", most_named(rules.values()), rules, found.hierarchy, found.agreement, found.scores, found.gap
    )


def test_three_groups_are_found_by_all_rules():
    found = dm.recommend(POINTS, **FEW)
    assert found.rules == dict.fromkeys(("stability", "calinski_harabasz", "simplified_silhouette", "gap_first"), 3)
    assert found.verdict == (
        "ward with 3 clusters is recommended, as all 4 rules say. No rule proves a number of clusters."
    )
    np.testing.assert_array_equal(np.bincount(found.labels), [20, 20, 20])
    assert repr(found).startswith("Recommendation(60 items, ward with 3 clusters; 3 by stability,")
    assert found.to_frame()["agrees"].all()
    assert "calinski_harabasz" in found._repr_html_()


def test_each_rule_is_that_of_its_own_function():
    X = np.random.default_rng(3).normal(size=(50, 3)) + np.repeat([[0, 0, 0], [4, 0, 0]], 25, axis=0)
    found = dm.recommend(X, linkage="average", max_clusters=6, **FEW)
    tree = dm.agglomerate(X, linkage="average").hierarchy
    scores = score_cuts(tree, X, max_clusters=6)
    assert found.rules == {
        "stability": found.agreement.choose().n_clusters,
        "calinski_harabasz": scores.best["calinski_harabasz"],
        "simplified_silhouette": scores.best["simplified_silhouette"],
        "gap_first": found.gap.first_best,
    }
    assert found.n_clusters == most_named(found.rules.values())


def test_points_without_groups_have_no_clusters():
    found = dm.recommend(np.random.default_rng(5).normal(size=(80, 3)), **FEW)
    assert found.n_clusters == 1
    assert found.verdict.startswith("No clusters are recommended, as ")
    assert set(found.labels.tolist()) == {0}


def test_rules_that_disagree_are_named():
    found = with_rules(stability=3, calinski_harabasz=2, simplified_silhouette=3, gap=9, gap_first=3)
    assert found.agreeing == ("stability", "simplified_silhouette", "gap_first")
    assert found.disagreeing == {"calinski_harabasz": 2, "gap": 9}
    assert found.verdict.endswith(
        " stability, simplified_silhouette and gap_first say so; others disagree: calinski_harabasz 2, gap 9."
    )
    for_two = with_rules(stability=3, calinski_harabasz=2, simplified_silhouette=3, gap_first=2)
    assert for_two.n_clusters == 2
    assert for_two.verdict.endswith("others disagree: stability 3, simplified_silhouette 3.")
    for_two = with_rules(stability=2, calinski_harabasz=4, simplified_silhouette=6, gap_first=8)
    assert for_two.verdict.endswith(
        "6, gap_first 8. Two has half a vote more, without which it would be 4. They range over 2 to 8: take the number"
        " as a suggestion."
    )
    alone = with_rules(stability=1, calinski_harabasz=2, simplified_silhouette=4, gap=9, gap_first=8)
    assert "as 1 of 5 rules says, and 1 names one cluster more or less. calinski_harabasz says so" in alone.verdict
    assert alone.verdict.endswith("They range over 1 to 9: take the number as a suggestion.")


@pytest.mark.parametrize(
    ("numbers", "number"),
    [
        ([3, 3, 2, 9], 3),
        ([2, 2, 9, 9, 8], 9),
        ([2, 2, 9, 9, 8, 8], 8),
        ([2, 2, 5, 5, 1], 2),
        ([1, 2, 4, 9, 8], 2),
        ([2, 2, 2, 5, 6, 7, 6], 2),
        ([3, 3, 1, 1], 3),
        ([1, 2, 10, 1], 1),
        ([3, 3, 2, 2], 2),
        ([4, 4, 2], 4),
        ([3, 2], 2),
        ([7], 7),
    ],
)
def test_the_number_with_the_most_votes_and_half_votes_is_taken_of_several_the_nearest_to_the_median(numbers, number):
    assert _most_named(numbers) == most_named(numbers) == number


def test_without_a_gap_the_other_rules_count():
    X = np.repeat([[0.0, 0.0], [5.0, 0.0], [0.0, 9.0]], 6, axis=0)  # clusters of equal points have no gap
    found = dm.recommend(X, **FEW)
    assert found.gap is None
    assert "gap_first" not in found.rules


@pytest.mark.further
def test_wine_has_three_and_methods_that_disagree_say_so():
    X = load_wine().data
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    assert dm.recommend(X).n_clusters == 3
    scores = score_methods(X, n_replicates=10, n_references=9)
    assert len({k for _, k in scores.best.values()}) > 1
    assert "They disagree on the number of clusters; `recommend` weighs several rules of one tree." in scores.words


def test_the_seed_decides():
    X = np.random.default_rng(2).normal(size=(40, 2))
    first, again = (dm.recommend(X, rng=7, **FEW) for _ in range(2))
    assert first.rules == again.rules
    np.testing.assert_array_equal(first.agreement.values, again.agreement.values)
    expected = gap_statistic(X, lambda rows: dm.agglomerate(rows).hierarchy, rng=0).n_clusters
    np.testing.assert_array_equal(first.gap.n_clusters, expected)


def test_bad_input_is_refused():
    with pytest.raises(UndefinedMeasureError, match="there must be at least 4 points"):
        dm.recommend(POINTS[:3])
    with pytest.raises(InvalidInputError, match="linkage must be"):
        dm.recommend(POINTS, linkage="wards")
    with pytest.raises(InvalidInputError, match="max_clusters must be a whole number from 2 on; got 1"):
        dm.recommend(POINTS, max_clusters=1)
