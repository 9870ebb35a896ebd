"""How trees, comparisons and matrices show themselves in a notebook: small HTML that follows its light or dark theme.

Every name is escaped; colours are those of the page, made fainter, so that both themes are readable.
"""

import heapq
import html
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from dendrometry._display import plural, printable

if TYPE_CHECKING:
    from dendrometry.comparison.comparison import Comparison, Line
    from dendrometry.comparison.pairwise_matrix import Matrix
    from dendrometry.comparison.partition_comparison import PartitionComparison, PartitionLine
    from dendrometry.hierarchy import Hierarchy

__all__ = ["comparison_html", "hierarchy_html", "matrix_html"]

_MOST_NODES = 200  # that a notebook holds of a tree
_OPEN_LINES = 30  # that are seen before anything is unfolded by hand
_MOST_ITEMS = 8  # of a node that are named
_MOST_TREES = 20  # of a matrix that are shown

_FAINT = "opacity:.65"
_CELL = "text-align:left;padding:.25em .7em;vertical-align:top;white-space:nowrap"
_NUMBER = "text-align:right;padding:.25em .7em;vertical-align:top;white-space:nowrap;font-variant-numeric:tabular-nums"
_BRANCH = "margin-left:.45em;padding-left:.8em;border-left:1px solid rgba(128,128,128,.45)"


def hierarchy_html(tree: "Hierarchy") -> str:
    """Return a tree as folding lines: the largest clusters first unfolded, the rest of a large tree counted.

    O(n) for the columns of the tree, then as much as is shown.
    """
    chosen = _largest(tree, _MOST_NODES)
    unfolded = _unfolded(tree, chosen)
    parts = [f"<div><b>{_text(repr(tree), 200)}</b></div>"]
    pending: list[int | str] = [tree.n_nodes - 1]
    while pending:
        v = pending.pop()
        if isinstance(v, str):
            parts.append(v)
            continue
        children = _children(tree, v)
        if not children:
            parts.append(f"<div>{_node(tree, v)}</div>")
            continue
        opened = " open" if v in unfolded else ""
        parts.append(f'<details{opened}><summary style="cursor:pointer">{_node(tree, v)}</summary>')
        parts.append(f'<div style="{_BRANCH}">')
        pending.append("</div></details>")
        left_out = [c for c in children if c not in chosen]
        if left_out:
            below = plural(int(tree.sizes[left_out].sum()), "item")
            pending.append(f'<div style="{_FAINT}">… {below} in {len(left_out):,} more</div>')
        pending += [c for c in reversed(children) if c in chosen]
    return f'<div style="line-height:1.5">{"".join(parts)}</div>'


def comparison_html(result: "Comparison | PartitionComparison") -> str:
    """Return a comparison as a table with a bar for each measure, what each says, and what they stand on."""
    head = ("measure", "value", "by chance", "adjusted", "", "what it says")
    rows = [_measured(line) for line in result.lines if line.score is not None]
    missing = [
        f'<tr style="{_FAINT}"><td style="{_CELL}">{_text(line.name)}</td>'
        f'<td colspan="5" style="{_CELL};white-space:normal">{_text(line.sentence, 500)}</td></tr>'
        for line in result.lines
        if line.score is None
    ]
    styles = (_CELL, _NUMBER, _NUMBER, _NUMBER, _CELL, _CELL)
    facts = "".join(f"<li>{_text(fact, 500)}</li>" for fact in result.facts())
    return f'{_table(head, styles, [*rows, *missing])}<ul style="{_FAINT};margin:.5em 0">{facts}</ul>'


def matrix_html(matrix: "Matrix") -> str:
    """Return a matrix as a table with the names of the trees on both sides; of many trees, the first."""
    names = [_text(name, 24) for name in matrix.names[:_MOST_TREES]]
    rows = []
    for name, row in zip(names, matrix.values[:_MOST_TREES, :_MOST_TREES].tolist(), strict=True):
        cells = "".join(f'<td style="{_NUMBER}">{value:.4g}</td>' for value in row)
        rows.append(f'<tr><th scope="row" style="{_CELL}">{name}</th>{cells}</tr>')
    more = len(matrix.names) - len(names)
    note = f"; {plural(more, 'more tree')} not shown" if more else ""
    table = _table([_text(matrix.measure), *names], [_CELL, *([_NUMBER] * len(names))], rows, escape=False)
    return f'{table}<div style="{_FAINT}">{plural(len(matrix.names), "tree")}{note}</div>'


