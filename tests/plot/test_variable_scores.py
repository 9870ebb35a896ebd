import pytest

from dendrometry import plot
from dendrometry.comparison import score_variables
from dendrometry.errors import InvalidInputError
from tests.plot.drawn import artist

X = [[0, 0, 3], [1, 1, 9], [5, 6, 4], [6, 5, 8], [11, 12, 1]]


def test_each_variable_has_a_bar_and_a_dot_in_order_of_agreement():
    scores = score_variables(X, variable_names=["$x$", "noise", "y"])
    ax = plot.variable_scores(scores)
    order = sorted(range(3), key=lambda j: -scores.agreement[j])
    assert [text.get_text() for text in ax.get_yticklabels()] == [scores.names[j] for j in order]
    ends = [path.vertices[1, 0] for path in artist(ax, "bars").get_paths()]
    assert ends == pytest.approx([scores.agreement[j] for j in order])
    (dots,) = (one for one in ax.collections if one.get_label().startswith("change"))
    assert dots.get_offsets()[:, 0].tolist() == pytest.approx([1 - scores.without[j] for j in order])
    ax.figure.canvas.draw()


def test_refuses_what_are_no_scores_of_variables():
    with pytest.raises(InvalidInputError, match=r"draws what score_variables\(X\) returns; got list"):
        plot.variable_scores([1.0])
