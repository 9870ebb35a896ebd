"""The table of measures: value, chance level, adjusted value, p-value, and meaning of each."""

from dendrometry.comparison.chance import Chance
from dendrometry.comparison.line import Line
from dendrometry.comparison.verdict import p_text
from dendrometry.pages.page.markup import Html, join_html, tag

__all__ = ["measures_table"]

_HEAD = (
    ("Measure", "What was measured"),
    ("Value", "The value found"),
    ("By chance", "The mean over all relabellings of the items"),
    ("Adjusted", "0 as by chance, 1 if identical"),
    ("p", "The share of relabellings that are at least as much alike"),
    ("What it says", "In words"),
)


def measures_table(lines: tuple[Line, ...], tests: Chance) -> Html:
    """Return the table as HTML."""
    head = join_html(
        tag("th", name, scope="col", title=says, class_="number" if 0 < i < 5 else None)
        for i, (name, says) in enumerate(_HEAD)
    )
    body = join_html(_row(line, tests) for line in lines)
    caption = tag("caption", "Every measure", class_="unseen")
    table = tag("table", caption, tag("thead", tag("tr", head)), tag("tbody", body), class_="measures")
    return tag("div", table, class_="wide", tabindex="0", role="region", aria_label="Table of measures")


def _row(line: Line, tests: Chance) -> Html:
    """Return the row of one measure."""
    measure = line.measure
    name = tag("th", tag("code", line.name), tag("small", f"{measure.symbol}, {measure.source}"), scope="row")
    if line.score is None:
        return tag("tr", name, tag("td", f"Not measured: {line.reason}.", colspan="5", class_="quiet"))
    way = "" if measure.better == "neither" else f", {measure.better} = more alike"
    value = tag("td", f"{line.value:.4g}", tag("small", f"{measure.span}{way}"), class_="number")
    chance = tag("td", "–" if line.expected is None else f"{line.expected:.4g}", class_="number")
    says = tag("td", f"{measure.says[0].upper()}{measure.says[1:]}.")
    return tag("tr", name, value, chance, _adjusted(line), _p(line, tests), says)


def _adjusted(line: Line) -> Html:
    """Return the adjusted value, with a bar from chance to identity."""
    if line.adjusted is None:
        return tag("td", "–", class_="number")
    share = f"--share: {min(max(line.adjusted, 0.0), 1.0):.4f}"
    bar = tag("span", tag("span", style=share), class_="bar", aria_hidden="true")
    return tag("td", f"{round(line.adjusted, 3) + 0.0:.3f}", bar, class_="number")


def _p(line: Line, tests: Chance) -> Html:
    """Return the p-value, or the reason why there is none."""
    if line.name in tests.p_value:
        return tag("td", p_text(tests.p_value[line.name]), class_="number")
    reason = tests.reason.get(line.name, "not tested")
    return tag("td", tag("abbr", "–", title=reason, aria_label=reason), class_="number")
