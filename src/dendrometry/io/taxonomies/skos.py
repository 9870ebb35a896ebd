"""Thesauri in SKOS, by ``skos:broader`` and ``skos:narrower``, in Turtle, N-Triples, RDF/XML or JSON-LD."""

from __future__ import annotations

from typing import Any

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_text
from dendrometry.io._shared.options import ParentChoice
from dendrometry.io._shared.rdf import BASE, parse_rdf
from dendrometry.io._shared.second_parents import Terms, tree_of_terms


def from_skos(text: str, *, parents: ParentChoice = "error", language: str = "en") -> Hierarchy:
    """Return the hierarchy of the concepts of a thesaurus in SKOS.

    Parameters
    ----------
    text : str
        Turtle, N-Triples, RDF/XML or JSON-LD, told apart by how they start. Nothing is fetched: a context of JSON-LD
        must be in the text, and an entity of RDF/XML is a short text that uses no other.
    parents : {"error", "first", "longest"}
        What to do about concepts with several broader ones, as for `from_obo`.
    language : str
        The language of the names; without a label in it, the first label is taken.

    Returns
    -------
    Hierarchy
        Nodes are the concepts, named by ``skos:prefLabel``; the items are their addresses, each at the node of its
        concept. An address that is relative, in a text that gives no base, keeps its relative form. Several top
        concepts are joined. Schemes, collections, other labels and relations are lost.

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
    source = require_text(text)
    rdflib = require("rdflib", extra="graph", for_="from_skos()")
    return tree_of_terms(skos_terms(parse_rdf(source), rdflib, language), parents, "concept")


def skos_terms(graph: Any, rdflib: Any, language: str) -> Terms:
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
    wrong = next((node for node in broader if not isinstance(node, rdflib.URIRef) or str(node) == BASE), None)
    if wrong is not None:
        address = printable(str(wrong)) if str(wrong) != BASE else "that of the text itself, '<>'"
        raise FormatError(f"each concept must have an address; got {address}")
    name = {node: str(node).removeprefix(BASE) for node in broader}
    return {
        name[node]: (label_in(graph.objects(node, skos.prefLabel), language), [name[parent] for parent in found])
        for node, found in broader.items()
    }


def label_in(labels: Any, language: str) -> str:
    """Return the label in a language, or else the first, or "" if there is none."""
    found = list(labels)
    chosen = next((label for label in found if getattr(label, "language", None) == language), None)
    return str(chosen if chosen is not None else found[0] if found else "")
