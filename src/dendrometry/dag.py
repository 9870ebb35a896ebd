"""Dag: terms of a taxonomy or ontology, each with any number of parents, stored in read-only columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from dendrometry import _memory
from dendrometry._check.arrays import freeze_arrays, int_column, read_only
from dendrometry._check.choices import elements, one_of
from dendrometry._check.names import item_names_of, name_column, names_of
from dendrometry._display import first_to_last, plural, printable, quote_first
from dendrometry._html import preview
from dendrometry._kernels import dag as kernels
from dendrometry._kernels import tree as walks
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError, InvalidTreeError, UnknownNameError
from dendrometry.hierarchy import Hierarchy, require_hierarchy

Direction = Literal["down", "up"]
_MOST_ROWS = 20  # terms that a notebook shows


@freeze_arrays
class Relatives(NamedTuple):
    """The parents, children or ancestors of every term: those of v are ``term[start[v]:start[v + 1]]``, ascending."""

    start: IntArray
    term: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Dag:
    """A directed acyclic graph of terms: a taxonomy in which a term may have several parents, and several roots.

    Most are made by `Dag.from_edges`, `Dag.from_networkx`, `Dag.from_hierarchy` and, from files, by ``io.read_dag``;
    the constructor takes complete columns, copies and checks them.

    Parameters
    ----------
    terms : sequence of str
        The identifier of each term; identifiers must be distinct.
    parent_start : (n_terms + 1,) array of int
        Where the parents of each term start: those of v are ``parent[parent_start[v]:parent_start[v + 1]]``.
    parent : (n_edges,) array of int
        The parents of all terms, ascending and distinct for each term. Children come first: a parent of v is
        greater than v.
    names : sequence of str, optional
        The name of each term, "" for none.
    aliases : mapping from str to str, optional
        Other identifiers of terms, such as those of merged ones: of each, the term that it stands for.
    obsolete : sequence of str, optional
        Identifiers of obsolete terms that no term replaces. They are not terms, and messages can say so.

    Notes
    -----
    All columns are read-only. Derived columns (`children`, `depths`, ...) take O(n_terms + n_edges) on first access
    and are then stored; `ancestors` takes as much memory as there are pairs of a term and an ancestor.

    Examples
    --------
    >>> from dendrometry import Dag
    >>> dag = Dag.from_edges([("bat", "mammal"), ("bat", "flyer"), ("owl", "flyer"), ("mammal", "animal"),
    ...                       ("flyer", "animal")])
    >>> dag
    Dag(5 terms 'bat' to 'animal', 5 edges, 1 root, 1 term with several parents)
    >>> [dag.terms[v] for v in dag.parents_of("bat")]
    ['mammal', 'flyer']
    """

    terms: tuple[str, ...]
    parent_start: IntArray
    parent: IntArray
    names: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    obsolete: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check every column once and store read-only copies."""
        start, parent = int_column(self.parent_start, "parent_start"), int_column(self.parent, "parent")
        terms = name_column(names_of(self.terms, "terms"), max(start.size - 1, 0))
        _check_columns(start, parent)
        names = names_of(self.names, "names")
        if names and len(names) != len(terms):
            raise InvalidTreeError(f"names must be as many as the terms, {len(terms):,}; got {len(names):,}")
        object.__setattr__(self, "terms", terms)
        object.__setattr__(self, "parent_start", start)
        object.__setattr__(self, "parent", parent)
        object.__setattr__(self, "names", names if any(names) else ())
        object.__setattr__(self, "aliases", _alias_column(self.aliases, terms))
        object.__setattr__(self, "obsolete", names_of(self.obsolete, "obsolete"))

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str]],
        *,
        terms: Iterable[str] = (),
        names: Mapping[str, str] | None = None,
        aliases: Mapping[str, str] | None = None,
        obsolete: Iterable[str] = (),
    ) -> Dag:
        """Return the graph of pairs of a child and a parent.

        Parameters
        ----------
        edges : iterable of (child, parent)
            Pairs of identifiers. Repeated pairs count once.
        terms : iterable of str, optional
            Further terms, such as those without a parent and a child. All terms keep this order and then that in
            which they come, unless it must change for children to come first.
        names : mapping from term to name, optional
            The names of terms.
        aliases, obsolete
            As for the constructor.

        Raises
        ------
        InvalidTreeError
            If there is a cycle; the message shows it. If there is no term.
        InvalidInputError
            If an edge is not a pair, or a name is that of no term.

        Examples
        --------
        >>> from dendrometry import Dag
        >>> Dag.from_edges([("owl", "bird"), ("bird", "animal")], names={"owl": "the owl"})
        Dag(3 terms 'owl' to 'animal', 2 edges, 1 root)
        """
        child, above = _pairs(edges)
        known = dict.fromkeys((*item_names_of(elements(terms, "terms"), "terms"), *_alternating(child, above)))
        if not known:
            raise InvalidTreeError("there must be at least one term; got none")
        if names is not None and not isinstance(names, Mapping):
            raise InvalidInputError(f"names must map terms to names; got {printable(names)}")
        number = {term: v for v, term in enumerate(known)}
        strange = [term for term in names or () if term not in number]
        if strange:
            raise InvalidInputError(f"names must be those of terms; these are not terms: {quote_first(strange)}")
        low, high = (np.fromiter(map(number.__getitem__, column), np.int64, len(column)) for column in (child, above))
        every = tuple(known)
        order = np.arange(len(every)) if (high > low).all() else _children_first(low, high, every)
        rank = np.empty(order.size, dtype=np.int64)
        rank[order] = np.arange(order.size)
        in_order = tuple(map(every.__getitem__, order.tolist()))
        called = tuple((names or {}).get(term, "") for term in in_order)
        return cls(
            in_order, *_rows(rank[low], rank[high], order.size), called, aliases or {}, names_of(obsolete, "obsolete")
        )

    @classmethod
    def from_networkx(cls, graph: Any, *, direction: Direction = "down") -> Dag:
        """Return the graph of a directed graph of networkx.

        Parameters
        ----------
        graph : networkx.DiGraph or networkx.MultiDiGraph
            Nodes are the terms; their attribute ``name`` becomes the name. With keys of edges, as obonet gives them,
            all relations count: pass a subgraph with those that lead to broader terms.
        direction : {"down", "up"}
            Whether edges lead from parents to children, as `from_networkx` takes them, or from children to parents,
            as obonet gives them.

        Examples
        --------
        >>> import networkx
        >>> from dendrometry import Dag
        >>> Dag.from_networkx(networkx.DiGraph([("animal", "bird"), ("bird", "owl")]))
        Dag(3 terms 'owl' to 'animal', 2 edges, 1 root)
        """
        one_of(direction, "direction", get_args(Direction))
        if not hasattr(graph, "is_directed") or not hasattr(graph, "edges"):
            raise InvalidInputError(f"graph must be a networkx graph; got {type(graph).__name__}")
        if not graph.is_directed():
            raise InvalidTreeError("the graph must be directed, between parents and children; got an undirected one")
        nodes = list(graph.nodes)
        term = dict(zip(nodes, item_names_of(nodes, "the nodes of the graph"), strict=True))
        ends = ((edge[1], edge[0]) if direction == "down" else (edge[0], edge[1]) for edge in graph.edges())
        named = {term[node]: data["name"] for node, data in graph.nodes(data=True) if isinstance(data.get("name"), str)}
        return cls.from_edges(((term[u], term[v]) for u, v in ends), terms=term.values(), names=named)

    @classmethod
    def from_hierarchy(cls, tree: Hierarchy) -> Dag:
        """Return the nodes of a tree as terms, with the same numbers.

        A term is identified by the item that its node alone holds if each node holds one, as `from_obo` gives them;
        else by the name of the node, or its only item; where that is missing or repeated, by its number: "node 3".

        Examples
        --------
        >>> from dendrometry import Dag, from_paths
        >>> Dag.from_hierarchy(from_paths(["animal/mammal", "animal/bird", "plant"])).terms
        ('mammal', 'bird', 'animal', 'plant', 'node 4')
        """
        require_hierarchy(tree)
        above = tree.parent[:-1]
        start = np.minimum(np.arange(tree.n_nodes + 1), above.size)
        names = tree.node_names
        if (tree.own_sizes == 1).all():
            terms = [tree.items[i] for i in walks.by_number(tree.item_node.copy(), tree.n_nodes).tolist()]
        else:
            terms, names = _terms_of_nodes(tree), ()
        return cls(tuple(terms), start, above, names)

    @property
    def n_terms(self) -> int:
        """The number of terms."""
        return len(self.terms)

    @property
    def n_edges(self) -> int:
        """The number of pairs of a term and a parent of it."""
        return self.parent.size

    @property
    def n_parents(self) -> IntArray:
        """The number of parents of each term."""
        return np.diff(self.parent_start)

    @property
    def is_tree(self) -> bool:
        """Whether there is one root and every other term has one parent."""
        return self.n_edges == self.n_terms - 1 and bool((self.n_parents <= 1).all())

    @cached_property
    def roots(self) -> IntArray:
        """The terms without parents, in ascending order."""
        roots: IntArray = read_only(np.flatnonzero(self.n_parents == 0))
        return roots

    @cached_property
    def leaves(self) -> IntArray:
        """The terms without children, in ascending order."""
        leaves: IntArray = read_only(np.flatnonzero(np.diff(self.children.start) == 0))
        return leaves

    @property
    def parents(self) -> Relatives:
        """The parents of every term."""
        return Relatives(self.parent_start, self.parent)

    @cached_property
    def children(self) -> Relatives:
        """The children of every term."""
        child = np.repeat(np.arange(self.n_terms), self.n_parents)
        start = np.concatenate(([0], np.cumsum(np.bincount(self.parent, minlength=self.n_terms))))
        return Relatives(start, child[walks.by_number(self.parent.copy(), self.n_terms)])

    @cached_property
    def depths(self) -> IntArray:
        """The number of edges on the longest way from each term to a root."""
        depths: IntArray = read_only(kernels.longest_ways(self.parent_start.copy(), self.parent.copy()))
        return depths

    @cached_property
    def shortest_depths(self) -> IntArray:
        """The number of edges on the shortest way from each term to a root."""
        depths: IntArray = read_only(kernels.shortest_ways(self.parent_start.copy(), self.parent.copy()))
        return depths

    @cached_property
    def ancestors(self) -> Relatives:
        """The terms at or above every term, itself first.

        Raises
        ------
        InvalidInputError
            If they do not fit in memory, as those of a chain of a million terms.
        """
        start, parent, every = self.parent_start.copy(), self.parent.copy(), np.arange(self.n_terms)
        advice = "Take a part with fewer levels."
        _memory.require_memory(8 * int((self.depths + 1).sum()), "a table of all ancestors", advice)
        most = _memory.available() // 8
        first = np.concatenate(([0], np.cumsum(kernels.count_above(start, parent, every, most))))
        _memory.require_memory(8 * int(first[-1]), "a table of all ancestors", advice)
        above = np.empty(int(first[-1]), dtype=np.int64)
        kernels.fill_above(start, parent, every, first, above)
        return Relatives(first, above)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of each term by its identifier."""
        return MappingProxyType({term: v for v, term in enumerate(self.terms)})

    def find(self, term: str) -> int:
        """Return the number of a term by its identifier, or by one that stands for it.

        Raises
        ------
        UnknownNameError
            If there is no such term.
        """
        given: object = term
        at = self.number.get(self.aliases.get(given, given)) if isinstance(given, str) else None
        if at is None:
            note = ", which is obsolete" if given in self.obsolete else ""
            raise UnknownNameError(f"a term must be one of {self.n_terms:,} terms; got '{printable(term)}'{note}")
        return at

    def parents_of(self, term: str) -> list[int]:
        """Return the numbers of the parents of a term."""
        v = self.find(term)
        return list(self.parent[self.parent_start[v] : self.parent_start[v + 1]].tolist())

    def children_of(self, term: str) -> list[int]:
        """Return the numbers of the children of a term."""
        v = self.find(term)
        return list(self.children.term[self.children.start[v] : self.children.start[v + 1]].tolist())

    def below(self, term: str) -> Dag:
        """Return the graph of a term and all terms below it, of which it is the only root.

        Aliases and obsolete terms are kept as far as they concern these terms; parents elsewhere are left out.
        """
        v = self.find(term)
        keep = np.zeros(self.n_terms, dtype=bool)
        keep[v] = True
        start, child = self.children
        for u in range(v, -1, -1):
            if keep[u]:
                keep[child[start[u] : start[u + 1]]] = True
        return self.restrict([self.terms[u] for u in np.flatnonzero(keep).tolist()])

    def restrict(self, terms: Iterable[str]) -> Dag:
        """Return the graph of some terms and the edges between them; their parents that are left out are lost."""
        wanted = item_names_of(elements(terms, "terms"), "terms")
        keep = np.zeros(self.n_terms, dtype=bool)
        keep[[self.find(term) for term in wanted]] = True
        if not keep.any():
            raise InvalidInputError("terms must hold at least one term; got none")
        child = np.repeat(np.arange(self.n_terms), self.n_parents)
        stays = keep[child] & keep[self.parent]
        number = np.cumsum(keep) - 1
        held = np.bincount(number[child[stays]], minlength=int(keep.sum()))
        kept = tuple(self.terms[v] for v in np.flatnonzero(keep).tolist())
        return Dag(
            kept,
            np.concatenate(([0], np.cumsum(held))),
            number[self.parent[stays]],
            tuple(self.names[v] for v in np.flatnonzero(keep).tolist()) if self.names else (),
            {other: term for other, term in self.aliases.items() if keep[self.number[term]]},
            self.obsolete,
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return the terms as columns: term, name, the identifiers of its parents, and its depth."""
        start, parent = self.parent_start.tolist(), self.parent.tolist()
        above = [[self.terms[p] for p in parent[start[v] : start[v + 1]]] for v in range(self.n_terms)]
        names = list(self.names or [""] * self.n_terms)
        return {"term": list(self.terms), "name": names, "parents": above, "depth": self.depths.tolist()}

    def __repr__(self) -> str:
        n_several = int((self.n_parents > 1).sum())
        several = f", {plural(n_several, 'term')} with several parents" if n_several else ""
        named = first_to_last(self.terms)
        counts = f"{plural(self.n_edges, 'edge')}, {plural(self.roots.size, 'root')}"
        return f"Dag({plural(self.n_terms, 'term')} {named}, {counts}{several})"

    def _repr_html_(self) -> str:
        shown = self.restrict(self.terms[-_MOST_ROWS:]) if self.n_terms > _MOST_ROWS else self
        columns = shown.columns()
        columns["parents"] = [", ".join(above) for above in columns["parents"]]
        return preview(repr(self), {name: column[::-1] for name, column in columns.items()})

    def __eq__(self, other: object) -> bool:
        """Whether both have the same terms and the same edges between them; names and the order are ignored."""
        if not isinstance(other, Dag):
            return NotImplemented
        return self._parents_by_term == other._parents_by_term

    def __hash__(self) -> int:
        return hash(frozenset(self.terms))

    def __reduce__(self) -> tuple[object, ...]:
        columns = (self.terms, self.parent_start, self.parent, self.names, dict(self.aliases), self.obsolete)
        return Dag, columns

    @property
    def _parents_by_term(self) -> dict[str, set[str]]:
        """The identifiers of the parents of each term."""
        columns = self.columns()
        return dict(zip(columns["term"], map(set, columns["parents"]), strict=True))


