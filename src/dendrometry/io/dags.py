"""Terms with several parents from files, and from whatever else a user has."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeGuard

from dendrometry._check.names import names_of
from dendrometry._check.numbers import whole_number
from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry._files import FilePath, name_of
from dendrometry.dag import Dag
from dendrometry.errors import DendrometryError, FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.missing import MISSING_WORDS
from dendrometry.io._shared.second_parents import Ontology, dag_of_terms
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.io.files import read, unpacked_contents

DagLike: TypeAlias = Dag | HierarchyLike

_OBO = re.compile(rb"\s*+format-version:")
_RDF = (".owl", ".rdf", ".ttl", ".nt", ".jsonld", ".skos", ".xml", ".n3")
_TABLES = {".csv": ",", ".tsv": "\t"}
_CHILD = ("child", "term", "node", "concept", "id")  # names of the column of terms
_PARENT = ("parent", "broader", "is_a")


def read_dag(
    path: FilePath,
    *,
    relations: Sequence[str] = ("is_a",),
    language: str = "en",
    max_bytes: int | None = None,
) -> Dag:
    r"""Return the terms in a file with all their parents.

    Parameters
    ----------
    path : str or path
        An ontology in OBO (``.obo``, or a file that starts like one); OWL or SKOS in RDF (``.owl``, ``.rdf``, ``.ttl``,
        ``.nt``, ``.jsonld``, ``.skos``, ``.xml``, ``.n3``; extra ``graph``); a table (``.csv``, ``.tsv``) with the
        columns ``child``, ``term``, ``node``, ``concept`` or ``id``, and ``parent``, ``broader`` or ``is_a``, and
        optionally ``name``, with a row for each pair and an empty parent for a root; or anything that `read` takes,
        a tree. A further ``.gz`` means compressed.
    relations : sequence of str
        For OBO and OWL: the relations that lead to a parent, such as ``("is_a", "part_of")``.
    language : str
        For OWL and SKOS: the language of the names.
    max_bytes : int, optional
        As for `read`.

    Returns
    -------
    Dag
        Obsolete terms are left out: those that a term replaces, and other identifiers of terms, are its ``aliases``,
        the rest its ``obsolete``. Parents in a table need no row of their own.

    Raises
    ------
    FormatError
        If a parent is missing from the file, an identifier comes twice, or the parent in a table is a word for a
        missing value, such as "NA", and no term with a row.
    InvalidInputError
        If an ontology has no such relation.
    InvalidTreeError
        If there is a cycle; the message shows it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dendrometry.io import read_dag
    >>> path = pathlib.Path(tempfile.mkdtemp(), "animals.csv")
    >>> _ = path.write_text("child,parent\nbat,mammal\nbat,flyer\n")
    >>> read_dag(path)
    Dag(3 terms 'bat' to 'flyer', 2 edges, 2 roots, 1 term with several parents)
    """
    most = None if max_bytes is None else whole_number(max_bytes, "max_bytes", 1)
    found = _read(path, frozenset(names_of(relations, "relations")), language, most)
    return Dag.from_hierarchy(found) if isinstance(found, Hierarchy) else found


def as_dag(thing: DagLike, *, what: str = "the taxonomy") -> Dag:
    """Return the terms of whatever a user has, with all their parents.

    Parameters
    ----------
    thing : Dag, or one of the following
        - the path of a file: `read_dag`;
        - a directed graph of networkx with edges from parents to children: `Dag.from_networkx`;
        - a list of (child, parent) pairs of text: `Dag.from_edges`;
        - anything that `as_hierarchy` takes: `Dag.from_hierarchy`.
    what : str
        What to call the value in messages.

    Examples
    --------
    >>> from dendrometry.io import as_dag
    >>> as_dag([("bat", "mammal"), ("bat", "flyer")])
    Dag(3 terms 'bat' to 'flyer', 2 edges, 2 roots, 1 term with several parents)
    """
    found = tree_or_dag(thing, what)
    return Dag.from_hierarchy(found) if isinstance(found, Hierarchy) else found


def tree_or_dag(thing: DagLike, what: str) -> Dag | Hierarchy:
    """Return the terms of whatever a user has, as a tree where it is one, whose nodes have paths and numbers."""
    if isinstance(thing, Dag):
        return thing
    if isinstance(thing, str | os.PathLike):
        return _read(thing, frozenset(("is_a",)), "en", None)
    if hasattr(thing, "is_directed"):
        return Dag.from_networkx(thing)
    if _are_edges(thing):
        return Dag.from_edges(thing)
    return as_hierarchy(thing, what=what)


def _read(path: FilePath, relations: frozenset[str], language: str, max_bytes: int | None) -> Dag | Hierarchy:
    """Return the terms in a file with all their parents, or the tree in a file of a tree."""
    name = name_of(path)
    ending = os.path.splitext(name.lower().removesuffix(".gz"))[1]
    try:
        if ending in _TABLES:
            found = _of_table(_text(name, max_bytes), _TABLES[ending])
            if found is not None:
                return found
        if ending in _RDF:
            return _of_rdf(_text(name, max_bytes), language, relations)
        if ending == ".obo" or _starts_as_obo(name):
            from dendrometry.io.taxonomies.obo import obo_terms

            return dag_of_terms(obo_terms(_text(name, max_bytes), relations), "term")
    except DendrometryError as error:
        raise type(error)(f"{printable(name, longest=4096)}: ", *error.args) from None
    return read(path, max_bytes=max_bytes)


def _are_edges(thing: Any) -> TypeGuard[list[tuple[str, str]]]:
    """Whether a value is a list of pairs of text."""
    return isinstance(thing, list | tuple) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(end, str) for end in pair)
        for pair in thing[:100]
    )


def _text(name: str, max_bytes: int | None) -> str:
    """Return the text of a file, decompressed if necessary."""
    from dendrometry.io.codecs import text_of

    return text_of(unpacked_contents(name, max_bytes))


def _starts_as_obo(name: str) -> bool:
    """Whether a file with an unknown ending starts as OBO."""
    from dendrometry.io._shared.format_names import tells_format

    return not tells_format(name) and os.path.isfile(name) and _OBO.match(_head(name)) is not None


def _head(name: str) -> bytes:
    """Return the first bytes of a file."""
    with open(name, "rb") as file:
        return file.read(2**12)


def _of_rdf(text: str, language: str, relations: frozenset[str]) -> Dag:
    """Return the graph of SKOS if there are concepts, else that of the classes of OWL."""
    from dendrometry.io._shared.rdf import parse_rdf
    from dendrometry.io.taxonomies.owl import owl_terms
    from dendrometry.io.taxonomies.skos import skos_terms

    rdflib = require("rdflib", extra="graph", for_="read_dag()")
    graph = parse_rdf(text)
    concepts = skos_terms(graph, rdflib, language)
    if concepts:
        return dag_of_terms(Ontology(concepts), "concept")
    return dag_of_terms(owl_terms(graph, rdflib, language, relations), "class")


def _of_table(text: str, delimiter: str) -> Dag | None:
    """Return the graph of a table of terms and parents; None if its columns are others."""
    from dendrometry.io.formats.delimited import delimited_columns

    columns = delimited_columns(text, delimiter)
    child, parent = (next((name for name in names if name in columns), None) for names in (_CHILD, _PARENT))
    if child is None or parent is None:
        return None
    rows = list(zip(columns[child], columns[parent], strict=True))
    empty = next((at for at, (term, _) in enumerate(rows, start=2) if not term), None)
    if empty is not None:
        raise FormatError(f"row {empty}: the column {child} must name a term; it is empty")
    terms = frozenset(columns[child])
    missing = next((at for at, pair in enumerate(rows, start=2) if _is_missing(pair[1], terms)), None)
    if missing is not None:
        raise FormatError(
            f"row {missing}: the column {parent} must name a term, or be empty for a root;"
            f" got '{rows[missing - 2][1]}', which has no row of its own"
        )
    known = dict.fromkeys(columns[child]) | dict.fromkeys(above for _, above in rows if above)
    names = {term: name for term, name in zip(columns[child], columns.get("name", ()), strict=False) if name}
    return Dag.from_edges([pair for pair in rows if pair[1]], terms=known, names=names)


def _is_missing(parent: str, terms: frozenset[str]) -> bool:
    """Whether a parent is a word for a missing value, and no term that has a row."""
    return parent in MISSING_WORDS and parent not in terms
