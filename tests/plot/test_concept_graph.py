"""The graph of concepts: no two overlap, and what differs has its colour."""

import random

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Dag, plot, report
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.palette import ACCENT, PALETTE
from dendrometry.plot._layout.layers import layers
from dendrometry.taxonomy import compare_taxonomies
from tests.taxonomy.graphs import LETTERS, as_graph, random_graph, random_tree

mpl.use("Agg")
OLD = Dag.from_edges([("cat", "mammal"), ("bat", "mammal"), ("mammal", "animal"), ("bird", "animal"), ("$x$", "bird")])
NEW = Dag.from_edges([("cat", "mammal"), ("bat", "bird"), ("mammal", "animal"), ("bird", "animal"), ("fly", "bird")])


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_concepts_of_a_column_are_apart(seed, n):
    dag = as_graph(random_graph(LETTERS[:n], random.Random(seed)))
    owner = np.repeat(np.arange(dag.n_terms), dag.n_parents)
    column, place = layers(dag.depths, owner, dag.parent)
    assert place.min() == 0.0
    for level in range(int(column.max()) + 1):
        places = np.sort(place[column == level])
        assert (np.diff(places) >= 1.0 - 1e-9).all()
    assert (column[owner] > column[dag.parent]).all()


def test_the_edges_of_a_tree_hardly_cross():
    dag = as_graph(random_tree(LETTERS, random.Random(2)))
    owner = np.repeat(np.arange(dag.n_terms), dag.n_parents)
    column, place = layers(dag.depths, owner, dag.parent)
    crossings = sum(
        1
        for i, (c, p) in enumerate(zip(owner, dag.parent, strict=True))
        for d, q in list(zip(owner, dag.parent, strict=True))[:i]
        if column[c] == column[d] and (place[c] - place[d]) * (place[p] - place[q]) < 0
    )
    assert crossings <= 1


def test_what_differs_has_its_colour():
    ax = plot.concept_graph(compare_taxonomies(OLD, NEW, n_permutations=0, names=("old", "new")))
    colour = {text.get_text(): text.get_color() for text in ax.texts}
    assert (colour["$x$"], colour["fly"], colour["bat"]) == (ACCENT, PALETTE[2], PALETTE[0])
    assert colour["cat"] == colour["animal"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "in both",
        "only in old",
        "only in new",
        "other parents",
    ]


def test_one_taxonomy_is_drawn_with_its_names():
    ax = plot.concept_graph(Dag.from_edges([("1", "2")], names={"1": "cat"}))
    assert {text.get_text() for text in ax.texts} == {"cat", "2"}
    assert ax.get_legend() is None


def test_refuses_more_than_fits():
    with pytest.raises(InvalidInputError, match="has room for 3 concepts; got 6"):
        plot.concept_graph(OLD, most=3)


def test_the_report_names_what_changed_and_escapes_it(tmp_path):
    bad = Dag.from_edges([("<script>alert(1)</script>", "animal"), ("cat", "animal")])
    found = compare_taxonomies(OLD, bad, n_permutations=9)
    path = tmp_path / "page.html"
    report(found, path)
    page = path.read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert "How deep and wide are they?" in page
    same = compare_taxonomies(OLD, OLD, n_permutations=9)
    report(same, path, force=True)
    assert "Nothing changed." in path.read_text(encoding="utf-8")
