"""The report of `Splits`: which splits of a tree are of two groups, which parts are left, and how it was tested."""

from functools import partial

import numpy as np

from dendrometry._display import p_text, plural
from dendrometry._version import __version__
from dendrometry.plot.dendrogram import dendrogram
from dendrometry.report.drawing import drawing, members_of, some_of, value_table
from dendrometry.report.markup import Html, description_list, join_html, tag
from dendrometry.report.page import Page, Section
from dendrometry.significance.monte_carlo import ENOUGH
from dendrometry.significance.split_groups import SplitGroups, split_groups
from dendrometry.significance.splits import Splits

_TOP = 40  # branches of the tree that are drawn
_ROWS = 50


def splits_page(found: Splits) -> Page:
    """Return the report on the splits of a tree as a page."""
    lead = tag(
        "p",
        tag("b", plural(found.tree.n_items, "item")),
        ", ",
        tag("b", plural(int(found.tested.sum()), "split")),
        " tested from the root down",
        class_="pair",
    )
    groups = split_groups(found)
    sections = (
        Section("splits", "Which splits are real?", _splits(found, groups)),
        Section("groups", "Which parts", _groups(groups)),
        Section("made", "How it was tested", _made(found)),
    )
    return Page("Which splits of the tree are real?", lead, sections)


def _splits(found: Splits, groups: SplitGroups) -> Html:
    """Return what was found in words, the tree with its p-values, and a table of the tested splits."""
    drawn = (
        f"A full dot is a split {found.claim} (adjusted p at most {found.alpha:g}), a hollow one a split that may be"
        " within one group. The numbers are adjusted p-values, where they fit; below a hollow dot nothing was"
        " tested."
    )
    draw = partial(dendrogram, found.tree, p_values=found.adjusted, alpha=found.alpha, labels=groups.names, top=_TOP)
    verdict, _, meaning = found.verdict.partition(". ")
    return join_html(
        (
            tag("p", f"{verdict}.", class_="verdict"),
            tag("p", meaning, class_="note"),
            drawing(draw, f"The top of the tree. {drawn}"),
            tag("p", drawn, class_="note"),
            *([_table(found)] if found.tested.any() else []),
        )
    )


def _table(found: Splits) -> Html:
    """Return the tested splits as a table, the largest first."""
    tree = found.tree
    tested = np.flatnonzero(found.tested)
    listed = tested[np.argsort(-tree.sizes[tested], kind="stable")][:_ROWS]
    rows = [
        [
            f"{tree.sizes[v]:,}",
            " + ".join(f"{size:,}" for size in side_sizes(found, v)),
            p_text(found.p_value[v]),
            p_text(found.adjusted[v]),
            "yes" if found.rejected[v] else "",
            *([found.decided_by[v]] if len(found.references) > 1 else []),
            members_of(tree, v),
        ]
        for v in listed.tolist()
    ]
    heads = ["items", "sides", "p", "adjusted p", "two groups" if found.is_held else "rejected"]
    heads += ["decided by", "members"] if len(found.references) > 1 else ["members"]
    more = tested.size - listed.size
    note = [tag("p", f"The largest are listed; {more:,} more were tested.", class_="note")] if more else []
    return join_html([value_table(heads, rows, "The tested splits"), *note])


def side_sizes(found: Splits, v: int) -> list[int]:
    """Return the numbers of items of the two sides of a split."""
    first, last = found.tree.children.start[v : v + 2]
    sizes: list[int] = found.tree.sizes[found.tree.children.node[first:last]].tolist()
    return sizes


def _groups(groups: SplitGroups) -> Html:
    """Return the parts as a table, in the order of their items."""
    called = dict(zip(groups.cut.labels.tolist(), groups.names, strict=True))
    rows = [[called[i], f"{len(items):,}", some_of(items, len(items))] for i, items in enumerate(groups.cut.clusters)]
    more = f" The first {_ROWS:,} are listed." if len(rows) > _ROWS else ""
    return join_html(
        (
            tag("p", f"{groups.sentence}{more}", class_="verdict"),
            value_table(["", "items", "members"], rows[:_ROWS], "The parts"),
        )
    )


def _made(found: Splits) -> Html:
    """Return the section on what the results are based on."""
    rows = [
        ("Question", "for each split, whether its two sides are one group"),
        ("Reference", f"{found.reference}: {found.null}"),
        (
            "Reference sets",
            f"{found.n_at_least:,} for each split, more for small groups, fewer once {ENOUGH} were as far apart;"
            f" clustered by {found.linkage} linkage on {found.metric}",
        ),
        ("Error", found.error),
        ("Parts", f"what lies below the splits {found.claim}, from the root down"),
        ("For a methods section", found.methods),
        ("Made by", f"dendrometry {__version__}"),
    ]
    return description_list(rows, class_="facts")
