"""Clustermaps: the cells, the trees beside them, and the order and cluster of every row and column."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage

from dendrometry import agglomerate, cut_count, from_newick, plot
from dendrometry.errors import InvalidInputError
from tests.plot.drawn import artist, boxes, overlapping

ANIMALS = ["ape", "cat", "elk", "owl", "jay"]
DATA = pd.DataFrame({"x": [0, 5, 0, 6, 7], "y": [1, 9, 0, 8, 8], "z": [7, 0, 8, 1, 1]}, index=ANIMALS)


def cells(found):
    """The image of a map."""
    return found.ax.get_images()[0].get_array()


def test_cells_are_the_data_in_the_order_of_both_sides():
    found = plot.clustermap(DATA, n_clusters=2, n_column_clusters=2)
    np.testing.assert_array_equal(cells(found), DATA.to_numpy()[found.rows.order][:, found.columns.order])
    assert [text.get_text() for text in found.ax.get_yticklabels()] == [ANIMALS[i] for i in found.rows.order]
    assert [text.get_text() for text in found.ax.get_xticklabels()] == [DATA.columns[i] for i in found.columns.order]
    assert len(artist(found.ax, "row clusters").get_paths()) == 2


def test_clusters_are_those_of_the_cut_numbered_along_the_map():
    found = plot.clustermap(DATA, n_clusters=3)
    expected = cut_count(agglomerate(DATA).hierarchy, 3).labels
    assert len(set(zip(expected.tolist(), found.rows.cluster.tolist(), strict=True))) == 3
    along = found.rows.cluster[found.rows.order]
    assert (np.diff(along) >= 0).all()
    frame = found.rows.to_frame()
    assert frame["cluster"].tolist() == along.tolist()
    assert frame["name"].tolist() == [ANIMALS[i] for i in found.rows.order]
    assert repr(found) == "Clustermap(5 rows in 3 clusters, 3 columns)"
    assert repr(found.rows) == "MapSide(5 names, 3 clusters)"


def test_neighbours_are_nearer_than_in_the_order_of_the_tree():
    X = np.random.default_rng(0).normal(size=(40, 3))
    given = agglomerate(X).hierarchy.order.item
    lengths = [
        np.linalg.norm(np.diff(X[order], axis=0), axis=1).sum() for order in (plot.clustermap(X).rows.order, given)
    ]
    assert lengths[0] < lengths[1]


def test_given_trees_are_matched_by_name():
    tree = from_newick("((owl,(jay,cat)),(elk,ape));")
    found = plot.clustermap(DATA, row_tree=tree, column_tree=None)
    order = [ANIMALS[i] for i in found.rows.order]
    assert abs(order.index("jay") - order.index("cat")) == 1
    assert {*order[:2]} == {"ape", "elk"} or {*order[3:]} == {"ape", "elk"}
    assert found.columns.order.tolist() == [0, 1, 2]
    assert found.columns.tree is None


def test_a_linkage_of_scipy_gets_the_names_of_the_rows():
    found = plot.clustermap(DATA, row_tree=linkage(DATA, "ward"), n_clusters=3)
    expected = plot.clustermap(DATA, n_clusters=3)
    assert found.rows.tree.items == tuple(ANIMALS)
    assert found.rows.order.tolist() == expected.rows.order.tolist()
    assert found.rows.cluster.tolist() == expected.rows.cluster.tolist()


def test_branches_end_above_their_rows():
    found = plot.clustermap(DATA, column_tree=None, n_clusters=2)
    lines = np.array([path.vertices for path in artist(found.ax, "branches").get_paths()])
    feet = lines[:, :, 1][lines[:, :, 0] == lines[:, :, 0].max()]
    assert sorted(feet.tolist()) == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_scaled_rows_and_columns_have_mean_0_and_deviation_1():
    for scale, axis in (("rows", 1), ("columns", 0)):
        values = np.asarray(cells(plot.clustermap(DATA, scale=scale)))
        assert values.mean(axis=axis) == pytest.approx(0.0, abs=1e-12)
        assert values.std(axis=axis) == pytest.approx(1.0)
    constant = cells(plot.clustermap([[1.0, 2.0], [1.0, 5.0], [1.0, 9.0]], scale="columns", column_tree=None))
    assert constant[:, 0].tolist() == [0.0, 0.0, 0.0]


def test_negative_values_have_colours_symmetric_about_0():
    image = plot.clustermap(DATA - 2.0).ax.get_images()[0]
    assert image.norm.vmin == -image.norm.vmax


def test_many_rows_are_averaged_into_one_image_and_names_do_not_overlap():
    X = np.repeat(np.arange(1600.0), 2).reshape(1600, 2)
    found = plot.clustermap(X, row_tree="single", column_tree=None, n_clusters=5)
    assert cells(found).shape == (1500, 2)
    assert cells(found).mean() == pytest.approx(X.mean(), rel=1e-3)
    assert found.ax.get_ylabel().endswith("of 1,600 names shown")
    assert overlapping(boxes(found.ax, found.ax.get_yticklabels())) == 0
    stream = io.BytesIO()
    found.ax.figure.savefig(stream, format="svg")
    assert len(stream.getvalue()) < 3_000_000
    plt.close(found.ax.figure)


def test_one_row_and_one_column_are_drawn():
    assert plot.clustermap([[3.0]]).rows.order.tolist() == [0]
    assert repr(plot.clustermap([[3.0, 4.0]])) == "Clustermap(1 row, 2 columns)"


def test_the_view_in_a_notebook_tells_both_sides():
    found = plot.clustermap(DATA, n_clusters=2)
    assert "columns" in found._repr_html_()
    assert "ape" in found.rows._repr_html_()


@pytest.mark.parametrize(
    ("data", "options", "why"),
    [
        (DATA, {"scale": "both"}, "scale must be"),
        (DATA, {"row_tree": None, "n_clusters": 2}, "n_clusters requires a tree to cut; got none"),
        (
            DATA,
            {"row_tree": from_newick("(a,b);")},
            "the 5 names of its side of the matrix; got one of 2 items, 2 of them",
        ),
        (DATA, {"row_tree": "wardd"}, "linkage"),
        (DATA, {"n_clusters": 9}, "n_clusters must be a whole number from 1 to 5; got 9"),
        (DATA, {"n_column_clusters": 4}, "n_column_clusters must be a whole number from 1 to 3; got 4"),
        ([[1.0, np.nan]], {}, "row 0, column 1"),
        ([1.0, 2.0], {}, "2 dimensions"),
    ],
)
def test_wrong_arguments_are_refused(data, options, why):
    with pytest.raises(InvalidInputError, match=why):
        plot.clustermap(data, **options)
