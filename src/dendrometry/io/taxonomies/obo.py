"""Ontologies in OBO format."""

from __future__ import annotations

import re

from dendrometry._display import printable
from dendrometry.errors import FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_text
from dendrometry.io._shared.options import ParentChoice
from dendrometry.io._shared.second_parents import Terms, tree_of_terms


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
    return tree_of_terms(_terms(text), parents, "term")


def _terms(text: object) -> Terms:
    """Return the name and the parents of each term by its identifier; obsolete terms are left out."""
    terms: Terms = {}
    stanzas = re.split(r"^\[(\w+)\][^\n]*$", require_text(text), flags=re.MULTILINE)
    for kind, body in zip(stanzas[1::2], stanzas[2::2], strict=True):
        if kind != "Term":
            continue
        tags = [(tag.strip(), value.strip()) for tag, _, value in (line.partition(":") for line in body.splitlines())]
        name = next((value for tag, value in tags if tag == "name"), "")
        identifier = next((value.partition(" ! ")[0].strip() for tag, value in tags if tag == "id"), "")
        if not identifier:
            raise FormatError(f"each term must have an id; the one named '{printable(name)}' has none")
        if ("is_obsolete", "true") in tags:
            continue
        if identifier in terms:
            raise FormatError(f"each term must be given once; got '{printable(identifier)}' again")
        terms[identifier] = name, [value.split()[0] for tag, value in tags if tag == "is_a" and value]
    return terms
