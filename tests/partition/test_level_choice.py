"""The level that stands out: against its definition, on planted groups, and where there is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from tests.oracles.partition.level_choice import level_that_stands_out

import dendrometry as dm
from dendrometry.partition import resolutions

tables = st.lists(st.lists(st.integers(0, 4), min_size=9, max_size=9), min_size=2, max_size=6)


def kmeans(X, numbers):
    return {f"k{k}": KMeans(k, n_init=10, random_state=0).fit_predict(X) for k in numbers}


@given(tables)
def test_it_equals_its_definition(levels):
    found = resolutions(levels)
    choice = found.choose()
    expected, standing = level_that_stands_out([level.code.tolist() for level in found.levels])
    judged = {j: value for j, value in enumerate(choice.standing.tolist()) if value == value}
    assert judged == pytest.approx({j: value for j, value in standing.items() if value == value})
    if expected is None or choice.level is None:
        assert (expected is None) == (choice.level is None)
    else:
        assert standing[expected] == pytest.approx(standing[choice.level])


@pytest.mark.parametrize("centres", [[[0, 0], [9, 0]], [[0, 0], [9, 0], [0, 9]], [[0, 0], [8, 0], [0, 8], [8, 8]]])
def test_planted_groups_stand_out(centres):
    X = np.random.default_rng(1).normal(size=(30 * len(centres), 2)) + np.repeat(centres, 30, axis=0)
    found = resolutions(kmeans(X, range(2, 9)))
    assert found.names[found.choose().level] == f"k{len(centres)}"
    assert found.verdict.startswith(
        f"Level k{len(centres)} with {len(centres)} clusters stands out: finer levels divide"
    )
    assert f" to k{len(centres) + 1}: " in found.verdict
    assert found.verdict in found.tell()


def test_points_without_groups_have_no_level_that_stands_out():
    found = resolutions(kmeans(np.random.default_rng(0).normal(size=(200, 2)), range(2, 9)))
    assert found.choose().level is None
    assert found.verdict.startswith("No level stands out: clusters of finer levels cross those of every level")


def test_cuts_of_one_tree_have_none_either():
    tree = dm.agglomerate(np.random.default_rng(0).normal(size=(50, 2))).hierarchy
    found = resolutions([dm.cut_count(tree, k).labels for k in range(2, 7)])
    assert found.choose().level is None
    assert found.verdict.startswith("No level stands out: all are nested, as cuts of one tree")


def test_levels_that_are_nearly_the_same_speak_for_each_other():
    four = np.repeat([0, 1, 2, 3], 10)
    crossed = np.arange(40) % 5  # five clusters that cross the four
    once = resolutions([four, crossed, np.arange(40) % 7]).choose()
    twice = resolutions([four, four + 1, crossed, np.arange(40) % 7]).choose()
    assert once.n_alike.tolist() == [1, 1, 1]
    assert twice.n_alike.tolist() == [2, 2, 1, 1]
    assert twice.standing[0] == 2 * once.standing[0]


def test_a_level_that_is_hardly_better_than_the_next_does_not_stand_out():
    X = load_wine().data
    found = resolutions(kmeans((X - X.mean(axis=0)) / X.std(axis=0), range(2, 9)))
    assert found.choose().level is None
    assert "of those that finer levels refine, none is much better than the next (standing 1." in found.verdict


def test_few_levels_cannot_be_judged():
    found = resolutions([[0, 0, 1, 1], [0, 1, 2, 3]])
    assert found.verdict == "No level can be judged: that takes two levels with more clusters, but fewer than items."


def test_names_are_printable_and_the_next_best_are_named():
    X = np.random.default_rng(0).normal(size=(200, 2)) + np.repeat([[0, 0], [8, 0], [0, 8], [8, 8]], 50, axis=0)
    levels = kmeans(X, range(2, 9))
    levels["\x1b[31m4"] = levels.pop("k4")
    found = resolutions(levels)
    assert "\x1b" not in found.verdict
    assert "levels are nearly the same as it, itself included. Next best: k5 (5)." in found.verdict
