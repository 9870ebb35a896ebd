"""The report of a `TaxonomyComparison`: scores beside chance, what changed, both profiles, and how it was made."""

from __future__ import annotations

import numpy as np

from dendrometry._display import plural
from dendrometry._version import __version__
from dendrometry.dag import Dag
from dendrometry.plot.concept_graph import concept_graph
from dendrometry.report.drawing import drawing, value_table
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.page import Page, Section
from dendrometry.taxonomy.comparison import TaxonomyComparison

_MOST_DRAWN = 80  # concepts
_MOST_CHANGES = 2_000
_WORDS = {
    "edge_precision": "share of the second taxonomy's edges that are in the first",
    "edge_recall": "share of the first taxonomy's edges that are in the second",
    "edge_f": "harmonic mean of the two",
    "ancestor_precision": "share of the second's pairs of a concept and one above it that are in the first",
    "ancestor_recall": "share of the first's pairs of a concept and one above it that are in the second",
    "ancestor_f": "harmonic mean of the two",
    "wu_palmer": "similarity of what lies right above each concept in both (Wu and Palmer)",
    "lin": "the same by information content (Lin)",
    "caset": "distance of the sets of common ancestors of two concepts; lower is more alike",
    "disc": "distance of the sets of distinct ancestors of two concepts; lower is more alike",
    "triples": "share of triples of concepts with the same shape",
}


def taxonomies_page(found: TaxonomyComparison) -> Page:
    """Return the report on two taxonomies as a page."""
    lead = tag("p", tag("b", label(found.names[0])), " and ", tag("b", label(found.names[1])), class_="pair")
    sections = (
        Section("alike", "How alike are they?", _scores(found)),
        Section("changed", "What changed", _changes(found)),
        Section("depth", "How deep and wide are they?", _profile(found)),
        Section("made", "How it was made", _made(found)),
    )
    return Page("Two taxonomies", lead, sections)


def _scores(found: TaxonomyComparison) -> Html:
    """Return the verdict and the scores."""
    columns = found.columns()
    rows = []
    for score, value, chance, adjusted, p, error in zip(*columns.values(), strict=True):
        numbers = [
            _number(value) + (f" ± {error:.1g}" if error else ""),
            _number(chance),
            _number(adjusted),
            found.p_text(p) or "–",
        ]
        rows.append([tag("code", score), *numbers, _WORDS[score]])
    heads = ["score", "value", "by chance", "adjusted", "p", "what it says"]
    return join_html((tag("p", found.verdict, class_="verdict"), value_table(heads, rows, "Scores beside chance")))


def _changes(found: TaxonomyComparison) -> Html:
    """Return the changes as a table, and the drawing of small taxonomies."""
    parts = []
    if found.a.n_terms + found.matches.only_b.size <= _MOST_DRAWN:
        alt = "Both taxonomies in one drawing, the top at the left."
        parts.append(drawing(lambda: concept_graph(found, most=_MOST_DRAWN), alt))
    if not found.changes:
        return join_html([*parts, tag("p", "Nothing changed.", class_="verdict")])
    counts = ", ".join(f"{count:,} {kind}" for kind, count in found.n_by_kind.items())
    listed = found.changes[:_MOST_CHANGES]
    more = f"; the first {_MOST_CHANGES:,} are listed, those with the most concepts below first within each kind"
    parts.append(tag("p", f"{counts}{more if len(found.changes) > len(listed) else ''}.", class_="note"))
    heads = ["concept", "what", f"below, in {found.names[0]}", f"below, in {found.names[1]}", "holds"]
    rows = []
    for change in listed:
        name = join_html((label(change.concept), *((" → ", label(change.renamed)) if change.renamed else ())))
        rows.append([name, change.what, _listed(change.before), _listed(change.after), f"{change.n_below:,}"])
    parts.append(value_table(heads, rows, "Changes"))
    return join_html(parts)


def _profile(found: TaxonomyComparison) -> Html:
    """Return the number of concepts at each depth, and the sizes."""
    a, b = found.names
    heads = ["depth", f"concepts of {a}", f"of {b}", "at this depth in both"]
    rows = [[f"{x:,}" for x in row] for row in zip(*(column.tolist() for column in found.profile), strict=True)]
    facts = [(label(name), _size(dag)) for name, dag in zip(found.names, (found.a, found.b), strict=True)]
    return join_html((description_list(facts, class_="facts"), value_table(heads, rows, "Concepts at each depth")))


def _made(found: TaxonomyComparison) -> Html:
    """Return the section on what the results are based on."""
    repeated = sum(found.matches.n_repeated)
    rows = [
        ("Matched", found.matches.sentence()),
        ("Relabellings", f"{found.n_permutations:,} of the matched concepts"),
        ("For a methods section", found.methods),
        ("Made by", f"dendrometry {__version__}"),
    ]
    if repeated:
        rows.insert(1, ("Left out", f"{plural(repeated, 'concept')}, whose names are repeated"))
    return description_list(rows, class_="facts")


def _size(dag: Dag) -> str:
    """Return the size of a taxonomy in words."""
    several = int((dag.n_parents > 1).sum())
    children = np.diff(dag.children.start)
    return (
        f"{plural(dag.n_terms, 'concept')}, {plural(dag.n_edges, 'edge')}, {plural(dag.roots.size, 'root')},"
        f" {dag.leaves.size:,} leaves, {several:,} with several parents, at most {int(children.max()):,} children"
    )


def _listed(names: tuple[str, ...]) -> Html:
    """Return names in a row, or a dash."""
    return join_html([part for i, name in enumerate(names) for part in ((", " if i else ""), label(name))] or ["–"])


def _number(value: float | None) -> str:
    """Return a number as the text of a cell."""
    return "–" if value is None else f"{value:.3g}"
