import numpy as np
import pytest
from matplotlib.colors import to_hex

from dendrometry import from_paths, plot
from dendrometry.datasets import zoo
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.palette import FAINT, PALETTE
from dendrometry.plot.icicle import mean_colours
from tests.plot.drawn import artist, boxes, dendrogram_of, overlapping, texts_of
from tests.zoo import ZOO, caterpillar

TREE = from_paths({"lion": "cats", "lynx": "cats", "wolf": "dogs"})


@pytest.mark.parametrize("tree", ZOO.values(), ids=ZOO.keys())
@pytest.mark.parametrize("root", ["top", "left"])
def test_every_tree_has_a_rectangle_for_each_node(tree, root):
    ax = plot.icicle(tree, root=root)
    ax.figure.canvas.draw()
    assert len(artist(ax, "rectangles").get_paths()) == tree.n_nodes
    along = ax.get_xlim() if root == "top" else ax.get_ylim()[::-1]
    assert along == (0, tree.n_items)


def test_a_cluster_has_the_mean_colour_of_its_items():
    colours = np.array([[1.0, 0, 0], [0, 0, 1.0], [0, 1.0, 0]])
    found = mean_colours(TREE, colours)
    assert found.tolist() == [[0.5, 0, 0.5], [0, 1, 0], [pytest.approx(1 / 3)] * 3]
    ax = plot.icicle(TREE, colours=colours)
    assert artist(ax, "rectangles").get_facecolors()[:, :3] == pytest.approx(found)


def test_by_default_colours_run_along_the_items():
    ax = plot.icicle(dendrogram_of(40))
    tree = dendrogram_of(40)
    brightness = artist(ax, "rectangles").get_facecolors()[: tree.n_items, 1]
    assert (np.diff(brightness[np.argsort(tree.order.item_low[: tree.n_items])]) > 0).all()


def test_labels_colour_the_clusters_that_share_them():
    ax = plot.icicle(TREE, labels=["x", "x", "y"])
    assert [to_hex(c) for c in artist(ax, "rectangles").get_facecolors()] == [c.lower() for c in (*PALETTE[:2], FAINT)]


def test_names_stand_inside_their_rectangles():
    ax = plot.icicle(TREE)
    assert sorted(texts_of(ax, "name")) == ["cats (2)", "dogs (1)"]
    assert ax.get_xlabel() == ""


def test_families_are_named_on_the_icicle_of_a_taxonomy():
    taxonomy = zoo().taxonomy
    ax = plot.icicle(taxonomy)
    families = {
        taxonomy.node_names[v] for v in np.flatnonzero((taxonomy.n_children == 0) & (taxonomy.sizes > 1)).tolist()
    }
    shown = {text.rpartition(" (")[0] for text in texts_of(ax, "name")}
    assert {"Felidae", "Bovidae"} <= families & shown
    assert len(families & shown) == len(families)
    assert overlapping(boxes(ax, ax.texts)) == 0


def test_no_colour_is_too_faint_on_white():
    ax = plot.icicle(dendrogram_of(40))
    light = artist(ax, "rectangles").get_facecolors()[:, :3] @ [0.2126, 0.7152, 0.0722]
    assert light.max() < 0.8


@pytest.mark.parametrize("n", [30, 3000])
def test_names_do_not_overlap_and_those_without_room_are_counted(n):
    ax = plot.icicle(dendrogram_of(n))
    found = boxes(ax, ax.texts)
    assert overlapping(found) == 0
    assert ax.get_xlabel() == (f"{n - len(found):,} names left out" if len(found) < n else "")
    if n == 30:
        assert len(found) > 15


def test_long_names_are_left_out_and_hostile_ones_are_plain():
    ax = plot.icicle(from_paths({"$x$": "a", "y": "a", "W" * 200: "b", "$": "b", "z": "c"}), by="level")
    assert not any(text.get_parse_math() for text in ax.texts)
    ax.figure.canvas.draw()


def test_the_top_is_drawn_alone():
    ax = plot.icicle(caterpillar(50), top=5)
    assert len(artist(ax, "rectangles").get_paths()) == 9
    assert sorted(texts_of(plot.icicle(caterpillar(50), top=5, by="level"), "name"))[0] == "0 and 45 more"


def test_colours_that_do_not_fit_are_refused():
    with pytest.raises(InvalidInputError, match=r"colours must have one row of 3 for each of 3 items; got \(2, 3\)"):
        plot.icicle(TREE, colours=np.zeros((2, 3)))
    with pytest.raises(InvalidInputError, match="colours must lie between 0 and 1; divide by 255"):
        plot.icicle(TREE, colours=np.full((3, 3), 255))
    with pytest.raises(InvalidInputError, match="colours must lie between 0 and 1"):
        plot.icicle(TREE, colours=np.full((3, 3), np.nan))
    with pytest.raises(InvalidInputError, match="colours must be numbers; got"):
        plot.icicle(TREE, colours=["red", "green", "blue"])
    with pytest.raises(InvalidInputError, match="colours and labels cannot both be given"):
        plot.icicle(TREE, colours=np.zeros((3, 3)), labels=[1, 2, 3])
    with pytest.raises(InvalidInputError, match="root must be 'top' or 'left'; got 'right'"):
        plot.icicle(TREE, root="right")
