"""Embeddings of concepts beside their places: parents, siblings, and pairs of concepts."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from dendrometry._kernels.concepts import pairs as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.taxonomy.lineage import Lineages

QUALITIES = ("parent_preference", "sibling_coherence", "concept_similarity_correlation")
_MOST_PAIRS = 20_000  # of concepts: if there are more, as many are drawn
_MOST_SIBLINGS = 16  # of a parent: if there are more, as many are drawn
_NUMBERS = 2**22  # of a block of products
_ROUNDING = 1e-12  # cosines that differ by less are equal


class Shape(NamedTuple):
    """How even a taxonomy is.

    Attributes
    ----------
    n_leaves, depth_mean, depth_deviation, depth_most : int, float, float, int
        The number of leaves; mean, standard deviation and maximum of their depths, on the longest way up.
    n_single : int
        The number of concepts with a single child.
    children_mean, children_most : float, int
        The mean and maximum number of children, of concepts that have any.
    n_several : int
        The number of concepts with several parents.
    """

    n_leaves: int
    depth_mean: float
    depth_deviation: float
    depth_most: int
    n_single: int
    children_mean: float
    children_most: int
    n_several: int


class Surroundings:
    """What the concepts of a taxonomy are compared with: the siblings of parents, and other concepts.

    Parameters
    ----------
    dag : Dag
        The taxonomy.
    rng : numpy Generator
        Draws pairs and siblings, if there are too many.
    """

    def __init__(self, dag: Dag, rng: np.random.Generator) -> None:
        self._dag = dag
        self._child = np.repeat(np.arange(dag.n_terms), dag.n_parents)
        self._edge, self._sibling = _siblings_of_parents(dag, self._child, rng)
        self._pair = _some_pairs(dag.n_terms, rng).T.copy()
        lines = Lineages(dag, "the taxonomy")
        self._wu_palmer = kernels.wu_palmer_similarities(lines.above, lines.worth, *self._pair)

    def scores(self, rows: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the scores of unit rows, the preference of each edge, and the coherence of each concept's children."""
        dag = self._dag
        to_parent = cosines(rows, self._child, dag.parent)
        count = np.bincount(self._edge, minlength=dag.n_edges)
        total = np.bincount(self._edge, cosines(rows, self._child[self._edge], self._sibling), dag.n_edges)
        preference = np.where(count > 0, to_parent - total / np.maximum(count, 1), np.nan)
        defined = preference[count > 0]
        share = np.nan
        if defined.size:
            share = float((defined > _ROUNDING).mean() + (np.abs(defined) <= _ROUNDING).mean() / 2)
        coherence, mean = self._coherence(rows)
        cosine = cosines(rows, *self._pair)
        return np.array([share, mean, _correlation(cosine, self._wu_palmer)]), preference, coherence

    def _coherence(self, rows: FloatArray) -> tuple[FloatArray, float]:
        """Return the mean cosine of pairs of children of each concept, and over all such pairs."""
        children = self._dag.children
        size = np.diff(children.start)
        n_pairs = size * (size - 1) / 2.0
        total = np.zeros(size.size)
        several = np.flatnonzero(size > 1)
        for v in several.tolist():
            of_all = rows[children.term[children.start[v] : children.start[v + 1]]].sum(axis=0)
            total[v] = (of_all @ of_all - size[v]) / 2.0  # the square of a sum of unit vectors
        coherence = np.full(size.size, np.nan)
        coherence[several] = total[several] / n_pairs[several]
        return coherence, float(total.sum() / n_pairs.sum()) if several.size else float("nan")


def cosines(rows: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """Return the cosines of pairs of unit rows."""
    value = np.empty(first.size)
    step = max(1, _NUMBERS // rows.shape[1])
    for low in range(0, first.size, step):
        some = slice(low, low + step)
        value[some] = np.einsum("ij,ij->i", rows[first[some]], rows[second[some]])
    return value


def shape_of(dag: Dag) -> Shape:
    """Return how even a taxonomy is."""
    depth, size = dag.depths[dag.leaves], np.diff(dag.children.start)
    inner = size[size > 0]
    return Shape(
        int(dag.leaves.size),
        float(depth.mean()),
        float(depth.std()),
        int(depth.max()),
        int((inner == 1).sum()),
        float(inner.mean()),
        int(inner.max()),
        int((dag.n_parents > 1).sum()),
    )


def _siblings_of_parents(dag: Dag, child: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return pairs of an edge and a sibling of its parent, by the number of the edge."""
    start, parent = dag.parent_start.tolist(), dag.parent.tolist()
    first, below = dag.children.start.tolist(), dag.children.term.tolist()
    edges: list[int] = []
    siblings: list[int] = []
    for e, (c, p) in enumerate(zip(child.tolist(), parent, strict=True)):
        above = parent[start[p] : start[p + 1]]
        near = {v for g in above for v in below[first[g] : first[g + 1]]}
        near.difference_update(parent[start[c] : start[c + 1]], (c,))
        some = sorted(near)
        if len(some) > _MOST_SIBLINGS:
            some = [some[i] for i in rng.choice(len(some), _MOST_SIBLINGS, replace=False).tolist()]
        edges.extend([e] * len(some))
        siblings.extend(some)
    return np.array(edges, dtype=np.int64), np.array(siblings, dtype=np.int64)


def _some_pairs(n: int, rng: np.random.Generator) -> IntArray:
    """Return all pairs of different numbers below n, or many random ones."""
    if n * (n - 1) // 2 <= _MOST_PAIRS:
        every: IntArray = np.array(list(combinations(range(n), 2)), dtype=np.int64).reshape(-1, 2)
        return every
    drawn = rng.integers(0, n, (2 * _MOST_PAIRS, 2))
    some: IntArray = drawn[drawn[:, 0] != drawn[:, 1]][:_MOST_PAIRS]
    return some


def _correlation(x: FloatArray, y: FloatArray) -> float:
    """Return Pearson's correlation; nan if either column is constant."""
    if x.size < 2:
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    spread = float(np.sqrt((x @ x) * (y @ y)))
    return float(np.clip(x @ y / spread, -1.0, 1.0)) if spread > _ROUNDING else float("nan")