def require_dag(value: object, what: str = "the taxonomy") -> None:
    """Refuse what is not a graph of terms; the message says how to get one."""
    if not isinstance(value, Dag):
        raise InvalidInputError(f"{what} must be a Dag; got {type(value).__name__} (io.as_dag() makes one)")


def _check_columns(start: IntArray, parent: IntArray) -> None:
    """Refuse columns that do not describe terms with children before parents."""
    if start.size < 2:
        raise InvalidTreeError("there must be at least one term; got none")
    if start[0] != 0 or start[-1] != parent.size or (np.diff(start) < 0).any():
        raise InvalidTreeError(f"parent_start must ascend from 0 to the number of parents, {parent.size:,}")
    child = np.repeat(np.arange(start.size - 1), np.diff(start))
    wrong = (parent <= child) | (parent >= start.size - 1)
    if wrong.any():
        e = int(np.argmax(wrong))
        raise InvalidTreeError(
            f"a parent of term {child[e]} must be a later term, below {start.size - 1}; got {parent[e]}"
            " (Dag.from_edges takes terms in any order)"
        )
    repeated = (np.diff(child) == 0) & (np.diff(parent) <= 0)
    if repeated.any():
        v = int(child[int(np.argmax(repeated))])
        raise InvalidTreeError(f"the parents of each term must ascend and be distinct; those of term {v} do not")


