import numpy as np
import pytest

from dendrometry import Contingency, compare, from_newick, plot
from dendrometry.comparison import compare_partitions
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.partition import bipartite
from tests.plot.drawn import artist, boxes, overlapping

A, B = ["x", "x", "x", "y", "y", "z"], [1, 1, 2, 2, 2, 3]


def test_there_is_a_bar_for_each_cluster_and_overlap_and_two_ribbons_for_each_overlap():
    ax = plot.split_merge_flow(A, B)
    assert len(artist(ax, "bars").get_paths()) == 3 + 4 + 3
    assert len(artist(ax, "ribbons").get_paths()) == 8
    assert ax.get_title() == "1 cluster split, 1 merged"
    assert [text.get_text() for text in ax.texts] == ["x (3)", "y (2)", "z (1)", "2 (3)", "1 (2)", "3 (1)"]


@pytest.mark.parametrize("given", [Contingency.of(A, B), bipartite(A, B)], ids=["table", "graph"])
def test_a_table_or_a_graph_draws_the_same(given):
    ax, same = plot.split_merge_flow(given), plot.split_merge_flow(A, B)
    for mine, other in zip(artist(ax, "ribbons").get_paths(), artist(same, "ribbons").get_paths(), strict=True):
        assert mine.vertices.tolist() == other.vertices.tolist()


def test_ribbons_keep_their_thickness_and_end_at_their_bars():
    ax = plot.split_merge_flow(A, B)
    for path in artist(ax, "ribbons").get_paths():
        points = path.vertices[:-1]
        half = len(points) // 2
        upper, lower = points[:half], points[half:][::-1]
        assert np.ptp(lower[:, 1] - upper[:, 1]) == pytest.approx(0, abs=1e-9)
        assert upper[0, 0] in (pytest.approx(0.03), pytest.approx(1.03))
        assert upper[-1, 0] in (pytest.approx(0.97), pytest.approx(1.97))


def test_small_clusters_beyond_the_most_are_taken_together():
    labels = [i for i in range(10) for _ in range(10 - i)]
    ax = plot.split_merge_flow(labels, labels, max_clusters=4)
    texts = [text.get_text() for text in ax.texts]
    assert sorted(texts[: len(texts) // 2]) == ["0 (10)", "1 (9)", "2 (8)", "7 others (28)"]


@pytest.mark.parametrize("n_clusters", [30, 3000])
def test_names_do_not_overlap_and_those_left_out_are_counted(n_clusters):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, n_clusters, 30_000), rng.integers(0, n_clusters // 2, 30_000)
    ax = plot.split_merge_flow(a, b, max_clusters=60)
    found = boxes(ax, ax.texts)
    assert overlapping(found) == 0
    shown = min(n_clusters, 60) + min(n_clusters // 2, 60)
    assert ax.get_xlabel() == ("" if len(found) == shown else f"{shown - len(found)} names left out")


def test_names_are_plain_text():
    hard = ["$x$", "_y", "\x1b[0m", "$", "W" * 99]
    ax = plot.split_merge_flow(hard, hard[::-1], names=("$a$", "_b"))
    ax.figure.canvas.draw()
    assert not any(text.get_parse_math() for text in ax.texts)
    assert "\\x1b[0m (1)" in [text.get_text() for text in ax.texts]
    assert ax.get_title("left") == "$a$"


def test_one_cluster_flows_into_itself():
    ax = plot.split_merge_flow([0, 0, 0], ["q", "q", "q"])
    ax.figure.canvas.draw()
    assert ax.get_title() == "0 clusters split, 0 merged"


def test_labels_that_cannot_be_used_are_refused():
    with pytest.raises(ItemMismatchError, match="the partitions must hold one label for each of the same items"):
        plot.split_merge_flow([1, 2], [1, 2, 3])
    with pytest.raises(InvalidInputError, match="the second partition must hold no missing label"):
        plot.split_merge_flow(["a"], [None])
    with pytest.raises(InvalidInputError, match="max_clusters must be a whole number from 2 on; got 1"):
        plot.split_merge_flow(A, B, max_clusters=1)


def test_a_comparison_is_drawn_as_it_is():
    result = compare_partitions(["x", "x", "y"], [1, 2, 2], names=("mine", "yours"))
    ax = plot.split_merge_flow(result)
    assert ax.get_title("left") == "mine"
    assert ax.get_title() == "1 cluster split, 1 merged"
    tree = from_newick("((a,b),c);")
    with pytest.raises(InvalidInputError, match="flat clusterings; got a comparison of trees"):
        plot.split_merge_flow(compare(tree, tree))
