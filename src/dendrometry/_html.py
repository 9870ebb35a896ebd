"""HTML display of results in a notebook, which follows the light or dark theme of its page.

All text is escaped. Colours are fainter versions of those of the page, so that both themes are readable.
"""

import heapq
import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from math import isfinite
from typing import Any, Literal, NamedTuple

from dendrometry._display import plural, printable

_MOST_NODES = 200  # maximum number of nodes in a folding list
MOST_ROWS = 20  # maximum number of rows in a preview
_OPEN_LINES = 30  # number of lines visible before the user unfolds any

_FAINT = "opacity:.65"
_CELL = "text-align:left;padding:.25em .7em;vertical-align:top;white-space:nowrap"
_NUMBER = "text-align:right;padding:.25em .7em;vertical-align:top;white-space:nowrap;font-variant-numeric:tabular-nums"
_STYLES = {"text": _CELL, "head": _CELL, "number": _NUMBER, "words": f"{_CELL};white-space:normal"}
_LONGEST = {"text": 60, "head": 24, "number": 60, "words": 500}
_BRANCH = "margin-left:.45em;padding-left:.8em;border-left:1px solid rgba(128,128,128,.45)"


class Column(NamedTuple):
    """A column of a table: its name, and whether it contains short text, row headings, numbers or sentences."""

    name: str
    kind: Literal["text", "head", "number", "words"] = "text"


class Bar(NamedTuple):
    """A value drawn as a bar in its range, with a mark at the chance level; an unbounded range is not drawn."""

    value: float
    lower: float
    upper: float
    chance: float | None = None


class Entry(NamedTuple):
    """One line of a folding list: a name in bold, a note in faint type, and plain text."""

    name: str
    aside: str
    text: str


def table(columns: Sequence[Column], rows: Iterable[Sequence[str | Bar]]) -> str:
    """Return rows below a header; a row with fewer cells is faint, and its last cell spans the remaining columns."""
    head = "".join(f'<th scope="col" style="{_STYLES[c.kind]}">{_text(c.name, _LONGEST["head"])}</th>' for c in columns)
    return (
        '<table style="border-collapse:collapse"><thead><tr style="border-bottom:1px solid rgba(128,128,128,.6)">'
        f"{head}</tr></thead><tbody>{''.join(_row(columns, row) for row in rows)}</tbody></table>"
    )


def preview(title: str, columns: Mapping[str, Sequence[Any]], total: int | None = None) -> str:
    """Return a title, the first rows of columns, formatted by their types, and the number of further rows.

    ``total`` is the number of rows, if the columns hold only the first `MOST_ROWS` of them.
    """
    total = len(next(iter(columns.values()))) if total is None else total
    shown = {name: list(column[:MOST_ROWS]) for name, column in columns.items()}
    kinds = {name: _kind(column) for name, column in shown.items()}
    heads = [Column(name, kinds[name]) for name in shown]
    rows = zip(*([_number(cell) for cell in column] for column in shown.values()), strict=True)
    more = f"{total - MOST_ROWS:,} more" if total > MOST_ROWS else ""
    return note(title, faint=False) + table(heads, rows) + (note(more) if more else "")


def _kind(column: Sequence[Any]) -> Literal["words", "number"]:
    """Return the kind of a column: of text, or of numbers."""
    return "words" if any(isinstance(cell, str) for cell in column) else "number"


