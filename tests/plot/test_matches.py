import pytest

from dendrometry import compare, from_labels, from_newick, plot
from dendrometry._display import printable
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.plot._layout.overlaps import overlaps
from tests.plot.drawn import artist, boxes, dendrogram_of, overlapping, texts_of
from tests.zoo import ZOO

A, B = from_newick("((ape,cat)x,(elk,(fox,owl)y)z);"), from_newick("((ape,cat,elk)p,(fox,owl)q);")


def test_cells_hold_the_f_of_clusters_and_the_best_match_is_framed():
    ax = plot.matches(A, B)
    table = overlaps(A, B, 25)
    assert ax.images[0].get_array().tolist() == table.f.tolist()
    frames = [path.vertices.min(axis=0).tolist() for path in artist(ax, "best").get_paths()]
    assert frames == [[j - 0.5, i - 0.5] for i, j in enumerate(table.best.tolist())]
    assert texts_of(ax, "count") == [str(n) for n in table.common.ravel().tolist() if n]
    assert ax.get_title() == "1 of 3 clusters found exactly"
    assert plot.matches(A, B, max_clusters=2).get_title().endswith("of the 2 largest clusters found exactly")


def test_clusters_go_by_name_and_size():
    ax = plot.matches(A, B)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["x (2)", "z (3)", "y (2)"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["p (3)", "q (2)"]
    unnamed = from_newick("((ape,cat),(elk,(fox,owl)));")
    assert [text.get_text() for text in plot.matches(unnamed, unnamed).get_yticklabels()][1] == "elk and 2 more"


def test_a_match_may_be_all_items():
    ax = plot.matches(from_newick("((a,b,c,d),e);"), from_newick("(a,b,c,d,e);"))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["all 5"]


def test_flat_clusterings_are_compared_by_their_groups():
    items = list("uvwxyz")
    ax = plot.matches(from_labels([0, 0, 1, 1, 2, 2], item_names=items), from_labels(list("aabbbb"), item_names=items))
    assert ax.images[0].get_array().shape == (3, 2)


@pytest.mark.parametrize("most", [30, 300])
def test_names_and_numbers_do_not_overlap(most):
    ax = plot.matches(dendrogram_of(1000, 1), dendrogram_of(1000, 2), max_clusters=most)
    assert overlapping(boxes(ax, ax.get_yticklabels())) == 0
    assert overlapping(boxes(ax, ax.get_xticklabels())) == 0
    assert overlapping(boxes(ax, [text for text in ax.texts if text.get_label() == "_count"])) == 0


def test_names_of_clusters_are_text():
    names = ["$x^2$", "_hidden", "<b>bold</b>", "a\nb\x1b[31m", "\\frac{", "%s {}"]
    flat = from_labels([name for name in names for _ in range(2)], item_names=list("abcdefghijkl"))
    other = from_newick("((a,b),(c,d),(e,f),(g,h),(i,j),(k,l));")
    for a, b in ((flat, other), (other, flat)):
        ax = plot.matches(a, b)
        ax.figure.canvas.draw()
        written = [text for text in (*ax.get_yticklabels(), *ax.get_xticklabels()) if "(2)" in text.get_text()]
        assert sorted(text.get_text() for text in written) == sorted(f"{printable(name)} (2)" for name in names)
        assert not any(text.get_parse_math() or text.get_usetex() for text in written)


def test_trees_that_cannot_be_matched_are_refused():
    with pytest.raises(UndefinedMeasureError, match="the first tree has no cluster of two items or more, but not all"):
        plot.matches(ZOO["star"], ZOO["star"])
    with pytest.raises(ItemMismatchError, match="the trees must hold the same items"):
        plot.matches(A, A.restrict(["ape", "cat"]))
    with pytest.raises(InvalidInputError, match="max_clusters must be a whole number from 1 on; got -1"):
        plot.matches(A, B, max_clusters=-1)


def test_a_comparison_is_drawn_as_it_is():
    a, b = from_newick("((ape,cat),(elk,(fox,owl)));"), from_newick("((ape,cat,elk),(fox,owl));")
    ax = plot.matches(compare(a, b, names=("traits", "genes")))
    assert ax.get_title() == "1 of 3 clusters found exactly"
    assert ax.get_ylabel() == "clusters of traits"
    with pytest.raises(InvalidInputError, match="a comparison holds both trees"):
        plot.matches(compare(a, b), b)
