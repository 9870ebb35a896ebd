"""What was recognised in taxonomies and in tables of labels, whether they match, and what would repair that."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dendrometry._display import plural, printable_repr
from dendrometry.app.cards import Given, empty_card, problem_of
from dendrometry.errors import DendrometryError

if TYPE_CHECKING:
    from dendrometry.dag import Dag
    from dendrometry.taxonomy.annotations import Terms
    from dendrometry.taxonomy.matching import ConceptMatches

_SHOWN = 8  # names that are listed
Card = dict[str, Any]


def inspect_taxonomies(files: Sequence[Given], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what taxonomies are, and of two of them how their concepts match."""
    found = [_taxonomy(one) for one in files]
    dags = [dag for _, dag in found if dag is not None]
    match = _match_concepts(dags, options) if len(dags) == len(found) == 2 else None
    return {"files": [card for card, _ in found], "match": match}


def _taxonomy(given: Given) -> "tuple[Card, Dag | None]":
    """Return what a file of a taxonomy is, and its concepts."""
    path, name, reading, _ = given
    from dendrometry.io.files import read
    from dendrometry.taxonomy.concepts import as_concepts

    try:
        dag = as_concepts(read(path, **reading) if reading else path, what="the taxonomy")
    except DendrometryError as error:
        return empty_card(name, problem_of(error, path, name)), None
    several = int((dag.n_parents > 1).sum())
    parts = [
        plural(dag.n_terms, "concept"),
        plural(dag.roots.size, "root"),
        *([f"{several:,} with several parents"] if several else []),
        *([f"{len(dag.obsolete):,} obsolete, left out"] if dag.obsolete else []),
    ]
    facts = {"what": "a taxonomy", "readable": True, "n_items": dag.n_terms, "summary": ", ".join(parts)}
    return {**empty_card(name), **facts, "kind": "taxonomy"}, dag