def _number(cell: Any) -> str:
    """Return a cell as text: whole numbers with separators, other numbers with four digits, None as nothing."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def fact_list(facts: Iterable[str]) -> str:
    """Return sentences as a faint list."""
    return f'<ul style="{_FAINT};margin:.5em 0">{"".join(f"<li>{_text(fact, 500)}</li>" for fact in facts)}</ul>'


def field_table(record: Any) -> str:
    """Return the fields of a dataclass as rows below its name; a field that is None is left out."""
    found = {each.name: getattr(record, each.name) for each in fields(record)}
    stated = {name: value for name, value in found.items() if value is not None}
    values = [str(value) if isinstance(value, bool) else _number(value) for value in stated.values()]
    return preview(type(record).__name__, {"field": [name.replace("_", " ") for name in stated], "value": values})


def note(text: str, *, faint: bool = True) -> str:
    """Return a line of text."""
    style = _FAINT if faint else "margin:.5em 0"
    return f'<div style="{style}">{_text(text, 500)}</div>'


def folding_list(
    title: str,
    root: int,
    *,
    children: Callable[[int], Sequence[int]],
    size: Callable[[int], int],
    entry: Callable[[int], Entry],
) -> str:
    """Return a tree as a folding list: the largest nodes are unfolded, and the remainder of a large tree is counted.

    ``children``, ``size`` and ``entry`` return the children of a node, its number of items, and the content of its
    line; they are called only for the nodes that are shown and for their children.
    """
    chosen = _largest(root, children, size)
    unfolded = _unfolded(chosen, children)
    parts = [f"<div><b>{_text(title, 200)}</b></div>"]
    pending: list[int | str] = [root]
    while pending:
        v = pending.pop()
        if isinstance(v, str):
            parts.append(v)
            continue
        below = children(v)
        if not below:
            parts.append(f"<div>{_line(entry(v))}</div>")
            continue
        opened = " open" if v in unfolded else ""
        parts.append(f'<details{opened}><summary style="cursor:pointer">{_line(entry(v))}</summary>')
        parts.append(f'<div style="{_BRANCH}">')
        pending.append("</div></details>")
        left_out = [c for c in below if c not in chosen]
        if left_out:
            counted = plural(sum(map(size, left_out)), "item")
            pending.append(note(f"… {counted} in {len(left_out):,} more"))
        pending += [c for c in reversed(below) if c in chosen]
    return f'<div style="line-height:1.5">{"".join(parts)}</div>'


def _largest(root: int, children: Callable[[int], Sequence[int]], size: Callable[[int], int]) -> dict[int, None]:
    """Return nodes from the root down, largest first, so that a parent comes before its children."""
    chosen: dict[int, None] = {}
    heap = [(-size(root), root)]
    while heap and len(chosen) < _MOST_NODES:
        _, v = heapq.heappop(heap)
        chosen[v] = None
        for c in heapq.nlargest(_OPEN_LINES, children(v), key=size):
            heapq.heappush(heap, (-size(c), c))
    return chosen


def _unfolded(chosen: dict[int, None], children: Callable[[int], Sequence[int]]) -> set[int]:
    """Return the nodes that are initially unfolded: the largest, up to the limit on the number of lines."""
    unfolded: set[int] = set()
    n_lines = 1
    for v in chosen:
        n_below = len(children(v))
        if n_below:
            n_lines += min(n_below, _OPEN_LINES)
            if n_lines > _OPEN_LINES and unfolded:
                break
            unfolded.add(v)
    return unfolded


def _line(entry: Entry) -> str:
    """Return one line of a folding list."""
    parts = (
        f"<b>{_text(entry.name)}</b>" if entry.name else "",
        f'<span style="{_FAINT}">{_text(entry.aside)}</span>' if entry.aside else "",
        _text(entry.text, 1000),
    )
    return " ".join(part for part in parts if part)


def _row(columns: Sequence[Column], cells: Sequence[str | Bar]) -> str:
    """Return one row of a table."""
    if len(cells) < len(columns):
        *first, last = (_text(str(cell), 500) for cell in cells)
        short = "".join(f'<td style="{_CELL}">{cell}</td>' for cell in first)
        rest = f'<td colspan="{len(columns) - len(first)}" style="{_STYLES["words"]}">{last}</td>'
        return f'<tr style="{_FAINT}">{short}{rest}</tr>'
    return f"<tr>{''.join(_cell(column.kind, cell) for column, cell in zip(columns, cells, strict=True))}</tr>"


def _cell(kind: str, cell: str | Bar) -> str:
    """Return one cell of a table."""
    inside = _bar(cell) if isinstance(cell, Bar) else _text(cell, _LONGEST[kind])
    style = _STYLES[kind]
    return f'<th scope="row" style="{style}">{inside}</th>' if kind == "head" else f'<td style="{style}">{inside}</td>'


def _bar(bar: Bar) -> str:
    """Return a bar as a drawing with its numbers as text."""
    lower, upper = bar.lower, bar.upper
    if not isfinite(upper - lower):
        return ""

    def place(x: float) -> str:
        return f"{100 * (x - lower) / (upper - lower):.1f}"

    mark, title = "", f"{bar.value:.4g} of {lower:g} to {upper:g}"
    if bar.chance is not None:
        title += f", {bar.chance:.4g} by chance"
        mark = f'<rect x="{place(bar.chance)}" y="0" width="1.5" height="12" fill="currentColor"/>'
    return (
        f'<svg role="img" aria-label="{title}" width="104" height="12" viewBox="0 0 104 12"><title>{title}</title>'
        '<rect x="0" y="2" width="100" height="8" fill="currentColor" opacity=".15"/>'
        f'<rect x="0" y="2" width="{place(bar.value)}" height="8" fill="#0072B2"/>{mark}</svg>'
    )


def _text(value: str, longest: int = 60) -> str:
    """Return a name as escaped text."""
    return html.escape(printable(value, longest))
