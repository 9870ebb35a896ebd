import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from dendrometry import agglomerate, from_newick, plot
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.palette import INK
from tests.plot.drawn import artist, boxes, dendrogram_of, overlapping
from tests.zoo import ZOO

TREE = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
P = np.select([TREE.sizes == 4, TREE.sizes == 3, TREE.sizes == 2], [0.0004, 0.05, 0.314], np.nan)


@pytest.mark.parametrize("root", ["left", "top"])
def test_p_values_are_written_and_significant_nodes_have_full_dots(root):
    ax = plot.dendrogram(TREE, p_values=P, root=root)
    level = 0 if root == "left" else 1
    assert [(text.get_text(), text.xy[level]) for text in ax.texts] == [("<0.001", 3.0), ("0.05", 2.0), ("0.31", 1.0)]
    full, hollow = artist(ax, "significant"), artist(ax, "not significant")
    assert full.get_offsets()[:, level].tolist() == [3.0, 2.0]
    assert hollow.get_offsets()[:, level].tolist() == [1.0]
    assert [to_hex(dots.get_facecolors()[0]) for dots in (full, hollow)] == [INK, "#ffffff"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["adjusted p ≤ 0.05", "adjusted p > 0.05"]


def test_the_level_is_heeded_and_the_key_has_labels_too():
    ax = plot.dendrogram(TREE, p_values=P, alpha=0.01, labels=list("aabb"))
    assert len(artist(ax, "significant").get_offsets()) == 1
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == ["adjusted p ≤ 0.01", "adjusted p > 0.01", "a", "b"]


def test_untested_nodes_have_no_mark_and_closed_ones_have_theirs():
    column = np.where(TREE.sizes == 3, 0.02, np.nan)
    assert [text.get_text() for text in plot.dendrogram(TREE, p_values=column).texts] == ["0.02"]
    assert [text.get_text() for text in plot.dendrogram(TREE, p_values=column, top=2).texts] == ["0.02"]
    assert not plot.dendrogram(TREE, p_values=np.full(7, np.nan)).texts


@pytest.mark.parametrize("root", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("marks", ["p_values", "support"])
def test_no_number_overlaps_another_a_name_or_the_key(root, marks):
    tree = agglomerate(np.random.default_rng(0).normal(size=(70, 2)) ** 3).hierarchy
    column = np.where(tree.sizes > 1, np.linspace(0, 1, tree.n_nodes) ** 4, np.nan)
    across = root in ("left", "right")
    figure, ax = plt.subplots(figsize=(6, 8) if across else (8, 5), layout="constrained")
    plot.dendrogram(tree, root=root, ax=ax, labels=tree.sizes[:70] % 3, **{marks: column})
    figure.canvas.draw()
    names = (ax.yaxis if across else ax.xaxis).get_ticklabels()
    found = boxes(ax, [*ax.texts, *names, *ax.get_legend().get_texts()])
    assert len(ax.texts) > 10
    assert overlapping(found) == 0


def test_no_number_covers_the_dot_of_another_node():
    tree = dendrogram_of(60)
    ax = plot.dendrogram(tree, p_values=np.where(tree.sizes > 1, 0.0123, np.nan))
    found = boxes(ax, ax.texts)
    dots = ax.transData.transform(artist(ax, "significant").get_offsets())
    inside = (dots[:, None] > found[None, :, :2]) & (dots[:, None] < found[None, :, 2:])
    assert len(found) > 10
    assert len(dots) == 59
    assert not inside.all(axis=2).any()


@pytest.mark.parametrize("tree", ZOO.values(), ids=ZOO)
def test_edge_trees_are_drawn(tree):
    ax = plot.dendrogram(tree, p_values=np.full(tree.n_nodes, 0.5), top=2)
    ax.figure.canvas.draw()
    assert len(artist(ax, "significant").get_offsets()) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p_values": [0.5]}, "p_values must have one value for each of 7 nodes; got 1"),
        ({"p_values": np.full(7, -0.1)}, "p_values must be from 0 to 1, or nan; got -0.1 at position 0"),
        ({"p_values": P, "alpha": 0}, "alpha must be"),
        ({"p_values": P, "support": P}, "support and p_values are written at the same places; give one of them"),
    ],
)
def test_bad_requests_are_refused(options, message):
    with pytest.raises(InvalidInputError, match=message):
        plot.dendrogram(TREE, **options)
