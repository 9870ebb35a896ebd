"""The report of a `Comparison`: how alike two trees are, at which levels, where they differ, and how it was made."""

from dendrometry._display import percent, plural, printable
from dendrometry._progress import spinner
from dendrometry._version import __version__
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.permutation_test import p_text
from dendrometry.comparison.verdict import chief_line
from dendrometry.measures.duration import duration_text
from dendrometry.plot._layout.units import Units, units_of
from dendrometry.report.levels import LevelCuts, cut_levels
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.measures_table import measures_table
from dendrometry.report.page import Page, Section, fragment
from dendrometry.report.trees import DrawnTrees, Support, draw_trees
from dendrometry.significance.recurrence import ALPHA as RECURS

_MOST_UNITS = 250_000
_SCRIPTS = (
    "forest.js",
    *(f"{name}.js" for name in ("levels", "tree_rows", "tanglegram", "tables", "comparison")),
)
_TOO_MANY = (
    f"The trees are drawn for up to {_MOST_UNITS:,} items or nodes. plot.dendrogram(tree, top=50) draws the top of"
    " larger ones, and best_matches and item_disagreement hold what these tables would show."
)


def comparison_page(comparison: Comparison, *, support: Support = (None, None), progress: bool = False) -> Page:
    """Return the report on two trees as a page, with the support of their nodes if it is given."""
    names = comparison.names or ("first tree", "second tree")
    comparison = comparison.test(progress=progress)
    tests = comparison.chance
    with spinner("cutting and untangling both trees", progress):
        units = units_of(comparison, _MOST_UNITS) if _is_drawn(comparison) else None
        levels = cut_levels(comparison)
        trees = draw_trees(comparison, units, levels, support) if units is not None else None
    data = {
        "names": [printable(name) for name in names],
        "called": list(comparison.display_names),
        "items": comparison.n_items,
        "trees": None if trees is None else trees.columns,
        "levels": None if isinstance(levels, str) else levels.columns(),
    }
    lead = tag("p", tag("b", label(names[0])), " compared with ", tag("b", label(names[1])), class_="pair")
    sections = (
        Section("alike", "How alike", _alike(comparison, tests)),
        Section("level", "At which level", _level(levels, _left_out(units, comparison.n_items))),
        Section("where", "Where", _where(comparison, units, trees)),
        Section("made", "How it was made", _made(comparison, names, tests, trees)),
    )
    return Page("How alike are the two trees?", lead, sections, data, _SCRIPTS, plotly=not isinstance(levels, str))


def _is_drawn(comparison: Comparison) -> bool:
    """Whether the trees are drawn: there are few items, or few nodes."""
    overlap = comparison.overlap
    n_nodes = max(overlap.a.parent.size, overlap.b.parent.size)
    return 0 < len(overlap.items) <= _MOST_UNITS or n_nodes <= _MOST_UNITS


def _alike(comparison: Comparison, tests: Chance) -> Html:
    """Return the verdict, the key figures, and the table of measures."""
    notes = [tag("p", note, class_="note") for note in _notes_on_chance(tests)]
    return join_html(
        (
            tag("p", comparison.verdict, class_="verdict"),
            _figures(comparison, tests),
            tag("ul", *(tag("li", f"{sentence}.") for sentence in comparison.tell_containment()), class_="containment"),
            measures_table(comparison, tests),
            *notes,
        )
    )


def _figures(comparison: Comparison, tests: Chance) -> Html:
    """Return the key figures, for display in large type."""
    figures = []
    line, found, held = chief_line(comparison.lines), comparison.clusters_found, comparison.containment
    names = comparison.display_names
    if held is not None:
        for (first, second), total in zip((names, names[::-1]), held.n_clusters, strict=True):
            if total:
                figures.append((f"clusters of {first} also in {second}", f"{held.n_common:,} / {total:,}"))
    elif found is not None and found.n_clusters:
        figures.append((f"clusters of {names[0]} also in {names[1]}", f"{found.n_found:,} / {found.n_clusters:,}"))
    if line is not None and line.adjusted is not None and comparison.n_items > 1:
        figures.append(("of the way from chance to identical, in both directions", percent(line.adjusted)))
    if line is not None and line.name in tests.p_value:
        figures.append((f"p-value of {line.name}", p_text(tests.p_value[line.name], tests.n)))
    figures.append(("items compared" if comparison.n_items > 1 else "item compared", f"{comparison.n_items:,}"))
    return description_list(figures, class_="figures")


