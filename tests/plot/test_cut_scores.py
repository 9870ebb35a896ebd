import numpy as np
import pytest

from dendrometry import agglomerate, from_linkage, plot
from dendrometry.errors import InvalidInputError
from dendrometry.quality import gap_statistic, score_cuts

POINTS = np.repeat([[0, 0], [9, 0], [0, 9]], 15, axis=0) + np.random.default_rng(0).normal(size=(45, 2))
SCORES = score_cuts(agglomerate(POINTS).hierarchy, POINTS, max_clusters=8)


def curves(ax):
    """The curves by the beginning of their labels, and the marked numbers of clusters."""
    lines = {line.get_label(): line for line in ax.lines}
    shown = {label.partition(":")[0]: line for label, line in lines.items() if not label.startswith("_")}
    marks = {
        label.removeprefix("_best "): line.get_xdata().tolist() for label, line in lines.items() if "_best" in label
    }
    return shown, marks


def test_every_index_is_a_curve_that_is_1_at_its_best():
    gap = gap_statistic(POINTS, lambda points: agglomerate(points).hierarchy, max_clusters=8)
    shown, marks = curves(plot.cut_scores(SCORES, gap=gap))
    assert list(marks.values()) == [[3], [3], [3], [3]]
    for name in ("Calinski-Harabasz", "Davies-Bouldin, low is good", "simplified silhouette"):
        k, share = shown[name].get_data()
        assert k.tolist() == list(range(2, 9))
        assert share.max() == 1.0 == share[k == 3]
        assert share.min() == 0.0
    assert shown["gap statistic"].get_xdata().tolist() == list(range(1, 9))


def test_cuts_through_ties_are_not_drawn_unless_there_are_no_others():
    tied = from_linkage([[0, 1, 1, 2], [2, 3, 1, 2], [4, 6, 2, 3], [5, 7, 3, 5]])
    shown, marks = curves(plot.cut_scores(score_cuts(tied, [[0], [1], [5], [7], [9]])))
    assert shown["simplified silhouette"].get_xdata().tolist() == [2, 3]
    flat = from_linkage([[0, 1, 1, 2], [2, 4, 1, 3], [3, 5, 1, 4]])
    shown, marks = curves(plot.cut_scores(score_cuts(flat, [[0], [1], [2], [3]])))
    assert shown["simplified silhouette"].get_xdata().tolist() == [2, 3]
    assert list(marks.values()) == [[], [], []]


def test_infinite_scores_are_drawn_at_the_ends():
    X = [[0.0], [0.0], [4.0], [4.0], [9.0]]
    ax = plot.cut_scores(score_cuts(agglomerate(X).hierarchy, X))
    ax.figure.canvas.draw()
    shown, _ = curves(ax)
    assert shown["Calinski-Harabasz"].get_ydata().tolist() == [0.0, 1.0]


def test_refuses_what_are_no_scores_of_cuts():
    with pytest.raises(InvalidInputError, match=r"cut_scores draws what score_cuts\(tree, X\) returns; got list"):
        plot.cut_scores([1.0])
    with pytest.raises(
        InvalidInputError, match=r"gap must be what gap_statistic\(X, build\) returns, or None; got int"
    ):
        plot.cut_scores(SCORES, gap=3)
