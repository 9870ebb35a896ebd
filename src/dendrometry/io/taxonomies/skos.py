"""Thesauri in SKOS, by ``skos:broader`` and ``skos:narrower``, in Turtle, N-Triples, RDF/XML or JSON-LD."""

from __future__ import annotations

import json
from typing import Any

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_text
from dendrometry.io._shared.second_parents import ParentChoice, Terms, tree_of_terms

_DEEPEST = 100  # of nested values of JSON-LD


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
    source = require_text(text)
    try:
        graph = _json_graph(source, rdflib) if source.lstrip()[:1] in ("{", "[") else _graph(source, rdflib)
    except FormatError:
        raise
    except Exception as error:  # what a parser of rdflib raises may be anything
        message = str(error).strip().partition("\n")[0] or type(error).__name__
        raise FormatError(f"the text must be Turtle, N-Triples, RDF/XML or JSON-LD; got {printable(message)}") from None
    return tree_of_terms(_concepts(graph, rdflib, language), parents, "concept")


def _graph(text: str, rdflib: Any) -> Any:
    """Return the graph of RDF/XML, or of Turtle, of which N-Triples are a part."""
    is_xml = text.lstrip()[:9].lower().startswith(("<?xml", "<rdf:rdf", "<!doctype", "<!--"))
    return rdflib.Graph().parse(data=text, format="xml" if is_xml else "turtle")


def _json_graph(text: str, rdflib: Any) -> Any:
    """Return the graph of JSON-LD, refusing a context that would be fetched, and deep nesting."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"JSON-LD must be JSON; got {printable(str(error))}") from None
    level: list[Any] = [whole]
    for _ in range(_DEEPEST):
        objects = [value for value in level if isinstance(value, dict)]
        contexts = [value.get("@context") for value in objects]
        parts = [part for context in contexts for part in (context if isinstance(context, list) else [context])]
        if any(isinstance(part, str) or (isinstance(part, dict) and "@import" in part) for part in parts):
            raise FormatError("a context of JSON-LD must be in the text; got the address of one, which is not fetched")
        level = [part for value in level if isinstance(value, list) for part in value]
        level += [part for value in objects for part in value.values()]
    if level:
        raise FormatError(f"JSON-LD must be nested less than {_DEEPEST} deep; it is deeper")
    graph = rdflib.Graph()
    require("rdflib.plugins.parsers.jsonld", extra="graph", for_="from_skos()").to_rdf(whole, graph)
    return graph


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