def _notes_on_chance(tests: Chance) -> list[str]:
    """Return how the p-values were computed, and why some are missing."""
    notes = []
    if tests.n:
        whose = f"{tests.n_drawn:,} items drawn at random" if tests.n_drawn else "the items"
        notes.append(
            f"p-values from {tests.n} random relabellings of {whose} of one tree; the observed pair counts as"
            f" one permutation, so the minimum is {1 / (1 + tests.n):.2g}. Their number depends on that of the"
            " items, or of pairs of nodes; the same trees always give the same p-values"
            f"{'' if tests.n_drawn else ', those of permutation_test(…, rng=0)'}."
        )
    notes.extend(f"{name}: {reason}." for name, reason in tests.reason.items() if name in tests.p_value or tests.n)
    if not tests.n and tests.reason:
        notes.append("No p-values: there are too many items to measure the trees again for many relabellings.")
    return notes


def _level(levels: LevelCuts | str, notes: list[Html]) -> Html:
    """Return the container of the curves, or the reason why there are none."""
    if isinstance(levels, str):
        return tag("p", levels, class_="reason")
    if levels.by_depth:
        why = (
            "A tree without heights does not say in which order its clusters merged, so there is no series over every"
            " number of clusters. Here it is cut at each depth below its root, and a tree with heights is cut into at"
            " least as many groups."
        )
    else:
        why = (
            "Both trees are cut into the same number of clusters, from two large ones to nearly single items. Merges at"
            " the same height happen together, so a tree may skip a number: then it is cut into the next larger one."
        )
    return join_html((tag("p", why), *notes, fragment("level.html")))


def _left_out(units: Units | None, n_items: int) -> list[Html]:
    """Return which rows the page lacks, if any."""
    if units is None or units.is_complete:
        return []
    share = percent(int(units.weight.sum()) / n_items)
    return [
        tag(
            "p",
            f"Of {units.n_rows:,} pairs of nodes that share items, the page holds the {units.weight.size:,} largest,"
            f" with {share} of the items. Lines, and the items in common of two groups, count these; all other"
            " numbers count all items.",
            class_="note",
        )
    ]


def _where(comparison: Comparison, units: Units | None, trees: DrawnTrees | None) -> Html:
    """Return the containers of the trees and tables, or the reason why there are none."""
    if units is None or trees is None:
        return tag("p", _TOO_MANY, class_="reason")
    kind = "nearly common cluster" if trees.nearly else "common cluster"
    largest = f", the largest of {trees.n_common:,}," if trees.n_common > trees.n_coloured else ""
    colours = f"{plural(trees.n_coloured, kind)}{largest} coloured. " if trees.n_coloured else ""
    summary = (
        f"Children are ordered so that few lines cross: entanglement {trees.entanglement:.2g},"
        f" {trees.entanglement_given:.2g} before untangling (0: all lines level, 1: reversed). {colours}Grey lines join"
        " items that the trees place differently, or clusters too small for a colour."
    )
    notes = _left_out(units, comparison.n_items)
    parts = [tag("h3", "Both trees"), tag("p", summary, class_="says"), *notes]
    parts.append(fragment("trees.html", recurring=_ringed(comparison)))
    parts.append(tag("h3", "Clusters"))
    if comparison.matches is None:
        parts.append(
            tag(
                "p",
                f"Matching the clusters of {comparison.display_names[0]}, which is very deep, would take"
                f" {duration_text(comparison.statistics.steps_to_match)}.",
                class_="reason",
            )
        )
    else:
        parts.append(fragment("clusters.html", **_called(comparison), recurring=Html(_recurring(comparison))))
    parts.append(tag("h3", "Items that moved most"))
    if units.named:
        parts.append(fragment("items.html"))
    else:
        too_many = f"Items are listed up to {_MOST_UNITS:,}; item_disagreement holds what this table would show."
        not_kept = "The items were counted elsewhere and their names not kept, so none can be listed."
        parts.append(tag("p", too_many if comparison.items else not_kept, class_="reason"))
    return join_html(parts)


