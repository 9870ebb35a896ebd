"""Ontologies in OWL, as classes of RDF and their ``rdfs:subClassOf``."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Any

from dendrometry._check.choices import some_of
from dendrometry._display import printable
from dendrometry.errors import FormatError
from dendrometry.io._shared.rdf import BASE
from dendrometry.io._shared.second_parents import Ontology, Terms, ontology_of
from dendrometry.io.taxonomies.skos import label_in

_OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
_REPLACED_BY = "http://purl.obolibrary.org/obo/IAO_0100001"
_PART_OF = "http://purl.obolibrary.org/obo/BFO_0000050"


def owl_terms(graph: Any, rdflib: Any, language: str, relations: Collection[str]) -> Ontology:
    """Return the named classes of a graph with their parents; deprecated classes are kept apart.

    "is_a" is ``rdfs:subClassOf`` a named class; any other relation is a restriction ``someValuesFrom`` of a property
    with this name, or with the number of the Relation Ontology if it is "part_of".
    """
    _check_relations(relations, graph, rdflib)
    rdf, rdfs, owl = rdflib.RDF, rdflib.RDFS, rdflib.OWL
    classes: dict[Any, None] = {}
    for kind in (owl.Class, rdfs.Class):
        classes.update(dict.fromkeys(graph.subjects(rdf.type, kind)))
    for child, parent in graph.subject_objects(rdfs.subClassOf):
        classes.update({child: None, parent: None})
    named = [node for node in classes if isinstance(node, rdflib.URIRef) and node != owl.Thing]
    given = rdflib.URIRef(_OBO_IN_OWL + "id")
    term = {node: str(graph.value(node, given) or str(node).removeprefix(BASE)) for node in named}
    gone = {node for node in named if str(graph.value(node, owl.deprecated)).lower() == "true"}
    terms: Terms = {}
    for node in named:
        if node not in gone:
            above = dict.fromkeys(_parents(graph, rdflib, node, relations))
            name = label_in(graph.objects(node, rdfs.label), language)
            terms[term[node]] = name, [term[parent] for parent in above if parent in term]
    stands_for: dict[str, str] = {}
    for node in named:
        for other in graph.objects(node, rdflib.URIRef(_OBO_IN_OWL + "hasAlternativeId")):
            stands_for.setdefault(str(other), term[node])
        replaced = graph.value(node, rdflib.URIRef(_REPLACED_BY)) if node in gone else None
        if replaced is not None:
            stands_for[term[node]] = term.get(replaced, str(replaced))
    return ontology_of(terms, stands_for, [term[node] for node in gone])


def _parents(graph: Any, rdflib: Any, node: Any, relations: Collection[str]) -> list[Any]:
    """Return the classes above one by some relations."""
    found = []
    for above in graph.objects(node, rdflib.RDFS.subClassOf):
        if isinstance(above, rdflib.URIRef):
            found += [above] if "is_a" in relations else []
        elif (prop := graph.value(above, rdflib.OWL.onProperty)) is not None and _is_one_of(prop, relations):
            held = list(islice(graph.objects(above, rdflib.OWL.someValuesFrom), 2))
            if len(held) > 1:
                both = " and ".join(f"'{printable(one)}'" for one in held)
                raise FormatError(f"a restriction must have one owl:someValuesFrom; got {both}")
            found += held
    return found


def _check_relations(relations: Collection[str], graph: Any, rdflib: Any) -> None:
    """Refuse relations that a graph neither declares nor uses; without them, its classes would have no parents."""
    if set(relations) - {"is_a", "part_of"}:
        used = graph.objects(None, rdflib.OWL.onProperty)
        declared = graph.subjects(rdflib.RDF.type, rdflib.OWL.ObjectProperty)
        some_of(relations, "relations", dict.fromkeys(["is_a", "part_of", *map(_end, used), *map(_end, declared)]))


def _end(prop: Any) -> str:
    """Return the end of the address of a property."""
    return str(prop).rpartition("#")[2].rpartition("/")[2]


def _is_one_of(prop: Any, relations: Collection[str]) -> bool:
    """Whether a property is one of the relations, by the end of its address."""
    name = _end(prop)
    return name in relations or (str(prop) == _PART_OF and "part_of" in relations)
