"""The table of measures: value, chance level, adjusted value, p-value, and meaning of each."""

from dendrometry._display import plural
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.line import NO_FORMULA, Line
from dendrometry.comparison.permutation_test import p_text
from dendrometry.report.markup import Html, join_html, tag

_HEAD = (
    ("Measure", "What was measured"),
    ("Value", "The value found"),
    ("By chance", "The mean over all relabellings of the items; of a root, the root mean square"),
    ("Adjusted", "0 as by chance, 1 if identical"),
    ("p", "The share of relabellings that are at least as much alike"),
    ("What it says", "In words"),
)


def measures_table(comparison: Comparison, tests: Chance) -> Html:
    """Return the measures as HTML: a table of those that say something, and below it, folded, the others with why."""
    informative = [line for line in comparison.lines if not line.caveat]
    n_uninformative = len(comparison.lines) - len(informative)
    parts = []
    if informative:
        head = join_html(
            tag("th", name, scope="col", title=meaning, class_="number" if 0 < i < 5 else None)
            for i, (name, meaning) in enumerate(_HEAD)
        )
        body = join_html(_row(line, tests, comparison.display_names) for line in informative)
        caption = tag("caption", "Measures", class_="unseen")
        table = tag(
            "table", caption, tag("thead", tag("tr", head)), tag("tbody", body), class_="measures", id="measures"
        )
        parts.append(tag("div", table, class_="wide", tabindex="0", role="region", aria_label="Table of measures"))
    if n_uninformative:
        parts.append(_folded(n_uninformative, comparison))
    return join_html(parts)


def _folded(count: int, comparison: Comparison) -> Html:
    """Return the measures that are not informative here, with the reasons, as a list to unfold."""
    title = f"Not informative here: {plural(count, 'measure')}"
    rows = (tag("li", f"{reason}.") for reason in comparison.table.uninformative())
    return tag("details", tag("summary", title), tag("ul", *rows), class_="silent")


def _row(line: Line, tests: Chance, called: tuple[str, str]) -> Html:
    """Return the row of one measure."""
    measure = line.measure
    name = tag("th", tag("code", line.name), tag("small", f"{measure.symbol}, {measure.source}"), scope="row")
    way = "" if measure.better == "neither" else f", {measure.better} = more alike"
    value = _cell(1, f"{line.value:.4g}", tag("small", f"{measure.span}{way}"))
    chance = _no_number(2, NO_FORMULA) if line.expected is None else _cell(2, f"{line.expected:.4g}")
    meaning = measure.describe(*called)
    words = tag("td", f"{meaning[0].upper()}{meaning[1:]}.", data_title=_HEAD[5][0])
    return tag("tr", name, value, chance, _adjusted(line), _p(line, tests), words)


def _cell(column: int, *content: str) -> Html:
    """Return the cell of a number, with the title of its column for narrow screens."""
    return tag("td", *content, class_="number", data_title=_HEAD[column][0])


def _adjusted(line: Line) -> Html:
    """Return the adjusted value, with a bar from chance to identity."""
    if line.adjusted is None:
        return _cell(3, "–")
    share = f"--share: {min(max(line.adjusted, 0.0), 1.0):.4f}"
    bar = tag("span", tag("span", style=share), class_="bar", aria_hidden="true")
    return _cell(3, f"{round(line.adjusted, 3) + 0.0:.3f}", bar)


def _p(line: Line, tests: Chance) -> Html:
    """Return the p-value, or the reason why there is none."""
    if line.name in tests.p_value:
        return _cell(4, p_text(tests.p_value[line.name], tests.n))
    reason = tests.reason.get(line.name, "not tested")
    return _no_number(4, reason)


def _no_number(column: int, reason: str) -> Html:
    """Return a cell without a number, with the reason."""
    return _cell(column, tag("abbr", "–", title=reason, aria_label=reason))
