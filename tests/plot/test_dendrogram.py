import re
import subprocess
import sys

import matplotlib.pyplot as plt
import pytest
from hypothesis import given, settings
from matplotlib.colors import to_hex

from dendrometry import from_linkage, from_newick, plot
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.palette import ACCENT, INK, OTHER, PALETTE
from tests.plot.drawn import artist, boxes, dendrogram_of, overlapping
from tests.strategies import hierarchies
from tests.zoo import ZOO, caterpillar


def names(ax, which="y"):
    axis = ax.yaxis if which == "y" else ax.xaxis
    return [text.get_text() for text in axis.get_ticklabels()]


@given(hierarchies())
@settings(max_examples=20)
def test_there_is_a_stem_for_each_node_and_a_bar_for_each_fork(tree):
    ax = plot.dendrogram(tree)
    forks = ((tree.n_children + (tree.own_sizes > 0)) > 1) & (tree.n_children > 0)
    assert len(artist(ax, "branches").get_segments()) == tree.n_nodes - 1 + forks.sum() + 1
    inner = (tree.n_children > 0) & (tree.own_sizes > 0)
    dots = artist(ax, "inner items")
    assert (0 if dots is None else len(dots.get_offsets())) == inner.sum()
    assert len(names(ax)) == (tree.own_sizes > 0).sum()
    plt.close(ax.figure)


@pytest.mark.parametrize("tree", ZOO.values(), ids=ZOO.keys())
@pytest.mark.parametrize("root", ["left", "top"])
def test_every_tree_is_drawn_lying_and_standing(tree, root):
    ax = plot.dendrogram(tree, root=root, labels=list(range(tree.n_items)))
    ax.figure.canvas.draw()
    along = ax.get_ylim()[::-1] if root in ("left", "right") else ax.get_xlim()
    assert along == (-0.5, (tree.own_sizes > 0).sum() - 0.5)


@pytest.mark.parametrize(
    ("root", "which", "first_is_higher"),
    [("left", "x", True), ("right", "x", False), ("top", "y", False), ("bottom", "y", True)],
)
def test_the_root_is_on_the_side_asked_for(root, which, first_is_higher):
    ax = plot.dendrogram(ZOO["balanced"], root=root)
    low, high = ax.get_xlim() if which == "x" else ax.get_ylim()
    assert (low > high) == first_is_higher
    assert max(low, high) > 2 > 0 > min(low, high)
    side = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}[root]
    axis = ax.yaxis if which == "x" else ax.xaxis
    assert axis.get_tick_params()[f"label{side}"]


def test_names_stand_at_their_leaves_in_order():
    ax = plot.dendrogram(from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);"))
    assert names(ax) == ["owl", "elk", "ape", "cat"]
    assert ax.get_yticks().tolist() == [0, 1, 2, 3]
    assert ax.get_xlabel() == "height"


def test_several_items_of_a_node_share_a_place_and_are_counted():
    assert names(plot.dendrogram(ZOO["items at inner nodes"])) == ["5", "2 and 1 more", "0", "1", "4"]
    assert names(plot.dendrogram(ZOO["one cluster"])) == ["7 (4)"]


def test_an_inversion_is_dashed_and_counted():
    ax = plot.dendrogram(ZOO["inversion"])
    back = artist(ax, "inversions")
    assert back.get_segments()[0][:, 0].tolist() == [1.0, 0.866]
    assert to_hex(back.get_colors()[0]) == ACCENT.lower()
    assert back.get_linestyles()[0][1] is not None
    assert ax.get_title("right") == "1 inversion"
    assert artist(plot.dendrogram(ZOO["balanced"]), "inversions") is None


def test_branches_have_the_colour_that_their_items_share():
    ax = plot.dendrogram(ZOO["balanced"], labels=["x", "x", "y", "z"])
    colours = [to_hex(colour) for colour in artist(ax, "branches").get_colors()]
    x, y, z = (colour.lower() for colour in PALETTE[:3])
    assert colours[:6] == [x, x, y, z, x, INK]  # stems, in order of nodes
    assert colours[6:] == [x, INK, INK, INK]  # bars of the two pairs and the root, and the stub
    assert [to_hex(colour) for colour in artist(ax, "strip").get_facecolors()] == [x, x, y, z]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y", "z"]


def test_more_labels_than_colours_are_grey_and_counted():
    tree = dendrogram_of(12)
    ax = plot.dendrogram(tree, labels=list(range(12)))
    shades = {to_hex(colour) for colour in artist(ax, "strip").get_facecolors()}
    assert shades == {colour.lower() for colour in (*PALETTE, OTHER)}
    assert ax.get_legend().get_texts()[-1].get_text() == "5 other labels"


def test_the_top_closes_clusters_with_their_counts():
    ax = plot.dendrogram(ZOO["caterpillar"], top=3)
    assert names(ax) == ["5", "4", "0 and 3 more"]
    wedge = artist(ax, "closed").get_paths()[0].vertices
    assert wedge[:3].tolist() == [[3, 2], [0, 1.65], [0, 2.35]]


