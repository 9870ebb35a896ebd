"""Thesauri in SKOS, by ``skos:broader`` and ``skos:narrower``, in Turtle, N-Triples, RDF/XML or JSON-LD."""

from __future__ import annotations

import json
from typing import Any

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.tables.taxonomies.lines import require_text
from dendrometry.io.tables.taxonomies.second_parents import ParentChoice, Terms, tree_of_terms

__all__ = ["from_skos"]

_DEEPEST = 200  # of nested values of JSON-LD


def from_skos(text: str, *, parents: ParentChoice = "error", language: str = "en") -> Hierarchy:
    """Return the hierarchy of the concepts of a thesaurus in SKOS.

    Parameters
    ----------
    text : str
        Turtle, N-Triples, RDF/XML or JSON-LD, told apart by how they start. Nothing is fetched: a context of JSON-LD
        must be in the text.
    parents : {"error", "first", "longest"}
        What to do about concepts with several broader ones, as for `from_obo`.
    language : str
        The language of the names; without a label in it, the first label is taken.

    Returns
    -------
    Hierarchy
        Nodes are the concepts, named by ``skos:prefLabel``; the items are their addresses, each at the node of its
        concept. Several top concepts are joined. Schemes, collections, other labels and relations are lost.

    Raises
    ------
    FormatError
        If the text cannot be parsed, holds no concept, or, with "error", a concept has several broader ones.
    InvalidTreeError
        If the relation has a cycle.
    MissingExtraError
        If rdflib is not installed (extra ``graph``).

    Warns
    -----
    LostMeaningWarning
        If further parents are left out; the message says how many.

    Examples
    --------
    >>> from dendrometry.io import from_skos
    >>> text = '''@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    ... @prefix : <http://example.org/> .
    ... :bird skos:prefLabel "bird"@en . :owl skos:broader :bird ; skos:prefLabel "owl"@en, "Eule"@de .'''
    >>> print(from_skos(text).draw())
    bird: http://example.org/bird
    └─ owl: http://example.org/owl
    """
    wanted: object = language
    if not isinstance(wanted, str):
        raise InvalidInputError(f"language must be text, such as 'en'; got {printable(wanted)}")
    rdflib = require("rdflib", extra="graph", for_="from_skos()")
    graph = rdflib.Graph()
    source = require_text(text)
    try:
        graph.parse(data=source, format=_syntax(source))
    except FormatError:
        raise
    except Exception as error:  # what a parser of rdflib raises may be anything
        came = str(error).strip().partition("\n")[0] or type(error).__name__
        raise FormatError(f"the text must be Turtle, N-Triples, RDF/XML or JSON-LD; got {printable(came)}") from None
    return tree_of_terms(_concepts(graph, rdflib, language), parents, "concept")


def _syntax(text: str) -> str:
    """Return the syntax of a text of RDF, refusing a context that would be fetched."""
    start = text.lstrip()[:1]
    if start in ("{", "["):
        _check_contexts(text)
        return "json-ld"
    head = text.lstrip()[:9].lower()
    return "xml" if head.startswith(("<?xml", "<rdf:rdf", "<!doctype", "<!--")) else "turtle"


def _check_contexts(text: str) -> None:
    """Refuse JSON-LD that names a context instead of giving it, or that is nested too deeply."""
    try:
        level: list[Any] = [json.loads(text)]
    except (ValueError, RecursionError) as error:
        raise FormatError(f"JSON-LD must be JSON; got {printable(str(error))}") from None
    for _ in range(_DEEPEST):
        objects = [value for value in level if isinstance(value, dict)]
        contexts = [value.get("@context") for value in objects]
        flat = [part for context in contexts for part in (context if isinstance(context, list) else [context])]
        if any(isinstance(part, str) for part in flat):
            raise FormatError("a context of JSON-LD must be in the text; got the address of one, which is not fetched")
        level = [part for value in objects for part in value.values()] + [
            part for value in level if isinstance(value, list) for part in value
        ]
        if not level:
            return
    raise FormatError(f"JSON-LD must be nested at most {_DEEPEST} deep; it is deeper")


def _concepts(graph: Any, rdflib: Any, language: str) -> Terms:
    """Return the name and the broader concepts of each concept, by its address."""
    skos = rdflib.namespace.SKOS
    broader: dict[Any, dict[Any, None]] = {node: {} for node in graph.subjects(rdflib.RDF.type, skos.Concept)}
    for child, parent in graph.subject_objects(skos.broader):
        broader.setdefault(child, {})
        broader.setdefault(parent, {})
    for parent, child in graph.subject_objects(skos.narrower):
        broader.setdefault(parent, {})
        broader.setdefault(child, {})
    for child, found in broader.items():
        found.update(dict.fromkeys(graph.objects(child, skos.broader)))
        found.update(dict.fromkeys(graph.subjects(skos.narrower, child)))
    wrong = next((node for node in broader if not isinstance(node, rdflib.URIRef)), None)
    if wrong is not None:
        raise FormatError(f"each concept must have an address; got {printable(str(wrong))}")
    return {
        str(node): (_label(graph.objects(node, skos.prefLabel), language), [str(parent) for parent in found])
        for node, found in broader.items()
    }


def _label(labels: Any, language: str) -> str:
    """Return the label in a language, or else the first, or "" if there is none."""
    found = list(labels)
    chosen = next((label for label in found if getattr(label, "language", None) == language), None)
    return str(chosen if chosen is not None else found[0] if found else "")
