import numpy as np
import pytest

from dendrometry import pairwise_matrix, plot
from dendrometry.comparison import Matrix
from dendrometry.errors import InvalidInputError
from dendrometry.plot.tree_matrix import tree_of_trees
from tests.plot.drawn import artist, boxes, dendrogram_of, overlapping, texts_of

TREES = {name: dendrogram_of(12, seed) for seed, name in enumerate(["$a$", "_b", "c", "d\x1b", "e"])}


@pytest.mark.parametrize("measure", ["overall_distance", "hierarchy_agreement", "hierarchical_f"])
def test_rows_and_columns_are_in_the_order_of_the_dendrogram(measure):
    found = pairwise_matrix(TREES, measure)
    ax = plot.tree_matrix(found)
    ax.figure.canvas.draw()
    shown = [text.get_text() for text in ax.get_yticklabels()]
    assert sorted(shown) == sorted(["$a$", "_b", "c", "d\\x1b", "e"])
    assert [text.get_text() for text in ax.get_xticklabels()] == shown
    order = [["$a$", "_b", "c", "d\\x1b", "e"].index(name) for name in shown]
    assert ax.images[0].get_array().tolist() == found.values[np.ix_(order, order)].tolist()
    assert texts_of(ax, "value")[0] in ("1.00", "1.000")
    assert float(texts_of(ax, "value")[1]) == pytest.approx(found.values[order[0], order[1]], abs=0.005)
    assert not any(text.get_parse_math() for text in ax.get_yticklabels())


def test_small_differences_look_small():
    close = np.array([[1, 0.99, 0.989], [0.99, 1, 0.992], [0.989, 0.992, 1.0]])
    ax = plot.tree_matrix(Matrix(("x", "y", "z"), close, "hierarchy_agreement", True))
    image = ax.images[0]
    colours = image.cmap(image.norm(close)).reshape(-1, 4)
    assert np.ptp(colours, axis=0).max() < 0.05
    assert "0.989" in texts_of(ax, "value")
    assert image.colorbar.ax.get_xlabel() == "hierarchy agreement, adjusted (0: by chance, 1: identical)"


def test_the_dendrogram_is_average_linkage_and_its_leaves_meet_the_rows():
    values = np.array([[0, 1, 4], [1, 0, 6], [4, 6, 0.0]])
    found = Matrix(("x", "y", "z"), values, "cophenetic_distance")
    tree = tree_of_trees(found)
    assert tree.height.tolist() == [0, 0, 0, 1, 5]
    ax = plot.tree_matrix(found)
    segments = artist(ax, "branches").get_segments()
    feet = sorted(y for segment in segments for x, y in segment if x == max(p[0] for s in segments for p in s))
    assert feet == [0, 1, 2]
    assert ax.get_xlim()[0] < min(x for segment in segments for x, _ in segment)


def test_similarities_become_distances_from_identical_trees():
    tree = tree_of_trees(Matrix(("x", "y"), np.array([[1, 0.25], [0.75, 1]]), "hierarchy_agreement"))
    assert tree.height.tolist() == [0, 0, 0.5]


def test_one_tree_is_one_cell():
    ax = plot.tree_matrix(pairwise_matrix({"only": dendrogram_of(5)}))
    assert ax.images[0].get_array().shape == (1, 1)
    assert artist(ax, "branches") is None


@pytest.mark.parametrize("n", [30, 300])
def test_names_and_numbers_do_not_overlap(n):
    points = np.random.default_rng(0).random((n, 2))
    values = np.linalg.norm(points[:, None] - points[None], axis=2)
    ax = plot.tree_matrix(Matrix(tuple(f"tree number {i}" for i in range(n)), values, "overall_distance"))
    assert overlapping(boxes(ax, ax.get_yticklabels())) == 0
    assert overlapping(boxes(ax, ax.get_xticklabels())) == 0
    assert overlapping(boxes(ax, [text for text in ax.texts if text.get_label() == "_value"])) == 0


def test_other_input_is_refused():
    with pytest.raises(
        InvalidInputError, match=r"tree_matrix draws what dendrometry.pairwise_matrix\(trees\) returns; got dict"
    ):
        plot.tree_matrix(TREES)


def test_two_trees_with_long_names_have_room():
    names = [f"{i} {'W' * 40}" for i in range(2)]
    ax = plot.tree_matrix(Matrix(tuple(names), np.eye(2), "hierarchy_agreement"))
    ax.figure.canvas.draw()
    assert ax.get_window_extent().height > 50
