"""Predictions drawn: scores beside chance, precision against recall, and terms with their errors."""

import matplotlib as mpl
import numpy as np
import pytest

from dendrometry import Dag, plot, report
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.palette import ACCENT, INK, PALETTE
from dendrometry.taxonomy import score_predictions

mpl.use("Agg")
EDGES = [("bat", "mammal"), ("bat", "flyer"), ("owl", "bird"), ("owl", "flyer")]
EDGES += [("mammal", "animal"), ("bird", "animal"), ("flyer", "animal")]
DAG = Dag.from_edges(EDGES, names={"owl": "the $owl$"})
TRUTH = {"a": ["bat"], "b": ["owl"], "c": ["mammal"]}
SCORED = {"a": {"bat": 0.9, "owl": 0.3}, "b": {"mammal": 0.7}, "c": {"mammal": 0.5}}
FOUND = score_predictions(TRUTH, SCORED, taxonomy=DAG, thresholds=[0.25, 0.5, 0.75])
LABELS = score_predictions(TRUTH, {"a": ["bat"], "b": ["bat"], "c": ["mammal"]}, taxonomy=DAG)


def test_scores_are_drawn_at_their_values_beside_chance():
    ax = plot.prediction_scores(FOUND)
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names[:3] == ["precision", "recall", "F"]
    assert "weighted F-max" in names
    assert "cost" not in names
    row = names.index("macro recall")
    dots = [line for line in ax.lines if line.get_marker() == "o" and list(line.get_ydata()) == [row]]
    assert [line.get_xdata()[0] for line in dots] == [FOUND["macro_recall"].value]
    marks = [line for line in ax.lines if line.get_marker() == "|" and list(line.get_ydata()) == [row]]
    assert [line.get_xdata()[0] for line in marks] == [FOUND["macro_recall"].expected]


def test_the_curve_goes_through_all_thresholds_and_marks_the_best():
    ax = plot.prediction_curve(FOUND)
    (curve,) = (line for line in ax.lines if str(line.get_label()).startswith("all terms alike"))
    assert np.array_equal(curve.get_xdata(), FOUND.thresholds["macro_recall"])
    assert np.array_equal(curve.get_ydata(), FOUND.thresholds["macro_precision"])
    (best,) = (line for line in ax.lines if line.get_label() == "_all terms alike")
    x, y = best.get_xdata()[0], best.get_ydata()[0]
    assert 2 * x * y / (x + y) == pytest.approx(FOUND["f_max"].value)
    for line in ax.lines:
        if str(line.get_label()).startswith("_F "):
            x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
            assert 2 * x * y / (x + y) == pytest.approx(float(str(line.get_label())[3:]))


def test_terms_are_drawn_with_what_is_right_and_wrong():
    ax = plot.concept_graph(LABELS)
    colour = {text.get_text(): text.get_color() for text in ax.texts}
    assert colour == {
        "bat 1/1, 1 wrong": PALETTE[0],
        "mammal 2/2, 1 wrong": PALETTE[0],
        "the $owl$ 0/1": ACCENT,
        "bird 0/1": ACCENT,
        "flyer 2/2": INK,
    }
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "always right",
        "never right",
        "sometimes right",
    ]


def test_the_report_shows_scores_thresholds_levels_and_terms(tmp_path):
    path = tmp_path / "page.html"
    report(FOUND, path)
    page = path.read_text(encoding="utf-8")
    for heading in ("How good are they?", "At which threshold?", "How deep are they right?", "Which terms are wrong?"):
        assert heading in page
    assert FOUND.verdict in page
    assert page.count("data:image/svg+xml") == 3
    bad = Dag.from_edges([("<script>alert(1)</script>", "animal"), ("cat", "animal")])
    report(score_predictions(["cat"], ["<script>alert(1)</script>"], taxonomy=bad), path, force=True)
    page = path.read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert "At which threshold?" not in page
    report(score_predictions(["cat", "animal"], ["cat", "animal"], taxonomy=bad), path, force=True)
    assert "No term is wrong for any item." in path.read_text(encoding="utf-8")


def test_refuses_what_cannot_be_drawn():
    with pytest.raises(InvalidInputError, match=r"prediction_scores draws what .* returns; got Dag"):
        plot.prediction_scores(DAG)
    with pytest.raises(InvalidInputError, match=r"prediction_curve draws what .* returns; got Dag"):
        plot.prediction_curve(DAG)
    with pytest.raises(InvalidInputError, match="is for predicted labels with scores; these have none"):
        plot.prediction_curve(LABELS)
    with pytest.raises(InvalidInputError, match="drawn of terms below the root"):
        plot.concept_graph(score_predictions(["animal"], ["animal"], taxonomy=DAG))
