"""The page of a matrix as text: one tree, few, asymmetric measures, numbers that agree with the package."""

import re
from importlib import import_module

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.report.matrix import matrix_page

SHAPES = ["((((a,b),c),d),((e,f),(g,h)));"] * 4 + ["((a,h),(b,g),(c,f),(d,e));"]


@pytest.fixture(scope="module")
def trees():
    return {f"tree {i}": dm.from_newick(shape) for i, shape in enumerate(SHAPES)}


def text_of(page):
    return re.sub(r"<(script|style).*?</\1>", "", page.html(), flags=re.DOTALL)


def test_it_names_the_trees_far_from_all_others(trees):
    page = matrix_page(dm.pairwise_matrix(trees, "hierarchy_agreement"))
    assert "<bdi>tree 4</bdi> stands out from the rest" in text_of(page)
    assert len(page.data["far"]) == 1


def test_trees_that_are_all_the_same_are_called_so(trees):
    same = dict(list(trees.items())[:4])
    assert "The 4 trees are all the same by hierarchy_agreement." in text_of(
        matrix_page(dm.pairwise_matrix(same, "hierarchy_agreement"))
    )


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_trees_have_a_page(trees, n):
    page = matrix_page(dm.pairwise_matrix(dict(list(trees.items())[-n:]), "hierarchy_agreement"))
    text = text_of(page)
    assert text.count("<section") == 4
    assert page.plotly == (n > 1)
    assert ("single tree" in text) == (n == 1)


def test_an_asymmetric_measure_says_which_way(trees):
    page = matrix_page(dm.pairwise_matrix(trees, "hierarchical_f"))
    assert not page.data["symmetric"]
    assert "the row is the first tree, the column the second" in text_of(page)


def test_the_dendrogram_is_drawn_over_all_trees(trees):
    lines = np.array(matrix_page(dm.pairwise_matrix(trees, "hierarchy_agreement")).data["branches"])
    assert lines[..., 0].min() == 0
    assert lines[..., 0].max() == len(trees) - 1
    assert lines[..., 1].min() == 0


def test_too_many_trees_are_not_drawn(trees, monkeypatch):
    monkeypatch.setattr(import_module("dendrometry.report.matrix"), "_MOST_TREES", 4)
    page = matrix_page(dm.pairwise_matrix(trees, "hierarchy_agreement"))
    assert page.data == {}
    assert "Up to 4 trees are drawn" in text_of(page)


def test_the_file_is_replaced_only_by_force(trees, tmp_path):
    path = tmp_path / "report.html"
    found = dm.pairwise_matrix(trees, "hierarchy_agreement")
    dm.report(found, path)
    with pytest.raises(dm.errors.InvalidInputError, match=r"exists \(force=True"):
        dm.report(found, path)
    written = path.read_bytes()
    dm.report(found, path, force=True, progress=True)
    assert path.read_bytes() == written
