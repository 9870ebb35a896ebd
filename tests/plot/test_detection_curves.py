import numpy as np
import pytest
from scipy.stats import norm

from dendrometry import plot
from dendrometry.errors import InvalidInputError
from dendrometry.text import detection_curve

RNG = np.random.default_rng(0)
TARGET = RNG.random(3_000) < 0.2
GOOD = detection_curve(RNG.normal(size=3_000) + 2 * TARGET, TARGET)
POOR = detection_curve(RNG.random(3_000), TARGET)


def curves_of(ax):
    return [line for line in ax.lines if not line.get_label().startswith("_")]


def test_the_curves_are_misses_against_false_alarms_in_normal_deviates():
    (line,) = curves_of(plot.detection_curves(GOOD))
    np.testing.assert_allclose(norm.cdf(line.get_xdata()), GOOD.false_alarm.clip(0.001, 0.999))
    np.testing.assert_allclose(norm.cdf(line.get_ydata()), GOOD.miss.clip(0.001, 0.999))


def test_normal_scores_give_a_straight_line_and_random_ones_that_of_chance():
    good, poor = curves_of(plot.detection_curves({"good": GOOD, "poor": POOR}))
    for line, distance in ((good, 2.0), (poor, 0.0)):
        x, y = line.get_xdata(), line.get_ydata()
        inside = (np.abs(x) < 2) & (np.abs(y) < 2)
        assert np.abs(x + y + distance)[inside].mean() < 0.12


def test_dots_mark_the_least_costs_and_the_legend_gives_them():
    ax = plot.detection_curves({"good": GOOD, "poor": POOR})
    dots = [line for line in ax.lines if line.get_label() == "_least"]
    assert norm.cdf(dots[0].get_xdata()[0]) == pytest.approx(GOOD.least.false_alarm)
    assert norm.cdf(dots[0].get_ydata()[0]) == pytest.approx(GOOD.least.miss)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [f"good ({GOOD.least.cost:.3f})", f"poor ({POOR.least.cost:.3f})"]
    assert [text.get_text() for text in ax.get_xticklabels()][:4] == ["0.1%", "1%", "5%", "20%"]


@pytest.mark.parametrize("result", [{}, "curve", {"a": 1}, [GOOD]])
def test_what_is_no_curve_is_refused(result):
    with pytest.raises(InvalidInputError, match="detection_curves draws what detection_curve returns"):
        plot.detection_curves(result)