def test_trees_without_heights_have_whole_levels():
    ax = plot.dendrogram(ZOO["items at inner nodes"])
    assert ax.get_xlabel() == "edges to the farthest leaf"
    ax = plot.dendrogram(ZOO["items at inner nodes"], by="depth")
    ax.figure.canvas.draw()
    assert ax.get_xlabel() == "edges from the root"
    shown = [text.get_text() for text in ax.get_xticklabels()]
    assert {"0", "1", "2"} <= set(shown)
    assert not any("-" in text or "−" in text for text in shown)


@pytest.mark.parametrize("n", [30, 3000])
@pytest.mark.parametrize("root", ["left", "top"])
def test_names_do_not_overlap(n, root):
    ax = plot.dendrogram(dendrogram_of(n), root=root)
    axis = ax.yaxis if root == "left" else ax.xaxis
    found = boxes(ax, axis.get_ticklabels())
    assert overlapping(found) == 0
    if n == 30:
        assert len(found) == 30
        assert min(text.get_fontsize() for text in axis.get_ticklabels()) >= 7
    else:
        assert 50 < len(found) < 300
        assert axis.get_label_text() == f"{len(found)} of 3,000 names shown"


def test_names_do_not_overlap_in_a_small_axes():
    figure, axes = plt.subplots(2, 2, figsize=(6, 4), layout="constrained")
    for ax in axes.flat:
        assert plot.dendrogram(dendrogram_of(60), ax=ax) is ax
    figure.canvas.draw()
    for ax in axes.flat:
        assert overlapping(boxes(ax, ax.get_yticklabels())) == 0


HOSTILE = [
    "$x^2$",
    "$unclosed",
    "_under",
    "<b>x</b>",
    "a\nb",
    "\x1b[31m",
    "\u202eltr",
    "%s {0}",
    "\\frac{1}{2}",
    "W" * 99,
]


def test_names_are_plain_text():
    tree = from_linkage(
        [[i, i + 1 if i == 0 else 9 + i, i + 1, i + 2] if i == 0 else [9 + i, i + 1, i + 1, i + 2] for i in range(9)],
        HOSTILE,
    )
    ax = plot.dendrogram(tree, labels=HOSTILE)
    ax.figure.canvas.draw()
    texts = ax.get_yticklabels()
    assert not any(text.get_parse_math() or text.get_usetex() for text in texts)
    shown = {text.get_text() for text in texts}
    assert {
        "$x^2$",
        "$unclosed",
        "_under",
        "<b>x</b>",
        "a\\nb",
        "\\x1b[31m",
        "\\u202eltr",
        "%s {0}",
        "\\frac{1}{2}",
    } < shown
    assert "W" * 31 + "…" in shown
    legend = ax.get_legend().get_texts()
    assert len(legend) == 8
    assert not any(text.get_parse_math() for text in legend)


def test_options_that_do_not_exist_are_refused():
    with pytest.raises(InvalidInputError, match="root must be 'left', 'right', 'top' or 'bottom'; got 'up'"):
        plot.dendrogram(ZOO["star"], root="up")
    with pytest.raises(InvalidInputError, match="the tree: it must be readable in one way; got an array of shape"):
        plot.dendrogram([[0, 1, 1.0]], labels=[1, 2])
    with pytest.raises(InvalidInputError, match="ax must be a matplotlib Axes or None; got int"):
        plot.dendrogram(ZOO["star"], ax=3)


def test_nothing_is_drawn_on_other_figures_and_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *_: pytest.fail("shown"))
    figure, ax = plt.subplots()
    assert plot.dendrogram(ZOO["star"], ax=ax) is ax
    assert plt.get_fignums() == [figure.number]
    assert plot.dendrogram(ZOO["star"]).figure is not figure


def test_the_tree_is_drawn_into_a_part_of_a_figure():
    part = plt.figure(layout="constrained").subfigures(1, 2)[0]
    ax = plot.dendrogram(ZOO["star"], ax=part.subplots())
    part.figure.canvas.draw()
    assert names(ax) == ["0", "1", "2", "3"]


def test_no_two_parts_of_a_drawing_have_the_same_id(tmp_path):
    plot.tanglegram(ZOO["balanced"], ZOO["balanced"]).figure.savefig(tmp_path / "tree.svg")
    ids = re.findall(r' id="([^"]*)"', (tmp_path / "tree.svg").read_text(encoding="utf-8"))
    assert len(set(ids)) == len(ids) > 10


def test_importing_the_package_does_not_load_matplotlib():
    code = "import sys, dendrometry; dendrometry.plot.dendrogram; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_deep_tree_is_drawn_whole():
    ax = plot.dendrogram(caterpillar(10_000))
    assert len(artist(ax, "branches").get_segments()) == 19_998 + 9_999 + 1
    assert ax.get_xlim()[0] == pytest.approx(1.04 * 9_999)
