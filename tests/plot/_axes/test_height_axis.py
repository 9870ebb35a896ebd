"""Lines at cuts, and similarities in place of heights."""

import numpy as np
import pytest

from dendrometry import agglomerate, cut_height, from_newick, plot
from dendrometry.errors import InvalidInputError
from tests.plot.drawn import texts_of
from tests.zoo import ZOO

POINTS = np.random.default_rng(0).normal(size=(30, 4))
BUILT = agglomerate(POINTS, linkage="single", metric="cosine")


def lines(ax):
    """Return the places of the lines at cuts."""
    return [tuple(line.get_xydata()[0]) for line in ax.lines if line.get_label() == "_cut"]


def ticks(axis):
    """Return the place and text of each tick."""
    texts = [text.get_text() for text in axis.get_ticklabels()]
    return dict(zip(axis.get_ticklocs().round(12).tolist(), texts, strict=True))


@pytest.mark.parametrize(("root", "at"), [("left", 0), ("right", 0), ("top", 1), ("bottom", 1)])
def test_each_cut_is_a_line_with_its_number_of_clusters(root, at):
    heights = [0.25, 0.1]
    ax = plot.dendrogram(BUILT.hierarchy, root=root, cuts=heights)
    assert [place[at] for place in lines(ax)] == heights
    expected = [f"{cut_height(BUILT.hierarchy, h).n_clusters} clusters" for h in heights]
    assert texts_of(ax, "cut") == expected
    ax.figure.canvas.draw()


def test_one_cut_may_be_a_number_and_one_cluster_is_not_plural():
    ax = plot.dendrogram(from_newick("(ape:1,cat:1);"), cuts=2)
    assert texts_of(ax, "cut") == ["1 cluster"]


@pytest.mark.parametrize(("root", "which"), [("left", "xaxis"), ("top", "yaxis")])
def test_similarities_stand_at_their_heights(root, which):
    ax = plot.dendrogram(BUILT.hierarchy, root=root, self_similarity=1.0)
    axis = getattr(ax, which)
    found = ticks(axis)
    assert len(found) >= 3
    for place, text in found.items():
        assert float(text) == pytest.approx(1.0 - place)
    assert axis.get_label_text() == "similarity"
    assert found[0.0] == "1"


def test_cuts_are_similarities_on_an_axis_of_similarities():
    ax = plot.dendrogram(BUILT.hierarchy, cuts=[0.9], self_similarity=1.0)
    ((place, _),) = lines(ax)
    assert place == pytest.approx(0.1)
    assert texts_of(ax, "cut") == [f"{cut_height(BUILT.hierarchy, 1 - 0.9).n_clusters} clusters"]


def test_negative_distances_are_similarities_too():
    tree = agglomerate([[0.0], [1.0], [4.0]], linkage="single").hierarchy
    ax = plot.dendrogram(tree, cuts=-2.0, self_similarity=0)
    assert lines(ax)[0][0] == 2.0
    assert "-3" in ticks(ax.xaxis).values()


def test_the_clusters_of_the_whole_tree_are_counted_where_only_its_top_is_drawn():
    ax = plot.dendrogram(BUILT.hierarchy, top=5, cuts=0.1)
    assert texts_of(ax, "cut") == [f"{cut_height(BUILT.hierarchy, 0.1).n_clusters} clusters"]


@pytest.mark.parametrize("option", [{"cuts": 1.0}, {"self_similarity": 1.0}])
def test_trees_drawn_by_edges_have_neither(option):
    for tree, by in ((ZOO["items at inner nodes"], "auto"), (BUILT.hierarchy, "depth")):
        with pytest.raises(InvalidInputError, match="cuts and self_similarity require a tree drawn by height"):
            plot.dendrogram(tree, by=by, **option)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"cuts": "high"}, "cuts must be"),
        ({"cuts": [0.1, float("nan")]}, "cuts must be finite; got nan at position 1"),
        ({"self_similarity": "one"}, "self_similarity must be a finite number"),
        ({"self_similarity": float("inf")}, "self_similarity must be a finite number"),
    ],
)
def test_refuses_what_is_no_height(option, message):
    with pytest.raises(InvalidInputError, match=message):
        plot.dendrogram(BUILT.hierarchy, **option)
