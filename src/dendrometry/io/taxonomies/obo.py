"""Ontologies in OBO format."""

from __future__ import annotations

import re
from collections.abc import Collection

from dendrometry._check.choices import some_of
from dendrometry._display import printable
from dendrometry.errors import FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_text
from dendrometry.io._shared.options import ParentChoice
from dendrometry.io._shared.second_parents import Ontology, Terms, ontology_of, tree_of_terms


def from_obo(text: str, *, parents: ParentChoice = "error") -> Hierarchy:
    r"""Return the hierarchy of an ontology in OBO format, by the relation ``is_a``.

    Parameters
    ----------
    text : str
        An OBO text. Stanzas other than ``[Term]``, obsolete terms and other relations are skipped.
    parents : {"error", "first", "longest"}
        What to do about terms with several parents, since a tree has one: refuse the text, take the first that is
        given, or that with the longest way to a root.

    Returns
    -------
    Hierarchy
        Nodes are the terms, with their names; the items are their identifiers, each at the node of its term. Several
        roots are joined.

    Raises
    ------
    FormatError
        If a term has no identifier, an identifier comes twice, a parent is missing, or, with "error", a term has
        several parents.
    InvalidTreeError
        If the relation has a cycle.

    Warns
    -----
    LostMeaningWarning
        If parents are left out; the message says how many.

    Examples
    --------
    >>> from dendrometry.io import from_obo
    >>> text = "[Term]\nid: A:1\nname: cell\n\n[Term]\nid: A:2\nname: neuron\nis_a: A:1 ! cell\n"
    >>> print(from_obo(text).draw())
    cell: A:1
    └─ neuron: A:2
    """
    return tree_of_terms(obo_terms(text).terms, parents, "term")


def obo_terms(text: object, relations: Collection[str] = ("is_a",)) -> Ontology:
    """Return the terms of an OBO text with their parents by some relations; obsolete terms are kept apart."""
    terms: Terms = {}
    stands_for: dict[str, str] = {}
    obsolete: list[str] = []
    _check_relations(relations, require_text(text))
    stanzas = re.split(r"^\[(\w+)\][^\n]*$", require_text(text), flags=re.MULTILINE)
    for kind, body in zip(stanzas[1::2], stanzas[2::2], strict=True):
        if kind != "Term":
            continue
        tags = [(tag.strip(), value.strip()) for tag, _, value in (line.partition(":") for line in body.splitlines())]
        name = next((value for tag, value in tags if tag == "name"), "")
        identifier = next((value.partition(" ! ")[0].strip() for tag, value in tags if tag == "id"), "")
        if not identifier:
            raise FormatError(f"each term must have an id; the one named '{printable(name)}' has none")
        for tag, value in tags:
            if tag == "alt_id" and value:
                stands_for.setdefault(value.split()[0], identifier)
        if ("is_obsolete", "true") in tags:
            obsolete.append(identifier)
            replaced = next((value.split()[0] for tag, value in tags if tag == "replaced_by" and value), None)
            stands_for.update({} if replaced is None else {identifier: replaced})
            continue
        if identifier in terms:
            raise FormatError(f"each term must be given once; got '{printable(identifier)}' again")
        terms[identifier] = name, _parents(tags, relations)
    return ontology_of(terms, stands_for, obsolete)


def _check_relations(relations: Collection[str], text: str) -> None:
    """Refuse relations that a text neither declares nor uses; without them, its terms would have no parents."""
    if set(relations) - {"is_a"}:
        used = re.findall(r"^relationship:[ \t]*+(\S++)", text, flags=re.MULTILINE)
        declared = re.findall(r"^\[Typedef\][^\[]*?^id:[ \t]*+(\S++)", text, flags=re.MULTILINE)
        some_of(relations, "relations", dict.fromkeys(["is_a", *declared, *used]))


def _parents(tags: list[tuple[str, str]], relations: Collection[str]) -> list[str]:
    """Return the parents of a term by some relations."""
    found = [value.split()[0] for tag, value in tags if tag == "is_a" and value and "is_a" in relations]
    related = [value.split() for tag, value in tags if tag == "relationship"]
    return found + [words[1] for words in related if len(words) > 1 and words[0] in relations]
