"""Terms with several parents: a graph keeps all of them, a tree one."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._display import plural, printable, quote_first
from dendrometry.dag import Dag
from dendrometry.errors import FormatError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_some
from dendrometry.io._shared.options import ParentChoice
from dendrometry.io._shared.requirements import warn_lost
from dendrometry.io.parents import from_parents

Terms = dict[str, tuple[str, list[str]]]  # the name and the parents of each term by its identifier


class Ontology(NamedTuple):
    """Terms as a file gives them: identifiers that stand for a term, and obsolete ones that no term replaces, apart."""

    terms: Terms
    aliases: Mapping[str, str] = {}
    obsolete: tuple[str, ...] = ()


def ontology_of(terms: Terms, stands_for: Mapping[str, str], obsolete: list[str]) -> Ontology:
    """Return terms with other identifiers of them; each of these leads to a term in one or several steps."""
    end: dict[str, str | None] = {term: term for term in terms}  # the term that an identifier leads to, if to one
    for other in stands_for:
        way, at = list[str](), other
        while at not in end and at in stands_for:
            end[at] = None  # so that a circle ends
            way.append(at)
            at = stands_for[at]
        end.update(dict.fromkeys(way, end.get(at)))
    aliases = {other: term for other in stands_for if other not in terms and (term := end[other]) is not None}
    return Ontology(terms, aliases, tuple(term for term in obsolete if term not in aliases and term not in terms))


def dag_of_terms(found: Ontology, what: str) -> Dag:
    """Return the graph of terms with all their parents; ``what`` says what a term is called in messages."""
    require_some(list(found.terms), what)
    edges = []
    for term, (_, given) in found.terms.items():
        above = [found.aliases.get(name, name) for name in given]
        _check_parents(term, above, found.terms, what)
        edges += [(term, name) for name in above]
    names = {term: name for term, (name, _) in found.terms.items()}
    return Dag.from_edges(edges, terms=found.terms, names=names, aliases=found.aliases, obsolete=found.obsolete)


def _check_parents(term: str, above: list[str], known: Mapping[str, object], what: str) -> None:
    """Refuse parents that are not in the file."""
    unknown = [name for name in above if name not in known]
    if unknown:
        raise FormatError(f"the parents of '{printable(term)}' must be {what}s of the file; got {quote_first(unknown)}")


def tree_of_terms(terms: Terms, parents: ParentChoice, what: str) -> Hierarchy:
    """Return the hierarchy of terms, each an item at its own node; ``what`` says what a term is called in messages."""
    one_of(parents, "parents", get_args(ParentChoice))
    known = {term: v for v, term in enumerate(terms)}
    above: list[list[int]] = []
    for term, (_, names) in terms.items():
        _check_parents(term, names, known, what)
        above.append([known[name] for name in dict.fromkeys(names)])
    several = [term for term, names in zip(terms, above, strict=True) if len(names) > 1]
    if several and parents == "error":
        raise FormatError(
            f"each {what} must have one parent; {plural(len(several), what)} with several: {quote_first(several)}",
            Remedy("parents", "first", "takes the first"),
            Remedy("parents", "longest", "takes that with the longest way to a root"),
        )
    if several:
        if _has_cycle(above):
            dag_of_terms(Ontology(terms), what)  # its error shows the cycle
        n_lost = sum(len(names) - 1 for names in above if names)
        warn_lost(f"a tree has one parent for each node; {plural(n_lost, 'further parent')} left out")
    depth = _depths(above) if parents == "longest" else [0] * len(above)
    parent = [max(names, key=depth.__getitem__, default=-1) for names in above]  # of several, the first
    items = require_some(list(terms), what)
    return from_parents(parent, range(len(terms)), None, items, [name for name, _ in terms.values()])


def _has_cycle(above: list[list[int]]) -> bool:
    """Whether a term is above itself, by any of its parents."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(above)
    child = np.repeat(np.arange(n), np.fromiter(map(len, above), np.int64, n))
    parent = np.fromiter(chain.from_iterable(above), np.int64, child.size)
    graph = csr_array((np.ones(child.size, dtype=np.int8), (child, parent)), shape=(n, n))
    return bool((child == parent).any()) or connected_components(graph, connection="strong")[0] < n


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
