"""Information of terms: how surprising each is, beyond its parents or at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.numbers import real_number
from dendrometry._display import printable, quote_first
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels import taxonomy as kernels
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.errors import InvalidInputError
from dendrometry.taxonomy.sets import graph_of, propagate

Source = Literal["annotations", "intrinsic"]


@dataclass(frozen=True, eq=False, repr=False)
class Information(Frozen, Tabular):
    """The information of each term, in bits, from how many items of a corpus each holds.

    Attributes
    ----------
    terms : tuple of str
        The terms.
    n_items : (n_terms,) array of int
        How many items of the corpus have the term, or one below it.
    accretion : (n_terms,) array of float
        -log2 of the share of items with the term among those with all its parents, as CAFA weights terms; 0 for a root
        and for a term that no item has.
    content : (n_terms,) array of float
        -log2 of the share of items with the term among all items (Resnik); 0 for a term that no item has.
    """

    terms: tuple[str, ...]
    n_items: IntArray
    accretion: FloatArray
    content: FloatArray

    def columns(self) -> dict[str, list[Any]]:
        """Return the terms as columns."""
        names = ("n_items", "accretion", "content")
        return {"term": list(self.terms)} | {name: getattr(self, name).tolist() for name in names}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each term."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).set_index("term")

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        n_seen = int((self.n_items > 0).sum())
        return f"Information({len(self.terms):,} terms, {n_seen:,} seen, up to {self.content.max():.4g} bits)"


def information_of(dag: Dag, start: IntArray, term: IntArray) -> Information:
    """Return the information of each term from items with labels: those of i are ``term[start[i]:start[i + 1]]``."""
    graph = graph_of(dag, np.ones(dag.n_terms, dtype=bool))
    held = propagate(graph, kernels.Sets(start, term, np.ones(term.size, dtype=np.int64)))
    items = np.bincount(held.term, minlength=dag.n_terms)
    together = _with_all_parents(dag, graph, held, items)
    n_items = max(int((np.diff(held.start) > 0).sum()), 1)
    seen = items > 0
    accretion, content = np.zeros(dag.n_terms), np.zeros(dag.n_terms)
    has_parents = dag.n_parents > 0
    both = seen & has_parents
    accretion[both] = np.log2(together[both] / items[both])
    content[seen] = np.log2(n_items / items[seen])
    return Information(dag.terms, items, accretion, content)


def intrinsic_information(dag: Dag) -> Information:
    """Return the information of each term as if each were the label of one item."""
    return information_of(dag, np.arange(dag.n_terms + 1), np.arange(dag.n_terms))


def given_weights(dag: Dag, weights: Mapping[str, float]) -> FloatArray:
    """Return the weight of each term from a mapping; terms that it leaves out weigh nothing."""
    found = np.zeros(dag.n_terms)
    strange = [term for term in weights if dag.aliases.get(term, term) not in dag.number]
    if strange:
        raise InvalidInputError(f"information must be that of terms; these are not terms: {quote_first(strange)}")
    for term, value in weights.items():
        found[dag.find(term)] = real_number(value, f"the information of '{printable(term)}'", least=0.0)
    return found


def _with_all_parents(dag: Dag, graph: kernels.Graph, held: kernels.Sets, items: IntArray) -> IntArray:
    """Return, for each term with parents, how many items have all of them; ``items`` counts those with each term."""
    child = np.repeat(np.arange(dag.n_terms), dag.n_parents)
    order = np.lexsort((items[dag.parent], child))
    first = order[np.diff(child[order], prepend=-1) > 0]  # of each child, the edge to its rarest parent
    counts = np.zeros(dag.n_terms, dtype=np.int64)
    counts[child[first]] = items[dag.parent[first]]
    several = first[dag.n_parents[child[first]] > 1]
    counts[child[several]] = 0
    by_parent = several[np.argsort(dag.parent[several], kind="stable")]
    start = np.concatenate(([0], np.cumsum(np.bincount(dag.parent[by_parent], minlength=dag.n_terms))))
    kernels.count_with_parents(graph, start, child[by_parent], held, counts)
    return counts
