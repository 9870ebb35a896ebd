import numpy as np
import pytest

from dendrometry import Hierarchy, Overlap, compare, from_newick, item_disagreement, plot
from dendrometry.comparison import compare_overlap
from dendrometry.errors import InvalidInputError
from tests.plot.drawn import artist, boxes, dendrogram_of, overlapping

A, B = from_newick("((ape,cat),(elk,owl));"), from_newick("((ape,cat),elk,owl);")


def names(ax):
    return [text.get_text() for text in ax.get_yticklabels()]


def test_bars_are_shares_of_the_whole_greatest_first():
    parts = item_disagreement(dendrogram_of(40, 1), dendrogram_of(40, 2))
    ax = plot.item_disagreement(parts, max_items=10)
    shares = [np.ptp(bar.vertices[:, 0]) for bar in artist(ax, "bars").get_paths()]
    worst = parts.worst(10)
    assert names(ax) == [name for name, _ in worst]
    assert shares == pytest.approx([value / parts.values.sum() for _, value in worst])
    assert ax.get_title() == f"10 of 40 items make up {sum(shares):.0%} of the disagreement"
    assert ax.lines[0].get_xdata()[0] == pytest.approx(1 / 40)
    low, high = ax.get_ylim()
    assert low > high


def test_trees_that_agree_have_no_bars_and_say_so():
    ax = plot.item_disagreement(item_disagreement(A, A))
    assert [np.ptp(bar.vertices[:, 0]) for bar in artist(ax, "bars").get_paths()] == [0.0] * 4
    assert ax.get_title() == "4 of 4 items do not disagree"


@pytest.mark.parametrize("most", [30, 3000])
def test_names_do_not_overlap(most):
    ax = plot.item_disagreement(item_disagreement(dendrogram_of(3000, 1), dendrogram_of(3000, 2)), max_items=most)
    found = boxes(ax, ax.get_yticklabels())
    assert overlapping(found) == 0
    assert ax.get_ylabel() == ("" if most == 30 else f"{len(found)} of 3,000 names shown")


def test_names_are_plain_text():
    hard = ["$x$", "_y", "\x1b[0m", "$"]
    a, b = (Hierarchy(t.parent, t.height, t.item_node, hard) for t in (A, A))
    ax = plot.item_disagreement(item_disagreement(a, b))
    ax.figure.canvas.draw()
    assert names(ax) == ["$x$", "_y", "\\x1b[0m", "$"]
    assert not any(text.get_parse_math() for text in ax.get_yticklabels())


def test_other_input_is_refused():
    with pytest.raises(InvalidInputError, match=r"item_disagreement draws what .* returns; got dict"):
        plot.item_disagreement({"a": 1})
    with pytest.raises(InvalidInputError, match="max_items must be a whole number from 1 on; got 0"):
        plot.item_disagreement(item_disagreement(A, B), max_items=0)


def test_a_comparison_is_drawn_as_it_is():
    a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((ape,cat),elk,owl);")
    ax = plot.item_disagreement(compare(a, b), max_items=2)
    assert ax.get_title() == "2 of 4 items make up 100% of the disagreement"
    counted = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 6), (1, 1, 3)])
    with pytest.raises(InvalidInputError, match="items must be listed"):
        plot.item_disagreement(compare_overlap(counted))


def test_the_dotted_line_is_explained():
    ax = plot.item_disagreement(item_disagreement(dendrogram_of(20, 1), dendrogram_of(20, 2)))
    (line,) = [line for line in ax.lines if line.get_label() == "_mean"]
    assert line.get_xdata() == [1 / 20, 1 / 20]
    (text,) = [text for text in ax.texts if text.get_text() == "mean of all items"]
    assert text.get_position()[0] == 1 / 20
    assert overlapping(boxes(ax, [text, ax.title])) == 0
