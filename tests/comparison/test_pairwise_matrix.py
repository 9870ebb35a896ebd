"""Many trees: the matrix of a measure, and trees that stand apart."""

import inspect

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.cli.matrix import DEFAULTS, _print
from dendrometry.cli.matrix import matrix as command
from dendrometry.comparison.pairwise_matrix import near_chance
from dendrometry.report.matrix import matrix_page
from tests.strategies import random_linkage


def some_trees(count, n=10):
    rng = np.random.default_rng(0)
    return [dm.from_linkage(random_linkage(n, rng)) for _ in range(count)]


@pytest.mark.parametrize("measure", ["overall_distance", "hierarchical_f"])
def test_each_cell_is_the_measure_of_two_trees(measure):
    trees = some_trees(4)
    found = dm.pairwise_matrix(trees, measure, adjusted=False)
    for i, a in enumerate(trees):
        for j, b in enumerate(trees):
            assert found.values[i, j] == dm.MEASURES[measure].call(a, b)
    assert found.names == ("0", "1", "2", "3")
    assert np.asarray(found).tolist() == found.values.tolist()


@pytest.mark.parametrize("measure", ["purity", "adjusted_rand", "element_centric"])
def test_flat_trees_have_a_matrix_by_measures_of_partitions(measure):
    labels = {name: np.random.default_rng(i).integers(0, 3, 20).tolist() for i, name in enumerate("xyz")}
    found = dm.pairwise_matrix({name: dm.from_labels(x) for name, x in labels.items()}, measure, adjusted=False)
    call = dm.MEASURES[measure].call
    assert found.values.tolist() == [[call(x, y) for y in labels.values()] for x in labels.values()]


def test_a_matrix_by_a_measure_of_partitions_needs_flat_trees():
    trees = {"x": dm.from_labels([0, 0, 1]), "y": dm.from_newick("((0,1),2);")}
    with pytest.raises(dm.errors.InvalidInputError, match=r"comparing 'x' and 'y': .* tree 'y' must be flat"):
        dm.pairwise_matrix(trees, "purity")


def test_values_are_adjusted_for_chance_where_there_is_a_formula():
    trees = some_trees(3)
    found = dm.pairwise_matrix(trees)
    assert (found.measure, found.adjusted, found.is_similarity) == ("hierarchy_agreement", True, True)
    for i, a in enumerate(trees):
        for j, b in enumerate(trees):
            assert found.values[i, j] == dm.compare(a, b)["hierarchy_agreement"].adjusted
    apart = dm.pairwise_matrix(trees, "overall_distance")
    assert apart.values[0, 1] == dm.compare(*trees[:2])["overall_distance"].adjusted
    assert apart.is_similarity
    assert not dm.pairwise_matrix(trees, "hierarchical_f").adjusted
    with pytest.raises(dm.errors.InvalidInputError, match="adjusted for chance; hierarchical_f lacks a formula"):
        dm.pairwise_matrix(trees, "hierarchical_f", adjusted=True)


@pytest.mark.parametrize("name", ["hierarchical_mutual_information", "mutual_clustering_information"])
def test_values_stay_as_they_are_where_identical_trees_have_no_one_value(name):
    trees = {"x": dm.from_newick("((a,b),(c,d));"), "y": dm.from_newick("(((a,b),c),d);")}
    found = dm.pairwise_matrix(trees, name)
    assert not found.adjusted
    assert found.values[0, 1] == dm.MEASURES[name].call(*trees.values()) != found.values[0, 0]
    with pytest.raises(dm.errors.InvalidInputError, match=f"adjusted for chance; {name} lacks "):
        dm.pairwise_matrix(trees, name, adjusted=True)


def test_the_default_of_the_command_line_is_that_of_python():
    options = inspect.signature(command).parameters
    assert options["measure"].default is None
    assert DEFAULTS[False] == inspect.signature(dm.pairwise_matrix).parameters["measure"].default
    assert options["raw"].default is False


