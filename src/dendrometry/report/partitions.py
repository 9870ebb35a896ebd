"""The report of a `Comparison` of flat clusterings: how alike they are, where they differ, and how it was made."""

from typing import Any

import numpy as np

from dendrometry._display import percent, plural, printable
from dendrometry._version import __version__
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.partition_part import PartitionPart
from dendrometry.comparison.permutation_test import p_text
from dendrometry.comparison.verdict import chief_line
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from dendrometry.partition.decompose import decompose
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.measures_table import measures_table
from dendrometry.report.packed import pack, pack_names
from dendrometry.report.page import Page, Section, fragment

_MOST_CELLS = 1_000_000
_MOST_NAMED = 1_000_000
_SCRIPTS = tuple(f"{name}.js" for name in ("overlaps", "flow", "components", "partitions"))
_TOO_MANY = (
    f"Flow and components are shown for up to {_MOST_CELLS:,} overlaps of clusters. plot.split_merge_flow draws the"
    " largest clusters of more, and decompose holds what the tables would show."
)


def partitions_page(result: Comparison) -> Page:
    """Return the report on two flat clusterings as a page."""
    part = result.partition
    if part is None:
        raise InvalidInputError("this page is of flat clusterings; got a comparison of trees")
    names = result.names or ("first clustering", "second clustering")
    result = result.test()
    tests = result.chance
    drawn = part.table.n_cells <= _MOST_CELLS
    data = {
        "names": [printable(name) for name in names],
        "called": list(result.display_names),
        "items": result.n_items,
        "overlaps": _columns(result, part) if drawn else None,
    }
    lead = tag("p", tag("b", label(names[0])), " compared with ", tag("b", label(names[1])), class_="pair")
    sections = (
        Section("alike", "How alike", _alike(result, part, tests)),
        Section("where", "Where", _where(result) if drawn else tag("p", _TOO_MANY, class_="reason")),
        Section("made", "How it was made", _made(result, part, names, tests)),
    )
    return Page("How alike are the two clusterings?", lead, sections, data, _SCRIPTS, plotly=drawn)


def _alike(result: Comparison, part: PartitionPart, tests: Chance) -> Html:
    """Return the verdict, the key figures, and the table of measures."""
    notes = [
        "By chance: the mean over all relabellings of the items, the sizes of clusters kept, where there is a formula."
    ]
    if tests.n:
        drawn = f" of {tests.n_drawn:,} items drawn at random" if tests.n_drawn else ""
        notes.append(
            f"p-values from {tests.n} random relabellings{drawn}; the observed pair counts as one permutation, so the"
            f" minimum is {1 / (1 + tests.n):.2g}. With the sizes of clusters kept, all measures of pairs rank"
            " relabellings alike, and so do all measures of information. The same clusterings always give the same"
            " p-values."
        )
    else:
        notes.append("No p-values: there are too many items to relabel them often.")
    verdict = tag("p", result.verdict, class_="verdict")
    table = measures_table(result, tests)
    paragraphs = (tag("p", note, class_="note") for note in notes)
    return join_html((verdict, _figures(result, part, tests), table, *paragraphs))


def _figures(result: Comparison, part: PartitionPart, tests: Chance) -> Html:
    """Return the key figures, for display in large type."""
    line, (first, second) = chief_line(result.lines), result.display_names
    figures = []
    if line is not None and line.adjusted is not None and result.n_items > 1:
        figures.append(("of the way from chance to identical", percent(line.adjusted)))
    figures.append((f"clusters of {first} also in {second}", f"{part.n_kept:,} / {part.table.n_a:,}"))
    figures.append(("items would have to move for both to be the same", f"{part.n_differing:,}"))
    if line is not None and line.name in tests.p_value:
        figures.append((f"p-value of {line.name}", p_text(tests.p_value[line.name], tests.n)))
    figures.append(("items compared" if result.n_items > 1 else "item compared", f"{result.n_items:,}"))
    return description_list(figures, class_="figures")