def _largest(tree: "Hierarchy", most: int) -> dict[int, None]:
    """Return nodes from the root down, the largest first, so that a parent comes before its children."""
    sizes = tree.sizes
    chosen: dict[int, None] = {}
    heap = [(-int(sizes[-1]), tree.n_nodes - 1)]
    while heap and len(chosen) < most:
        _, v = heapq.heappop(heap)
        chosen[v] = None
        start, stop = tree.children.start[v : v + 2].tolist()
        nearest = tree.children.node[start:stop]
        if nearest.size > _OPEN_LINES:
            nearest = nearest[(-sizes[nearest]).argsort(kind="stable")[:_OPEN_LINES]]
        for c in nearest.tolist():
            heapq.heappush(heap, (-int(sizes[c]), c))
    return chosen


def _unfolded(tree: "Hierarchy", chosen: dict[int, None]) -> set[int]:
    """Return which nodes show their children at first: the largest, as long as there is room for all their lines."""
    unfolded: set[int] = set()
    n_lines = 1
    for v in chosen:
        if tree.n_children[v]:
            n_lines += min(int(tree.n_children[v]), _OPEN_LINES)
            if n_lines > _OPEN_LINES and unfolded:
                break
            unfolded.add(v)
    return unfolded


def _children(tree: "Hierarchy", v: int) -> list[int]:
    """Return the children of a node."""
    start, stop = tree.children.start[v : v + 2].tolist()
    return list(tree.children.node[start:stop].tolist())


def _node(tree: "Hierarchy", v: int) -> str:
    """Return what one node is called, how many items it holds, its height, and the items of its own."""
    name = tree.node_names[v] if tree.node_names else ""
    low, own = int(tree.order.item_low[v]), int(tree.own_sizes[v])
    held = [tree.items[i] for i in tree.order.item[low : low + min(own, _MOST_ITEMS)].tolist()]
    items = ", ".join(map(_text, held)) + (f" … {own - len(held):,} more" if own > len(held) else "")
    parts = [f"<b>{_text(name)}</b>" if name and [name] != held else ""]
    if tree.n_children[v]:
        height = "" if tree.height is None else f", height {tree.height[v]:.4g}"
        parts.append(f'<span style="{_FAINT}">{plural(int(tree.sizes[v]), "item")}{height}</span>')
    return " ".join(part for part in (*parts, items) if part)


def _measured(line: "Line | PartitionLine") -> str:
    """Return one measure as a row of a table."""
    name, value, chance, adjusted, *_ = line.cells()
    numbers = "".join(f'<td style="{_NUMBER}">{_text(cell)}</td>' for cell in (value, chance, adjusted))
    return (
        f'<tr><td style="{_CELL}">{_text(name)}</td>{numbers}<td style="{_CELL}">{_bar(line)}</td>'
        f'<td style="{_CELL};white-space:normal">{_text(line.sentence, 500)}</td></tr>'
    )


def _bar(line: "Line | PartitionLine") -> str:
    """Return where a value lies in its range as a bar, with a mark at the value by chance; nothing if it has no end."""
    lower, upper = line.measure.lower, line.measure.upper
    if line.value is None or not isfinite(upper - lower):
        return ""

    def place(x: float) -> str:
        return f"{100 * (x - lower) / (upper - lower):.1f}"

    mark, said = "", f"{line.value:.4g} of {lower:g} to {upper:g}"
    if line.expected is not None:
        said += f", {line.expected:.4g} by chance"
        mark = f'<rect x="{place(line.expected)}" y="0" width="1.5" height="12" fill="currentColor"/>'
    return (
        f'<svg role="img" aria-label="{said}" width="104" height="12" viewBox="0 0 104 12"><title>{said}</title>'
        '<rect x="0" y="2" width="100" height="8" fill="currentColor" opacity=".15"/>'
        f'<rect x="0" y="2" width="{place(line.value)}" height="8" fill="#0072B2"/>{mark}</svg>'
    )


def _table(head: Sequence[str], styles: Sequence[str], rows: Iterable[str], *, escape: bool = True) -> str:
    """Return rows under a head."""
    cells = "".join(
        f'<th scope="col" style="{style}">{html.escape(cell) if escape else cell}</th>'
        for cell, style in zip(head, styles, strict=True)
    )
    return (
        f'<table style="border-collapse:collapse"><thead><tr style="border-bottom:1px solid rgba(128,128,128,.6)">'
        f"{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _text(value: str, longest: int = 60) -> str:
    """Return a name as harmless text."""
    return html.escape(printable(value, longest))