def _match_concepts(dags: "Sequence[Dag]", options: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the concepts of two taxonomies match, and what would match more of them."""
    from dendrometry.taxonomy.matching import match_concepts

    way = {"by": options.get("by", "terms"), "match_names": options.get("match_names", "exact")}
    found = match_concepts(*dags, **way)
    sides = ((found.called_a, found.only_a), (found.called_b, found.only_b))
    only = [[called[v] or "(without a name)" for v in alone.tolist()] for called, alone in sides]
    repairs: list[dict[str, Any]] = []
    if any(only):
        tries = []
        if way["match_names"] == "exact":
            tries.append(({"match_names": "loose"}, "Ignore case, underscores and spaces"))
        if any(dag.names for dag in dags):
            other = "names" if way["by"] == "terms" else "terms"
            tries.append(({"by": other}, f"Match by {'names' if other == 'names' else 'identifiers'}"))
        for change, says in tries:
            n_more = match_concepts(*dags, **{**way, **change}).in_a.size - found.in_a.size
            if n_more > 0:
                says = f"{says}: {plural(n_more, 'more concept')} match{'es' * (n_more == 1)}"
                repairs.append({"label": says, "options": change})
    return {
        "noun": "concept",
        "n_items": [dag.n_terms for dag in dags],
        "n_common": found.in_a.size,
        "n_loose": _n_loose(found),
        "n_only": [len(names) for names in only],
        "only": [names[:_SHOWN] for names in only],
        "repairs": repairs,
        "fits": found.in_a.size > 0,
    }


def _n_loose(found: "ConceptMatches") -> int:
    """Return how many concepts are matched by loosely the same name."""
    return found.n_by.get("loose", 0)


class _Labels(NamedTuple):
    """The labels of each item, and those that are no terms, of which None is known without a taxonomy."""

    by_item: dict[str, list[str]]
    unknown: list[str]


def inspect_predictions(files: Sequence[Given], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a taxonomy, true and predicted labels are, in this order, and whether they fit."""
    from dendrometry.taxonomy.annotations import Terms

    first = next((_taxonomy(one) for one in files if one.place == 0), None)
    terms = None if first is None or first[1] is None else Terms(first[1])
    found = [first if first is not None and one.place == 0 else _labels(one, terms) for one in files]
    tables = [labels for _, labels in found if isinstance(labels, _Labels)]
    match = _match_labels(tables, options) if terms is not None and len(tables) == 2 else None
    return {"files": [card for card, _ in found], "match": match}


def _labels(given: Given, terms: "Terms | None") -> tuple[Card, _Labels | None]:
    """Return what a table of labels is, and its labels."""
    path, name, scored = given.path, given.name, given.place == 2
    try:
        columns = _columns(path, name)
    except DendrometryError as error:
        return empty_card(name, problem_of(error, path, name)), None
    names = list(columns)
    if len(names) < 2:
        return empty_card(name, "it must be a table (CSV, TSV) with a header and the columns item and term"), None
    item, term = ("item", "term") if {"item", "term"} <= set(names) else (names[0], names[1])
    score = "score" if "score" in names else names[2] if len(names) == 3 and "term" not in names else ""
    by_item: dict[str, list[str]] = {}
    for one, label in zip(columns[item], columns[term], strict=True):
        by_item.setdefault(one, []).extend([label] if label else [])
    problem = _problem(columns, score, terms, scored=scored)
    distinct = sorted({label for held in by_item.values() for label in held})
    unknown = [] if terms is None else _unknown(distinct, terms)
    n_labels = sum(map(len, by_item.values()))
    summary = f"{plural(len(by_item), 'item')}, {plural(n_labels, 'label')}{' with scores' if score and scored else ''}"
    facts = {
        "what": "a table of labels",
        "readable": not problem,
        "problem": problem,
        "n_items": len(by_item),
        "summary": summary,
        "item": item,
        "taken": [term, *([score] if score and scored else [])],
        "kind": "labels",
    }
    return {**empty_card(name), **facts}, None if problem else _Labels(by_item, unknown)


def _columns(path: str, name: str) -> dict[str, list[str]]:
    """Return the columns of a table by name; {} for another file."""
    from dendrometry.io.codecs import text_of
    from dendrometry.io.files import unpacked_contents
    from dendrometry.io.formats.delimited import delimited_columns

    bare = name.lower().removesuffix(".gz")
    if not bare.endswith((".csv", ".tsv")):
        return {}
    return delimited_columns(text_of(unpacked_contents(path, None)), "\t" if bare.endswith(".tsv") else ",")


def _problem(columns: Mapping[str, list[str]], score: str, terms: "Terms | None", *, scored: bool) -> str:
    """Return what is wrong with a table of labels; "" if nothing is."""
    header = list(columns)
    if terms is not None and len(_unknown(header, terms)) < len(header):
        return f"it must have a header, such as item, term; its first row is {', '.join(header)}"
    if score and not scored:
        return f"true labels must have no scores; it has the column {score}"
    for row, value in enumerate(columns[score] if score else [], start=2):
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            return f"a score must be a finite number; row {row} has {printable_repr(value)}"
    return ""


def _unknown(labels: Sequence[str], terms: "Terms") -> list[str]:
    """Return the labels that are no terms."""
    known = set(terms.read({label: [label] for label in labels}, "given", "leave_out").item.tolist()) if labels else ()
    return [label for i, label in enumerate(labels) if i not in known]


def _match_labels(tables: Sequence[_Labels], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether labels are terms and predicted items have a truth, and how to go on if not."""
    truth, predicted = tables
    strange = [name for name in predicted.by_item if name not in truth.by_item]
    lacking = [name for name in truth.by_item if name not in predicted.by_item]
    unknown = sorted({*truth.unknown, *predicted.unknown})
    n_common = len(predicted.by_item) - len(strange)
    refused, leaves_out = bool(unknown or strange), options.get("unknown") == "leave_out"
    says = f"{plural(n_common, 'item')} with a true and a predicted term."
    lists = [
        ("Labels that are no terms of the taxonomy", unknown),
        ("Predicted items without a true term", strange),
        ("Items without a prediction, which count as such", lacking),
    ]
    repairs = []
    if refused and not leaves_out and n_common:
        repairs.append(
            {"label": "Leave out and count what has no term or no truth", "options": {"unknown": "leave_out"}}
        )
    return {
        "says": says,
        "lists": [{"title": title, "names": names[:_SHOWN], "n": len(names)} for title, names in lists if names],
        "left_out": refused and leaves_out,
        "repairs": repairs,
        "fits": n_common > 0 and (leaves_out or not refused),
    }
