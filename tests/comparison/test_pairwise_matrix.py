"""Many trees: the matrix of a measure, and trees that stand apart."""

import numpy as np
import pytest

import dendrometry as dm
from tests.strategies import random_linkage


def some_trees(count, n=10):
    rng = np.random.default_rng(0)
    return [dm.from_linkage(random_linkage(n, rng)) for _ in range(count)]


@pytest.mark.parametrize("measure", ["overall_distance", "hierarchical_f"])
def test_each_cell_is_the_measure_of_two_trees(measure):
    trees = some_trees(4)
    found = dm.pairwise_matrix(trees, measure)
    for i, a in enumerate(trees):
        for j, b in enumerate(trees):
            assert found.values[i, j] == dm.MEASURES[measure].call(a, b)
    assert found.names == ("0", "1", "2", "3")
    assert np.asarray(found).tolist() == found.values.tolist()
    assert repr(found) == f"Matrix(4 trees, {measure})"


def test_names_come_from_the_mapping():
    trees = dict(zip("xy", some_trees(2), strict=True))
    assert dm.pairwise_matrix(trees, "overall_similarity").to_frame().loc["x", "x"] == 1.0


def test_one_tree_is_a_matrix_of_one_and_never_far():
    found = dm.pairwise_matrix(some_trees(1), n_threads=1)
    assert found.values.tolist() == [[0.0]]
    assert dm.comparison.far_from_all(found) == []


@pytest.mark.parametrize("measure", ["overall_distance", "hierarchical_f", "cophenetic_correlation"])
def test_the_odd_tree_is_far_from_all(measure):
    base = random_linkage(30, np.random.default_rng(1))
    alike = {}
    for i in range(6):
        near = base.copy()
        near[i:, 2] += 0.01
        alike[f"near {i}"] = dm.from_linkage(near)
    alike["odd"] = dm.from_linkage(random_linkage(30, np.random.default_rng(2)))
    assert dm.comparison.far_from_all(dm.pairwise_matrix(alike, measure)) == ["odd"]


def test_progress_is_shown_when_asked_for(capsys):
    dm.pairwise_matrix(some_trees(2), progress=True)
    assert "overall_distance of 2 trees" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        ([], "at least one tree"),
        (some_trees(1)[0], "several trees; got a single Hierarchy"),
        (["((a,b),c);"], "tree '0' must be a Hierarchy; got str"),
        ({1: some_trees(1)[0]}, "names of the trees must be strings; got 1"),
        ({"\x1b[31m": 1}, r"tree '\\x1b\[31m' must be a Hierarchy; got int"),
    ],
)
def test_bad_collections_are_refused(trees, message):
    with pytest.raises(dm.errors.InvalidInputError, match=message):
        dm.pairwise_matrix(trees)


def test_errors_name_the_two_trees():
    trees = {"x": dm.from_newick("((a,b),c);"), "y": dm.from_newick("((a,b),c);"), "z": dm.from_newick("((a,b),d);")}
    with pytest.raises(dm.errors.ItemMismatchError, match="comparing 'x' and 'z': the trees must hold"):
        dm.pairwise_matrix(trees, "hierarchy_agreement")
    with pytest.raises(dm.errors.UndefinedMeasureError, match=r"comparing 'x': the first tree must have heights"):
        dm.pairwise_matrix(trees, "overall_distance")


def test_a_bad_fence_is_refused():
    with pytest.raises(dm.errors.InvalidInputError, match="fence must be a finite number, at least 0; got nan"):
        dm.comparison.far_from_all(dm.pairwise_matrix(some_trees(1)), fence=float("nan"))
