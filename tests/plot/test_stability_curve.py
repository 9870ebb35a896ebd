import numpy as np
import pytest

from dendrometry import plot, stability
from dendrometry.errors import InvalidInputError
from dendrometry.resampling import co_membership

POINTS = np.repeat([[0, 0], [9, 0], [0, 9]], 10, axis=0) + np.random.default_rng(0).normal(size=(30, 2))


@pytest.fixture(scope="module")
def found():
    return stability(POINTS, n_replicates=10, n_references=39)


def test_the_curve_has_the_agreement_the_reference_and_the_choice(found):
    ax = plot.stability_curve(found.agreement)
    lines = {line.get_label().partition(":")[0]: line for line in ax.lines}
    assert lines["replicates"].get_ydata().tolist() == found.agreement.mean.tolist()
    assert lines["data without clusters"].get_ydata().tolist() == found.agreement.reference_mean.tolist()
    assert lines["most stable"].get_xdata().tolist() == [3]


def test_data_without_clusters_are_said_to_have_none():
    flat = stability(np.random.default_rng(5).normal(size=(30, 3)), n_replicates=6, n_references=19)
    ax = plot.stability_curve(flat.agreement)
    assert ax.get_title(loc="right") == "no more stable than data without clusters"
    alone = stability(POINTS, n_replicates=6, n_references=0)
    labels = [line.get_label() for line in plot.stability_curve(alone.agreement).lines]
    assert "data without clusters" not in labels


def test_the_heat_map_is_in_the_order_of_the_tree(found):
    ax = plot.co_membership(found, 3)
    order = found.hierarchy.order.item
    np.testing.assert_array_equal(ax.images[0].get_array(), co_membership(found, 3)[np.ix_(order, order)])
    assert [line.get_ydata()[0] for line in ax.lines[::2]] == [9.5, 19.5]


def test_other_results_are_refused(found):
    with pytest.raises(InvalidInputError, match=r"stability_curve draws the agreement of what stability\(X\) returns"):
        plot.stability_curve(found)
    with pytest.raises(InvalidInputError, match="result must be a Stability; got"):
        plot.co_membership(found.agreement, 3)