def _made(comparison: Comparison, names: tuple[str, str], tests: Chance, trees: DrawnTrees | None) -> Html:
    """Return the section on what the results are based on."""
    overlap = comparison.overlap
    rows = [
        ("First tree", join_html((label(names[0]), f": {_tree(overlap.a.parent.size, overlap.a.height is not None)}"))),
        (
            "Second tree",
            join_html((label(names[1]), f": {_tree(overlap.b.parent.size, overlap.b.height is not None)}")),
        ),
        (
            "Items",
            f"{comparison.n_items:,}, {'matched by name' if overlap.items else 'counted elsewhere'}",
        ),
        (
            "Left out",
            _each(comparison.left_out, comparison.display_names, "of") if any(comparison.left_out) else "none",
        ),
        ("Merges tied in height", _each(comparison.ties, comparison.display_names)),
        ("Inversions", _each(comparison.inversions, comparison.display_names)),
        ("Ties", "merges at the same height happen together"),
    ]
    for name, variant in comparison.variants.items():
        rows.extend((f"{what.capitalize()} of {name}", chosen) for what, chosen in variant.items())
    rows.append(("Relabellings", f"{tests.n:,}, seed 0" if tests.n else "none"))
    if comparison.methods:
        rows.append(("For a methods section", comparison.methods))
    if trees is not None and comparison.recurrence is not None:
        rows.append(("On clusters", comparison.recurrence.methods))
    if trees is not None:
        given = f"{trees.entanglement_given:.4g} as given"
        rows.append(("Entanglement", f"{trees.entanglement:.4g} as drawn, {given}"))
    rows.append(("Made by", f"dendrometry {__version__}; curves by plotly.js, whose licence is in the page"))
    return description_list(rows, class_="facts")


def _recurring(comparison: Comparison) -> str:
    """Return how many clusters recur more closely than by chance, and what their p-values mean; "" if untested."""
    found = comparison.recurrence
    if found is None:
        return "There are no p-values of clusters: these trees have too many different sizes of clusters."
    recurring = f"{int(found.recurs().sum()):,} of {plural(len(found), 'cluster')}"
    return (
        f"{recurring} recur more closely than by chance: p bounds the chance that as many random items have as good a"
        f" match, adjusted so that the chance of naming any cluster wrongly is at most {RECURS:g}. A part of a"
        " recurring cluster may recur for that reason alone."
    )


def _ringed(comparison: Comparison) -> Html:
    """Return what the rings in the drawing of both trees mean; nothing if no cluster recurs."""
    found = comparison.recurrence
    if found is None or not found.recurs().any():
        return Html("")
    first, second = map(label, comparison.display_names)
    meaning = (
        f" more closely than by chance (adjusted p at most {RECURS:g}), and its best match there. The number is p;"
    )
    meaning += " where it does not fit, pointing at the cluster or tapping on it shows it."
    return tag("p", "A ring marks a cluster of ", first, " that recurs in ", second, meaning, class_="note")


def _called(comparison: Comparison) -> dict[str, Html]:
    """Return the names of the two trees in sentences, as HTML."""
    first, second = map(label, comparison.display_names)
    return {"first": first, "second": second}


def _tree(n_nodes: int, heights: bool) -> str:
    """Return the size of a tree in words."""
    return f"{plural(n_nodes, 'node')}, {'with' if heights else 'no'} heights"


def _each(counts: tuple[int | None, int | None], called: tuple[str, str], joint: str = "in") -> str:
    """Return the counts for both trees as text."""
    first, second = ("no heights" if count is None else f"{count:,}" for count in counts)
    return f"{first} {joint} {called[0]}, {second} {joint} {called[1]}"
