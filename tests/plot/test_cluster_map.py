"""Clusters on a map and beside it: the same colours and numbers, for pixels, points and areas."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from dendrometry import agglomerate, cut_count, plot
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.palette import PALETTE
from tests.plot.drawn import artist

SHAPE = (4, 5)
TREE = agglomerate(np.random.default_rng(0).normal(size=(20, 2)), connectivity=SHAPE).hierarchy
CELLS = np.stack(np.divmod(np.arange(20), 5)[::-1], axis=1).astype(float)
CORNERS = [cell + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) for cell in CELLS]


def colours_on(plane, kind):
    """The colour of every item on a map."""
    if kind == "pixels":
        return plane.images[0].get_array().reshape(-1, 4)
    if kind == "points":
        return artist(plane, "points").get_facecolors()
    return np.array([part.get_facecolors()[0] for part in plane.collections])


@pytest.mark.parametrize(("kind", "where"), [("pixels", SHAPE), ("points", CELLS), ("areas", CORNERS)])
def test_items_of_a_cluster_have_the_colour_and_number_of_its_leaf(kind, where):
    side, plane = plot.cluster_map(TREE, where, 4).child_axes
    cut = cut_count(TREE, 4)
    drawn = colours_on(plane, kind)
    written = {text.get_text(): np.array(text.get_position()) for text in plane.texts}
    assert sorted(written) == ["0", "1", "2", "3"]
    names = [text.get_text() for text in side.get_yticklabels()]
    for number, at in written.items():
        item = int(np.argmin(((CELLS - at) ** 2).sum(axis=1)))
        inside = cut.labels == cut.labels[item]
        assert (drawn[inside] == to_rgba(PALETTE[int(number)])).all()
        assert names[int(number)] in (f"{number} ({inside.sum()})", TREE.items[item])


def test_lines_part_the_clusters_of_an_image():
    plane = plot.cluster_map(TREE, SHAPE, 3).child_axes[1]
    label = cut_count(TREE, 3).labels.reshape(SHAPE)
    expected = (label[:, 1:] != label[:, :-1]).sum() + (label[1:] != label[:-1]).sum()
    assert len(artist(plane, "borders").get_segments()) == expected


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ((4, 4), r"where must be the shape of an image of 20 pixels; got \(4, 4\)"),
        (CELLS[:3], "where must be one place for each of the 20 items; got 3"),
        (CORNERS[:3], "where must be one place for each of the 20 items; got 3"),
        (np.zeros((20, 3)), r"where must have rows of x and y; got shape \(20, 3\)"),
        (np.full((20, 2), np.nan), "where must be finite"),
    ],
)
def test_refuses_places_that_do_not_fit(where, message):
    with pytest.raises(InvalidInputError, match=message):
        plot.cluster_map(TREE, where, 3)
