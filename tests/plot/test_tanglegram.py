import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.colors import to_hex

from dendrometry import Overlap, compare, from_newick, plot
from dendrometry.comparison import compare_overlap
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.plot._axes.palette import FAINT, PALETTE
from tests.plot.drawn import boxes, dendrogram_of, overlapping, texts_of
from tests.strategies import hierarchy_pairs
from tests.zoo import ZOO

A, B = from_newick("((ape,cat),(elk,owl));"), from_newick("((owl,(cat,ape)),elk);")


def links(ax):
    return next(one for one in ax.collections if one.get_label() == "_links")


@given(hierarchy_pairs())
@settings(max_examples=15)
def test_there_is_a_link_for_each_row_of_the_overlap(pair):
    ax = plot.tanglegram(*pair)
    assert len(links(ax).get_segments()) == Overlap.of(*pair).count.size
    assert len([one for one in ax.collections if one.get_label() == "_branches"]) == 2
    plt.close(ax.figure)


def test_links_join_the_same_items():
    ax = plot.tanglegram(A, B)
    order = plot.untangle(A, B)
    ends = {(round(4 * y0 - 0.5), round(4 * y1 - 0.5)) for (_, y0), (_, y1) in links(ax).get_segments()}
    assert ends == {(i, order.order_b.index(name)) for i, name in enumerate(order.order_a)}
    assert texts_of(ax, "name") == [*order.order_a, *order.order_b]


def test_common_clusters_are_coloured_and_the_rest_is_grey():
    ax = plot.tanglegram(A, B)
    colours = sorted(to_hex(colour) for colour in links(ax).get_colors())
    assert colours == sorted([PALETTE[0].lower()] * 2 + [FAINT] * 2)
    assert ax.get_xlabel() == "entanglement 0, as given 0.73; 1 common cluster coloured"


def test_clusters_that_are_nearly_common_are_coloured_if_none_is_common():
    items = [f"i{i}" for i in range(20)]
    pairs = [",".join(items[i::10]) for i in range(10)]
    first = from_newick("((" + ",".join(items[:10]) + "),(" + ",".join(items[10:]) + "));")
    swapped = [*items[:9], items[10], items[9], *items[11:]]
    second = from_newick("((" + ",".join(swapped[:10]) + "),(" + ",".join(swapped[10:]) + "));")
    ax = plot.tanglegram(first, second)
    assert "2 nearly common clusters coloured" in ax.get_xlabel()
    colours = [to_hex(colour) for colour in links(ax).get_colors()]
    assert sorted(colours.count(shade) for shade in set(colours)) == [2, 9, 9]
    third = from_newick("((" + "),(".join(pairs) + "));")
    assert "0 nearly common clusters coloured" in plot.tanglegram(first, third).get_xlabel()


def test_labels_colour_links_in_place_of_clusters():
    ax = plot.tanglegram(A, B, labels={"ape": 1, "cat": 2, "elk": 3, "owl": 4}, names=("first", "second"))
    assert sorted(to_hex(c) for c in links(ax).get_colors()) == sorted(c.lower() for c in PALETTE[:4])
    assert ax.get_xlabel() == "entanglement 0, as given 0.73"
    assert (ax.get_title("left"), ax.get_title("right")) == ("first", "second")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("n", [30, pytest.param(3000, marks=pytest.mark.compiled)])
def test_names_do_not_overlap_each_other_or_the_links(n):
    ax = plot.tanglegram(dendrogram_of(n, 1), dendrogram_of(n, 2))
    written = [text for text in ax.texts if text.get_label() == "_name"]
    found = boxes(ax, written)
    assert overlapping(found) == 0
    ends = ax.transData.transform(np.concatenate(links(ax).get_segments()))[:, 0]
    half = len(found) // 2
    assert found[:half, 2].max() <= ends.min()
    assert found[half:, 0].min() >= ends.max()
    notes = [text.get_text() for text in ax.texts if not text.get_label()]
    assert notes == ([] if n == 30 else [f"{half} of 3,000 names shown"] * 2)


def test_long_and_hostile_names_are_plain_and_leave_room_for_the_trees():
    names = ["$x^2$", "_y", "W" * 200, "\x1b[0m"]
    a, b = (type(A)(tree.parent, tree.height, tree.item_node, names) for tree in (A, A))
    ax = plot.tanglegram(a, b, names=("$a$", "_b"))
    ax.figure.canvas.draw()
    assert not any(text.get_parse_math() for text in ax.texts)
    shown = texts_of(ax, "name")
    assert {"$x^2$", "_y", "\\x1b[0m"} < set(shown)
    assert any(text.startswith("WWWW") and text.endswith("…") for text in shown)
    start = min(x for segment in links(ax).get_segments() for x, _ in segment)
    assert start < 0.5


@pytest.mark.parametrize("tree", ZOO.values(), ids=ZOO.keys())
def test_every_tree_can_face_itself(tree):
    ax = plot.tanglegram(tree, tree)
    ax.figure.canvas.draw()
    assert ax.get_xlabel().startswith("entanglement 0, ")


def test_different_items_are_refused():
    with pytest.raises(ItemMismatchError, match="the trees must hold the same items"):
        plot.tanglegram(A, A.restrict(["ape", "cat"]))


def test_a_comparison_is_drawn_as_it_is():
    a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((owl,(cat,ape)),elk);")
    ax = plot.tanglegram(compare(a, b, names=("traits", "genes")))
    assert ax.get_xlabel() == plot.tanglegram(a, b).get_xlabel()
    assert (ax.get_title("left"), ax.get_title("right")) == ("traits", "genes")
    counted = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 6), (1, 1, 3)])
    with pytest.raises(InvalidInputError, match="items must be listed"):
        plot.tanglegram(compare_overlap(counted))


def test_a_title_of_the_caller_has_its_place():
    figure, ax = plt.subplots(figsize=(4, 4), layout="constrained")
    a, b = dendrogram_of(80, 1), dendrogram_of(80, 2)
    plot.tanglegram(a, b, names=("traits", "genes"), ax=ax)
    assert ax.get_title() == ""
    figure.canvas.draw()
    below = [ax.xaxis.label, *(text for text in ax.texts if text.get_text().endswith("names shown"))]
    assert overlapping(boxes(ax, below)) == 0
    assert ax.get_xlabel().startswith("entanglement ")


def test_the_largest_common_clusters_have_a_colour_each():
    pairs = [f"(a{i},b{i})" for i in range(9)]
    a, b = from_newick(f"(({','.join(pairs)}),x,y);"), from_newick(f"((y,x),{','.join(pairs[::-1])});")
    ax = plot.tanglegram(a, b)
    assert ax.get_xlabel().endswith("7 common clusters of 9 coloured")
    colours = [to_hex(c) for c in links(ax).get_colors()]
    assert sorted(colours.count(colour.lower()) for colour in PALETTE) == [2] * 7
