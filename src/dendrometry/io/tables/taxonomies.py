"""Taxonomies as their publishers write them: product categories, modules of Infomap, ontologies in OBO."""

from __future__ import annotations

import re
from collections import deque
from typing import Literal, get_args

from dendrometry._check.choices import one_of
from dendrometry._display import plural, printable, quote_first
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.content.requirements import warn_lost
from dendrometry.io.parents import from_parents
from dendrometry.io.tables.paths import PathTree

__all__ = ["Parents", "from_infomap", "from_obo", "from_product_taxonomy"]

Parents = Literal["error", "first", "longest"]

_GOOGLE = re.compile(r"(\d+) - (\S.*)")
_SHOPIFY = re.compile(r"(gid://\S+)\s+: (\S.*)")
_MODULE = re.compile(r'(\d+(?::\d+)*) (\S+) "((?:[^"\\]|\\.)*)"(?: \S+)*')


def from_product_taxonomy(text: str) -> Hierarchy:
    r"""Return the hierarchy of a product taxonomy of Google or Shopify, as they publish it in text files.

    Parameters
    ----------
    text : str
        Lines such as ``3237 - Animals > Live Animals`` (Google) or ``gid://shopify/TaxonomyCategory/ap-1 : Animals >
        Live Animals`` (Shopify); lines that start with ``#`` are comments.

    Returns
    -------
    Hierarchy
        Nodes are the categories, and the items are their numbers or identifiers, each at the node of its category.

    Raises
    ------
    FormatError
        If a line has another form; the message gives its number.

    Examples
    --------
    >>> from dendrometry.io import from_product_taxonomy
    >>> print(from_product_taxonomy("1 - Animals\n3 - Animals > Birds\n166 - Clothing").draw())
    •
    ├─ Animals: 1
    │  └─ Birds: 3
    └─ Clothing: 166
    """
    tree, items = PathTree(), []
    for at, line in _lines(text):
        row = _GOOGLE.fullmatch(line) or _SHOPIFY.fullmatch(line)
        if row is None:
            rule = "a line of a product taxonomy must be a number or identifier and a path with ' > '"
            raise FormatError(f"line {at}: {rule}; got '{printable(line)}'")
        tree.place(row[1], row[2].split(" > "))
        items.append(row[1])
    return tree.hierarchy(_some(items, "category"))


def from_infomap(text: str) -> Hierarchy:
    r"""Return the hierarchy of modules that Infomap writes to files ``.tree`` and ``.ftree``.

    Parameters
    ----------
    text : str
        Lines such as ``1:2:3 0.0384 "name" 7``: the path of modules and the rank within the last, the flow, and the
        name of a node of the network. Comments, and what follows a line that starts with ``*``, are skipped.

    Returns
    -------
    Hierarchy
        The items are the nodes of the network, each in its module; modules are named by their numbers. Flow is lost.

    Raises
    ------
    FormatError
        If a line has another form; the message gives its number.

    Examples
    --------
    >>> from dendrometry.io import from_infomap
    >>> print(from_infomap('# path flow name node_id\n1:1 0.3 "a" 1\n1:2 0.3 "b" 2\n2:1 0.4 "c" 3').draw())
    •
    ├─ 1: a, b
    └─ 2: c
    """
    tree, items = PathTree(), []
    for at, line in _lines(text):
        if line.startswith("*"):
            break
        row = _MODULE.fullmatch(line)
        if row is None:
            rule = "a line of Infomap must be a path, a flow and a name in quotes"
            raise FormatError(f"line {at}: {rule}; got '{printable(line)}'")
        name = re.sub(r"\\(.)", r"\1", row[3])
        tree.place(name, row[1].split(":")[:-1])
        items.append(name)
    return tree.hierarchy(_some(items, "node"))


def from_obo(text: str, *, parents: Parents = "error") -> Hierarchy:
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
    one_of(parents, "parents", get_args(Parents))
    terms = _terms(text)
    known = {term: v for v, term in enumerate(terms)}
    above: list[list[int]] = []
    for term, (_, names) in terms.items():
        unknown = [name for name in names if name not in known]
        if unknown:
            raise FormatError(
                f"the parents of '{printable(term)}' must be terms of the file; got {quote_first(unknown)}"
            )
        above.append([known[name] for name in dict.fromkeys(names)])
    several = [term for term, names in zip(terms, above, strict=True) if len(names) > 1]
    if several and parents == "error":
        raise FormatError(
            f"each term must have one parent; {plural(len(several), 'term')} have several: {quote_first(several)}"
            " (parents='first' takes the first, parents='longest' that with the longest way to a root)"
        )
    if several:
        n_lost = sum(len(names) - 1 for names in above if names)
        warn_lost(f"a tree has one parent for each node; {plural(n_lost, 'further parent')} left out")
    depth = _depths(above) if parents == "longest" else [0] * len(above)
    parent = [max(names, key=lambda v: (depth[v], -names.index(v))) if names else -1 for names in above]
    return from_parents(
        parent, range(len(terms)), None, _some(list(terms), "term"), [name for name, _ in terms.values()]
    )


def _lines(text: object) -> list[tuple[int, str]]:
    """Return the lines of a text with their numbers, without comments and blank ones."""
    if not isinstance(text, str):
        raise InvalidInputError(f"the text must be a string; got {type(text).__name__}")
    lines = enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
    return [(at, line.strip()) for at, line in lines if line.strip() and not line.lstrip().startswith("#")]


def _some(items: list[str], what: str) -> tuple[str, ...]:
    """Return items, of which there must be at least one."""
    if not items:
        raise FormatError(f"the text must hold at least one {what}; got none")
    return tuple(items)


def _terms(text: object) -> dict[str, tuple[str, list[str]]]:
    """Return the name and the parents of each term by its identifier; obsolete terms are left out."""
    if not isinstance(text, str):
        raise InvalidInputError(f"the text must be a string; got {type(text).__name__}")
    terms: dict[str, tuple[str, list[str]]] = {}
    stanzas = re.split(r"^\[(\w+)\][^\n]*$", text, flags=re.MULTILINE)
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


def _depths(above: list[list[int]]) -> list[int]:
    """Return the number of steps of the longest way from each term to a root; terms on cycles are left at 0."""
    below: list[list[int]] = [[] for _ in above]
    for v, names in enumerate(above):
        for p in names:
            below[p].append(v)
    waiting, depth = [len(names) for names in above], [0] * len(above)
    ready = deque(v for v, n in enumerate(waiting) if n == 0)
    while ready:
        p = ready.popleft()
        for v in below[p]:
            depth[v] = max(depth[v], depth[p] + 1)
            waiting[v] -= 1
            if waiting[v] == 0:
                ready.append(v)
    return depth
