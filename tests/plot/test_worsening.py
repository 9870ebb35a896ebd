import pandas as pd
import pytest

from dendrometry import plot
from dendrometry._display import printable
from dendrometry.errors import InvalidInputError
from dendrometry.generate import worsen
from dendrometry.partition import score_series

TRUTH = [0] * 6 + [1] * 4 + [2, 3]
STEPS = list(worsen(TRUTH))
TABLE = score_series(TRUTH, [step.labels for step in STEPS])
OPERATIONS = [step.operation for step in STEPS]


def curves(ax):
    return {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}


def test_there_is_a_curve_for_each_measure_of_the_table():
    ax = plot.worsening(TABLE, operations=OPERATIONS)
    found = curves(ax)
    assert found["split merge"].get_xdata().tolist() == list(range(len(STEPS)))
    values = TABLE["value"][TABLE["measure"] == "split_merge"].tolist()
    assert found["split merge"].get_ydata().tolist() == values
    assert values[0] == 1.0
    assert values[-1] == 0.0
    assert ax.get_xlim() == (0, len(STEPS) - 1)


def test_measures_of_another_scale_are_left_out_unless_asked_for():
    assert "variation of information" not in curves(plot.worsening(TABLE))
    assert list(curves(plot.worsening(TABLE, measures=["variation_of_information"]))) == ["variation of information"]


def test_curves_are_told_apart_by_colour_and_dashes():
    found = curves(plot.worsening(TABLE)).values()
    assert len({(line.get_color(), line.get_linestyle()) for line in found}) == len(found) > 7


def test_a_line_marks_where_merges_begin():
    ax = plot.worsening(TABLE, operations=OPERATIONS)
    mark = next(line for line in ax.lines if line.get_label() == "_merges")
    assert mark.get_xdata()[0] == OPERATIONS.index("merge") - 0.5
    assert not any(line.get_label() == "_merges" for line in plot.worsening(TABLE).lines)


def test_a_data_frame_is_a_table_and_its_rows_may_be_in_any_order():
    frame = pd.DataFrame(TABLE).sample(frac=1.0, random_state=1)
    mixed, straight = curves(plot.worsening(frame)), curves(plot.worsening(TABLE))
    for name, line in straight.items():
        assert mixed[name].get_ydata().tolist() == line.get_ydata().tolist()


@pytest.mark.parametrize("name", ["$x^2$", "_hidden", "<b>bold</b>", "a\nb\x1b[31m", "\\frac{", "%s {}"])
def test_names_of_measures_are_text(name):
    ax = plot.worsening({"step": [0, 1], "measure": [name, name], "value": [1.0, 0.0]})
    ax.figure.canvas.draw()
    (text,) = ax.get_legend().get_texts()
    assert text.get_text() == printable(name.replace("_", " ").strip())
    assert not text.get_parse_math()
    assert not text.get_usetex()


def test_other_tables_are_refused():
    with pytest.raises(InvalidInputError, match="result must have columns step, measure and value"):
        plot.worsening({"step": [1]})
    with pytest.raises(InvalidInputError, match="result must have columns step, measure and value"):
        plot.worsening([1, 2, 3])
    with pytest.raises(
        InvalidInputError, match="step, measure and value must be equally long, and not empty; got 1, 2 and 1"
    ):
        plot.worsening({"step": [1], "measure": ["a", "b"], "value": [1]})
    with pytest.raises(InvalidInputError, match="equally long, and not empty; got 0, 0 and 0"):
        plot.worsening({"step": [], "measure": [], "value": []})
    with pytest.raises(InvalidInputError, match=r"measures must be among 'rand'.*; got 'hai'"):
        plot.worsening(TABLE, measures=["hai"])
    with pytest.raises(InvalidInputError, match=f"operations must be as many as the steps, {len(STEPS)}; got 1"):
        plot.worsening(TABLE, operations=["start"])
    with pytest.raises(InvalidInputError, match="value must be finite; got nan"):
        plot.worsening({"step": [0], "measure": ["a"], "value": [float("nan")]})