def _where(result: Comparison) -> Html:
    """Return the containers of the flow diagram and of the tables."""
    first, second = map(label, result.display_names)
    parts = [
        tag("h3", "Splits and merges"),
        fragment("flow.html", first=first, second=second),
        tag("h3", "Components"),
        fragment("components.html"),
    ]
    parts.append(tag("h3", "Items that differ"))
    if not result.items:
        none = "The items were counted elsewhere and their names not kept, so none can be listed."
        parts.append(tag("p", none, class_="reason"))
    elif result.n_items > _MOST_NAMED:
        parts.append(tag("p", f"Items are listed where there are at most {_MOST_NAMED:,}.", class_="reason"))
    else:
        parts.append(fragment("differing.html"))
    return join_html(parts)


def _columns(result: Comparison, part: PartitionPart) -> dict[str, Any]:
    """Return the overlaps as columns, and the items in the order of their overlaps."""
    table = part.table
    matched = np.zeros(table.n_cells, dtype=np.uint8)
    matched[part.matched] = 1
    return {
        "row": pack(np.diff(table.row, prepend=0)),
        "column": pack(table.column),
        "count": pack(table.count),
        "matched": pack(matched),
        "labels": [
            pack_names(str(x) or "(empty)" for x in labels.tolist()) for labels in (table.label_a, table.label_b)
        ],
        "component": pack(part.graph.component_a),
        "costs": _costs(table),
        "items": _items(result, part),
    }


def _costs(table: Contingency) -> list[dict[str, Any]]:
    """Return the loss of each component: how much it lowers each measure below its perfect score.

    Measures that also have costs of clusters come first.
    """
    records = [record for record in map(MEASURES.__getitem__, PARTITION_MEASURES) if _has_loss(record)]
    parts = [decompose(table, measure=record.name) for record in records]
    return [
        {
            "name": found.measure,
            "title": MEASURES[found.measure].title,
            "value": float(f"{found.value:.6g}"),
            "cost": pack(np.abs(found.loss).astype(np.float32)),  # the loss of identical clusters can be -0.0
        }
        for found in sorted(parts, key=lambda found: found.clusters is None)
    ]


def _has_loss(record: Measure) -> bool:
    """Whether each component has a loss in a measure that is shown by default, without options of the measure."""
    return record.default and record.decompose is not None and record.kind != "information" and not record.needs_bound


def _items(result: Comparison, part: PartitionPart) -> dict[str, Any] | None:
    """Return the names of the items, in the order of their overlaps."""
    if not result.items or result.n_items > _MOST_NAMED:
        return None
    order = np.argsort(part.table.item_cell, kind="stable")
    return pack_names(result.items[i] for i in order.tolist())


def _made(result: Comparison, part: PartitionPart, names: tuple[str, str], tests: Chance) -> Html:
    """Return the section on what the results are based on."""
    table = part.table
    left_out = result.left_out
    first, second = result.display_names
    out = f"{left_out[0]:,} of {first}, {left_out[1]:,} of {second}" if any(left_out) else "none"
    rows = [
        ("First clustering", join_html((label(names[0]), f": {plural(table.n_a, 'cluster')}"))),
        ("Second clustering", join_html((label(names[1]), f": {plural(table.n_b, 'cluster')}"))),
        ("Items", f"{result.n_items:,}{'' if result.items else ', counted elsewhere'}"),
        ("Left out", out),
        ("Overlaps", f"{table.n_cells:,}: the clusters of the meet"),
        ("Components", f"{part.graph.n_components:,}: the clusters of the join"),
        ("Split-merge similarity", "entropy scores, combined by their product"),
        ("Relabellings", f"{tests.n:,}, seed 0" if tests.n else "none"),
        *([("For a methods section", result.methods)] if result.methods else []),
        ("Made by", f"dendrometry {__version__}; the flow by plotly.js, whose licence is in the page"),
    ]
    return description_list(rows, class_="facts")