def test_trees_that_no_relabelling_changes_are_the_same():
    star = dm.from_newick("(a,b,c);")
    assert dm.pairwise_matrix([star, star]).values.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_a_matrix_prints_as_a_table():
    found = dm.pairwise_matrix(dict(zip(["x", "\x1b[31m"], some_trees(2), strict=True)))
    head, first, second, _, says = repr(found).splitlines()
    assert head.split() == ["x", "\\x1b[31m"]
    assert first.split() == ["x", "1", f"{found.values[0, 1]:.4g}"]
    assert second.startswith("\\x1b[31m")
    assert says == "2 trees by hierarchy_agreement, adjusted: 0 as by chance, 1 for identical trees"
    many = repr(dm.pairwise_matrix(some_trees(22, 4), "hierarchical_f"))
    assert len(many.splitlines()) == 23
    assert many.endswith("the row is the first tree, the column the second; 2 more trees not shown")


def test_colours_span_the_range_of_the_measure():
    values = np.array([[1, 0.99], [0.989, 1]])
    assert dm.comparison.Matrix(("x", "y"), values, "hierarchy_agreement", True).span == (0.0, 1.0)
    assert dm.comparison.Matrix(("x", "y"), values - 1.5, "hierarchy_agreement", True).span == (-0.511, 1.0)
    assert dm.comparison.Matrix(("x", "y"), values, "cophenetic_correlation").span == (-1.0, 1.0)
    assert dm.comparison.Matrix(("x", "y"), 7 - 7 * values, "cophenetic_distance").span[0] == 0.0
    assert dm.comparison.Matrix(("x", "y"), 0 * values, "cophenetic_distance").span == (0.0, 1.0)


def test_names_come_from_the_mapping():
    trees = dict(zip("xy", some_trees(2), strict=True))
    assert dm.pairwise_matrix(trees, "overall_similarity").to_frame().loc["x", "x"] == 1.0


def test_one_tree_is_a_matrix_of_one_and_never_far():
    found = dm.pairwise_matrix(some_trees(1), n_jobs=1)
    assert found.values.tolist() == [[1.0]]
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


def test_a_flag_is_kept_as_true_or_false():
    assert dm.pairwise_matrix(some_trees(2), adjusted=1).adjusted is True


def test_progress_is_shown_when_asked_for(capsys):
    dm.pairwise_matrix(some_trees(2), progress=True)
    assert "hierarchy_agreement of 2 trees" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        ([], "at least one tree"),
        (some_trees(1)[0], "several trees; got a single Hierarchy"),
        (["((a,b),c);"], "tree '0': a text must be the name of a file"),
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
    with pytest.raises(dm.errors.UndefinedMeasureError, match=r"comparing 'x': tree 'x' must have heights"):
        dm.pairwise_matrix(trees, "overall_distance")


def test_a_bad_fence_is_refused():
    with pytest.raises(dm.errors.InvalidInputError, match="fence must be a finite number, at least 0; got nan"):
        dm.comparison.far_from_all(dm.pairwise_matrix(some_trees(1)), fence=float("nan"))


def test_half_of_the_trees_may_be_noise(capsys):
    base = dm.generate.random_tree(40, rng=1)
    alike = {f"alike {i}": dm.generate.swap_items(base, 3, rng=i) for i in range(5)}
    noise = {f"noise {i}": dm.generate.random_tree(40, rng=100 + i) for i in range(5)}
    matrix = dm.pairwise_matrix(alike | noise)
    assert dm.comparison.far_from_all(matrix) == []
    assert near_chance(matrix) == list(noise)
    assert near_chance(dm.pairwise_matrix(alike | noise, adjusted=False)) == []
    assert near_chance(dm.pairwise_matrix(dict(list(noise.items())[:3]))) == []
    text = matrix_page(matrix).html()
    assert "no more like the others than by chance: <bdi>noise 0</bdi>, <bdi>noise 1</bdi>" in text
    _print(matrix)
    names = ", ".join(f"'{name}'" for name in noise)
    assert capsys.readouterr().out.endswith(f"no more like the others than by chance: {names}\n")
