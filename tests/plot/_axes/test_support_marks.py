from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from dendrometry import agglomerate, from_newick, plot
from dendrometry.errors import InvalidInputError

TREE = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")


def texts(ax):
    return [(text.get_text(), text.xy) for text in ax.texts]


@pytest.mark.parametrize("root", ["left", "top"])
def test_support_is_written_at_the_nodes_in_percent(root):
    support = np.where(TREE.sizes == 2, 0.456, 0.91)
    found = texts(plot.dendrogram(TREE, support=support, root=root))
    assert [text for text, _ in found] == ["91", "46"]
    heights = [xy[0 if root == "left" else 1] for _, xy in found]
    assert heights == [2.0, 1.0]


def test_unknown_support_and_closed_nodes_are_left_out():
    support = np.where(TREE.sizes == 2, np.nan, 0.5)
    assert [text for text, _ in texts(plot.dendrogram(TREE, support=support))] == ["50"]
    assert [text for text, _ in texts(plot.dendrogram(TREE, support=np.ones(7), top=2))] == ["100"]


def test_numbers_do_not_overlap_and_none_is_lost():
    tree = agglomerate(np.random.default_rng(0).normal(size=(50, 2)) ** 3).hierarchy
    figure, ax = plt.subplots(figsize=(4, 4), layout="constrained")
    plot.dendrogram(tree, support=np.linspace(0, 1, tree.n_nodes), ax=ax)
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) > 10
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    dots = next(c for c in ax.collections if c.get_label() == "_support")
    assert len(boxes) + len(dots.get_offsets()) == 48
    at_root = max(tree.sizes[tree.sizes < 50])
    assert f"{100 * np.linspace(0, 1, tree.n_nodes)[tree.sizes == at_root][0]:.0f}" in [t.get_text() for t in ax.texts]


def test_of_many_nodes_the_largest_have_numbers_and_the_others_dots():
    tree = agglomerate(np.random.default_rng(0).normal(size=(100, 2))).hierarchy
    support = np.arange(tree.n_nodes) / tree.n_nodes
    ax = plot.dendrogram(tree, support=support)
    dots = next(c for c in ax.collections if c.get_label() == "_support")
    assert 20 < len(ax.texts) <= 60
    assert len(ax.texts) + len(dots.get_offsets()) == 98
    largest = np.argsort(-tree.sizes, kind="stable")[1:4]
    assert {f"{100 * share:.0f}" for share in support[largest]} <= {text.get_text() for text in ax.texts}


@pytest.mark.parametrize(
    ("support", "message"),
    [
        ([0.5], "support must have one value for each of 7 nodes; got 1"),
        (np.full(7, 1.5), "support must be from 0 to 1, or nan; got 1.5 at position 0"),
    ],
)
def test_bad_support_is_refused(support, message):
    with pytest.raises(InvalidInputError, match=message):
        plot.dendrogram(TREE, support=support)