def _alias_column(aliases: Mapping[str, str], terms: tuple[str, ...]) -> Mapping[str, str]:
    """Return other identifiers of terms, none of which is a term itself."""
    given: object = aliases
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"aliases must be a mapping from identifier to term; got {printable(given)}")
    known = set(terms)
    names_of(tuple(aliases), "aliases")
    strange = [other for other, term in aliases.items() if term not in known or other in known]
    if strange:
        raise InvalidInputError(f"aliases must stand for a term and be none themselves; got {quote_first(strange)}")
    return MappingProxyType(dict(aliases))


def _pairs(edges: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the children and the parents of edges."""
    given = elements(edges, "edges")
    for at, edge in enumerate(given):
        if not _is_pair(edge):
            raise InvalidInputError(f"each edge must be a pair of a child and a parent; got {printable(edge)} at {at}")
    child, above = zip(*given, strict=True) if given else ((), ())
    return item_names_of(child, "the children"), item_names_of(above, "the parents")


def _is_pair(value: object) -> bool:
    """Whether a value holds two others, and is not a text of two letters."""
    return isinstance(value, Sized) and not isinstance(value, str | bytes) and len(value) == 2


def _alternating(child: tuple[str, ...], above: tuple[str, ...]) -> Iterable[str]:
    """Yield the ends of the edges in the order in which they come."""
    for pair in zip(child, above, strict=True):
        yield from pair


def _children_first(child: IntArray, above: IntArray, terms: tuple[str, ...]) -> IntArray:
    """Return the terms in an order in which children come first; refuse a cycle."""
    start, parent = _rows(child, above, len(terms))
    order = kernels.children_first(start, parent)
    if order.size < len(terms):
        way = " → ".join(f"'{printable(terms[v])}'" for v in _cycle(start, parent, order))
        raise InvalidTreeError(f"no term may be above itself; got the cycle {way}")
    return order


def _rows(child: IntArray, above: IntArray, n_terms: int) -> tuple[IntArray, IntArray]:
    """Return edges as distinct ascending parents of each term."""
    child, above = np.divmod(np.unique(child * n_terms + above), n_terms)
    return np.concatenate(([0], np.cumsum(np.bincount(child, minlength=n_terms)))), above


def _cycle(start: IntArray, parent: IntArray, order: IntArray) -> list[int]:
    """Return the terms of a cycle, the first of them again at its end, from those that are not in the order."""
    left = np.ones(start.size - 1, dtype=bool)
    left[order] = False
    child = np.repeat(np.arange(start.size - 1), np.diff(start))
    below = {int(p): int(c) for c, p in zip(child, parent, strict=True) if left[c] and left[p]}
    v = next(iter(below))
    way: list[int] = []
    seen: dict[int, int] = {}
    while v not in seen:
        seen[v] = len(way)
        way.append(v)
        v = below[v]
    cycle = way[seen[v] :][::-1]
    return [*cycle, cycle[0]]


def _terms_of_nodes(tree: Hierarchy) -> list[str]:
    """Return an identifier for each node: its name, its only item or its number."""
    called = list(tree.node_names or ("",) * tree.n_nodes)
    own = tree.own_sizes.tolist()
    for item, v in zip(tree.items, tree.item_node.tolist(), strict=True):
        if own[v] == 1 and not called[v]:
            called[v] = item
    count: dict[str, int] = {}
    for name in called:
        count[name] = count.get(name, 0) + 1
    terms = [name if name and count[name] == 1 else f"node {v}" for v, name in enumerate(called)]
    return terms if len(set(terms)) == len(terms) else [f"node {v}" for v in range(len(terms))]
