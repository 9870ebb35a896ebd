"""The report of `Resolutions`: which level stands out, how items flow between levels, and how it was made."""

import numpy as np

from dendrometry._display import index_text, plural
from dendrometry._version import __version__
from dendrometry.partition.level_choice import ALIKE, LEAST, REFINED
from dendrometry.partition.resolutions import Resolutions
from dendrometry.plot._axes.palette import ItemLabels
from dendrometry.plot.congruence import congruence
from dendrometry.plot.resolution_flow import resolution_flow
from dendrometry.report.drawing import drawing, value_table
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.page import Page, Section

_LISTED = 30  # items that move most


def resolutions_page(found: Resolutions, labels: ItemLabels | None = None) -> Page:
    """Return the report on clusterings at several resolutions as a page, the flow coloured by labels of the items."""
    lead = tag(
        "p",
        tag("b", plural(len(found.items), "item")),
        " in clusters at ",
        tag("b", plural(len(found.names), "level")),
        class_="pair",
    )
    sections = (
        Section("which", "Which level?", _which(found)),
        Section("flow", "How items flow", _flow(found, labels)),
        Section("moved", "Which items move", _moved(found)),
        Section("made", "How it was made", _made()),
    )
    return Page("Which resolution?", lead, sections)


def _which(found: Resolutions) -> Html:
    """Return the level that stands out in words, and what speaks for each level."""
    choice = found.choose()
    rows = [
        [
            label(found.names[j]),
            f"{found.n_clusters[j]:,}",
            _number(choice.refined[j]),
            f"{choice.n_alike[j]:,}",
            _number(choice.standing[j]),
            "yes" if j == choice.level else "",
        ]
        for j in range(len(found.names))
    ]
    heads = ["level", "clusters", "refined by finer levels", "levels alike", "standing", "stands out"]
    caveat = (
        "No rule proves a number of clusters: a level stands out if finer levels divide its clusters without crossing"
    )
    caveat += " them, and cross those of the next level. Levels without values have fewer than two finer ones."
    return join_html(
        (
            tag("p", found.verdict, class_="verdict"),
            tag("p", caveat, class_="note"),
            value_table(heads, rows, "What speaks for each level"),
        )
    )


def _flow(found: Resolutions, labels: ItemLabels | None) -> Html:
    """Return the flow of items, the congruence of levels, and the steps."""
    drawn = "Ribbons have the colours of the labels; items from elsewhere than the parent of their cluster are darker."
    if labels is None:
        drawn = "Red ribbons are items from elsewhere than the parent of their cluster; nested levels have none."
    heads = ["from", "to", "similarity", "clusters split", "clusters merged", "items moved"]
    rows = [
        [label(s.coarse), label(s.fine), f"{s.similarity:.3f}", f"{s.n_split:,}", f"{s.n_merged:,}", f"{s.moved:,}"]
        for s in found.steps
    ]
    parts = [
        drawing(lambda: resolution_flow(found, labels=labels), f"The flow of items between levels. {drawn}"),
        tag("p", drawn, class_="note"),
        value_table(heads, rows, "The steps between levels"),
    ]
    if len(found.names) > 1:
        words = "How well each level predicts each other, by adjusted Wallace coefficients from row to column."
        parts += [drawing(lambda: congruence(found), words), tag("p", words, class_="note")]
    return join_html(parts)


def _moved(found: Resolutions) -> Html:
    """Return how far the levels are from nested, and the items that move most."""
    nesting, moves = found.nesting, found.nesting.item_moves
    order = np.argsort(-moves, kind="stable")[:_LISTED]
    rows = [[label(found.items[i]), f"{moves[i]:,}"] for i in order[moves[order] > 0].tolist()]
    words = tag("p", f"{found.nested_words}")
    if not rows:
        return words
    more = nesting.n_items_moved - len(rows)
    note = tag("p", f"And {plural(more, 'more item')}.", class_="note") if more else ""
    table = value_table(["item", "levels at which it moves"], rows, "Items that move")
    return join_html((words, table, note))


def _made() -> Html:
    """Return how the page was made."""
    rows = [
        ("Refined", f"least adjusted Wallace coefficient from any level with more clusters; {REFINED} or more counts"),
        ("Levels alike", f"levels with an adjusted Rand index of at least {ALIKE}, itself included"),
        (
            "Standing",
            f"how much further finer levels are from refining the next level, times alike; {LEAST:g} or more counts",
        ),
        ("Moves", "the fewest items that leave their clusters for a nested tree, parents chosen by majority"),
        ("Made by", f"dendrometry {__version__}"),
    ]
    return description_list(rows, class_="facts")


def _number(value: float) -> str:
    """Return a value as the text of a cell; "" if there is none."""
    return "" if np.isnan(value) else index_text(value)
