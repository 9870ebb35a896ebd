"""Drawings by matplotlib and tables of values inside a page, which scroll where they are wider than it."""

import base64
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dendrometry._extras import require
from dendrometry.hierarchy import Hierarchy
from dendrometry.report.markup import Html, join_html, label, tag

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LISTED = 8  # items that are named in a row
_LONG = ("members", "what it says", "term", "concept")  # columns of long texts


def value_table(heads: list[str], rows: list[list[str]], caption: str) -> Html:
    """Return a table that scrolls where it is wider than the page."""
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    kinds = ["members" if name in _LONG else None for name in heads]  # which may have several lines
    lines = ([tag("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True)] for row in rows)
    body = tag("tbody", *(tag("tr", *line) for line in lines))
    return _wide(tag("table", head, body, class_="values"), caption)


def members_of(tree: Hierarchy, v: int) -> Html:
    """Return the names of the first items of a node, and how many more there are."""
    low, high = int(tree.order.item_low[v]), int(tree.order.item_high[v])
    return some_of([tree.items[i] for i in tree.order.item[low : min(high, low + _LISTED)].tolist()], high - low)


def some_of(names: Sequence[str], count: int) -> Html:
    """Return the first of some names, and how many of ``count`` are left."""
    shown = [part for name in names[:_LISTED] for part in (", ", label(name))][1:]
    return join_html([*shown, f" and {count - _LISTED:,} more" if count > _LISTED else ""])


def drawing(draw: "Callable[[], Axes]", alt: str) -> Html:
    """Return a drawing as an image inside the page."""
    pyplot = require("matplotlib.pyplot", extra="plot", for_="the drawings of a report")
    stream = io.BytesIO()
    # The same bytes for the same result; text stays text, for which a browser has the letters of any script.
    with pyplot.rc_context({"svg.hashsalt": "dendrometry", "svg.fonttype": "none"}):
        figure: Any = draw().figure
        figure.savefig(stream, format="svg", metadata={"Date": None}, bbox_inches="tight")
        pyplot.close(figure)
    data = base64.b64encode(stream.getvalue()).decode()
    return _wide(tag("img", src=f"data:image/svg+xml;base64,{data}", alt=alt, class_="drawn"), "Drawing")


def _wide(content: Html, caption: str) -> Html:
    """Return a region that scrolls sideways, also by keyboard."""
    return tag("div", content, class_="wide", tabindex="0", role="region", aria_label=caption)
