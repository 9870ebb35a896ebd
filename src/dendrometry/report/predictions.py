"""The report of `PredictionScores`: each score beside chance, thresholds, levels, terms with the most errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._display import plural
from dendrometry._version import __version__
from dendrometry.plot.concept_graph import concept_graph
from dendrometry.plot.prediction_curve import prediction_curve
from dendrometry.plot.prediction_scores import prediction_scores
from dendrometry.report.drawing import drawing, value_table
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.page import Page, Section
from dendrometry.taxonomy.scores import PredictionScores

_MOST_DRAWN = 80  # terms
_MOST_TERMS = 200


def predictions_page(found: PredictionScores) -> Page:
    """Return the report on predictions as a page."""
    lead = tag(
        "p", tag("b", plural(found.n_items, "item")), ", ", tag("b", plural(found.dag.n_terms, "term")), class_="pair"
    )
    sections = [Section("good", "How good are they?", _scores(found))]
    if found.thresholds:
        sections.append(Section("thresholds", "At which threshold?", _thresholds(found)))
    sections += [
        Section("depth", "How deep are they right?", _levels(found)),
        Section("terms", "Which terms are wrong?", _terms(found)),
        Section("made", "How it was made", _made(found)),
    ]
    return Page("Predictions on a taxonomy", lead, tuple(sections))


def _scores(found: PredictionScores) -> Html:
    """Return the verdict and the scores."""
    rows = []
    for name, meaning in found.explain().items():
        score = found[name]
        interval = "–" if score.lower is None else f"{_number(score.lower)} to {_number(score.upper)}"
        numbers = [_number(x) for x in (score.value, score.expected, score.adjusted)]
        rows.append([tag("code", name), numbers[0], interval, numbers[1], numbers[2], score.chance or "–", meaning])
    heads = ["score", "value", "95 % interval", "by chance", "adjusted", "chance is", "what it says"]
    alt = "The scores from 0 to 1 with their intervals, beside chance."
    return join_html(
        (
            tag("p", found.verdict, class_="verdict"),
            drawing(lambda: prediction_scores(found), alt),
            value_table(heads, rows, "Scores beside chance"),
        )
    )


def _thresholds(found: PredictionScores) -> Html:
    """Return the curve over the thresholds, and the threshold that was chosen."""
    text = f"All scores but the best over thresholds are those at {found.threshold:g}, where F-max is reached."
    alt = "Precision against recall over the thresholds."
    parts = [tag("p", text, class_="note")]
    if found["f_max"].value is not None:
        parts.append(drawing(lambda: prediction_curve(found), alt))
    return join_html(parts)


def _levels(found: PredictionScores) -> Html:
    """Return the counts at each level."""
    columns = found.levels.columns()
    names = ("depth", "n_true", "n_predicted", "n_shared", "precision", "recall", "f", "expected_f")
    rows = [[_number(x) for x in row] for row in zip(*(columns[name] for name in names), strict=True)]
    heads = ["depth", "true", "predicted", "both", "precision", "recall", "F", "F by chance"]
    note = "Pairs of an item and a term at each depth."
    return join_html((tag("p", note, class_="note"), value_table(heads, rows, "Counts at each depth")))


def _terms(found: PredictionScores) -> Html:
    """Return the terms with the most errors as a table, and the drawing of few terms."""
    columns: dict[str, list[Any]] = found.terms
    true, predicted, shared = (np.array(columns[f"n_{which}"]) for which in ("true", "predicted", "shared"))
    wrong = true + predicted - 2 * shared
    parts = []
    if 0 < true.size <= _MOST_DRAWN:
        alt = "True and predicted terms, the top at the left, with the number of items right and true."
        parts.append(drawing(lambda: concept_graph(found, most=_MOST_DRAWN), alt))
    order = np.argsort(-wrong, kind="stable")
    order = order[wrong[order] > 0]
    if not order.size:
        return join_html([*parts, tag("p", "No term is wrong for any item.", class_="verdict")])
    more = f"; the {_MOST_TERMS:,} with the most are listed" if order.size > _MOST_TERMS else ""
    parts.append(tag("p", f"{plural(order.size, 'term')} with errors{more}.", class_="note"))
    rows = []
    for i in order[:_MOST_TERMS].tolist():
        name = columns["name"][i] or columns["term"][i]
        called = join_html((label(name), *((" ", label(columns["term"][i])) if columns["name"][i] else ())))
        counts = [f"{x:,}" for x in (true[i], predicted[i], shared[i], true[i] - shared[i], predicted[i] - shared[i])]
        rows.append([called, *counts, f"{columns['expected_shared'][i]:,.4g}"])
    heads = ["term", "true", "predicted", "both", "missed", "wrong", "both by chance"]
    parts.append(value_table(heads, rows, "Terms with errors"))
    return join_html(parts)


def _made(found: PredictionScores) -> Html:
    """Return the section on what the results are based on."""
    left = [f"{count:,} {what}" for what, count in found.remainder.items() if count]
    return description_list(
        [
            ("Taxonomy", f"{plural(found.dag.n_terms, 'term')}, {plural(found.dag.n_edges, 'edge')}"),
            ("Counted apart", "; ".join(left) or "nothing"),
            ("Chance", "predictions assigned to the items at random; exact where the table says so"),
            ("Made by", f"dendrometry {__version__}"),
        ],
        class_="facts",
    )


def _number(value: float | None) -> str:
    """Return a number as the text of a cell."""
    return "–" if value is None else f"{value:,.4g}"
