"""How much two matched taxonomies have in common, for the matching as it is and for random relabellings of it."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from dendrometry._kernels.concepts import pairs as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.taxonomy.lineage import Lineages

MOST_SAMPLED = 20_000  # pairs or triples: if there are more, as many are drawn
SCORES = (
    "edge_precision",
    "edge_recall",
    "edge_f",
    "ancestor_precision",
    "ancestor_recall",
    "ancestor_f",
    "wu_palmer",
    "lin",
    "caset",
    "disc",
    "triples",
)
DISTANCES = ("caset", "disc")


class Values(NamedTuple):
    """The scores of one matching, and the standard errors of those from a sample (0 if all were counted).

    nan stands for a score that is not defined.
    """

    value: FloatArray
    error: FloatArray


class MatchedPair:
    """Two taxonomies whose concepts are matched, ready for scores of this matching and of relabellings of it.

    Parameters
    ----------
    a, b : Lineages
        The two taxonomies.
    in_a, in_b : (n_matched,) array of int
        The concepts that are matched, pair by pair.
    rng : numpy Generator
        Draws pairs and triples, if there are more than `MOST_SAMPLED`.
    """

    def __init__(self, a: Lineages, b: Lineages, in_a: IntArray, in_b: IntArray, rng: np.random.Generator) -> None:
        self.a, self.b, self.in_a, self.in_b = a, b, in_a, in_b
        kept_a, kept_b = np.zeros(a.n, dtype=bool), np.zeros(b.n, dtype=bool)
        kept_a[in_a], kept_b[in_b] = True, True
        self.places = a.nearest(kept_a), b.nearest(kept_b)
        self._rows = a.restricted(in_a), b.restricted(in_b)
        self._within = a.n_within(kept_a), b.n_within(kept_b)
        self.pair, self.triple = _some(self.n, 2, rng).T.copy(), _some(self.n, 3, rng)
        few = np.arange(self.n) if self.n <= MOST_SAMPLED else np.sort(rng.permutation(self.n)[:MOST_SAMPLED])
        self._few = in_b[few]
        self._shape = kernels.triple_shapes(a.above, in_a[self.triple])

    @property
    def n(self) -> int:
        """The number of matched pairs of concepts."""
        return self.in_a.size

    def values(self, order: IntArray | None = None) -> Values:
        """Return the scores; ``order`` exchanges the matches: concept i of ``in_b`` gets that of ``order[i]``.

        With an order, the similarities of places are those of at most `MOST_SAMPLED` concepts, always the same.
        """
        some = self.in_b if order is None else self._few
        order = np.arange(self.n) if order is None else order
        to_a = np.full(self.b.n, -1, dtype=np.int64)
        to_a[self.in_b] = self.in_a[order]
        shared = kernels.count_shared(self.a.above, self.b.above, to_a)
        similarity = kernels.place_similarities(self.a.above, self.a.worth, *self.places, to_a, some)
        value = np.full(len(SCORES), np.nan)
        error = np.zeros(len(SCORES))
        value[:6] = self._shares(shared.astype(np.float64))
        value[6:8] = similarity.mean(axis=0)
        value[8:10], error[8:10] = self._set_distances(order)
        value[10:], error[10:] = self._same_shapes(order)
        return Values(value, error)

    def expected(self) -> FloatArray:
        """Return the exact means over all relabellings: of the scores of edges and ancestors; nan for the others."""
        expected = np.full(len(SCORES), np.nan)
        if self.n > 1:
            products = [x * y / (self.n * (self.n - 1)) for x, y in zip(*self._within, strict=True)]
            expected[:6] = self._shares(np.array(products))
        return expected

    def _shares(self, shared: FloatArray) -> FloatArray:
        """Return precision, recall and F of edges, and of pairs of a concept and one above it."""
        value = np.full((2, 3), np.nan)
        counts = (self.a.n_edges, self.b.n_edges), (self.a.n_pairs, self.b.n_pairs)
        for row, (both, (n_a, n_b)) in enumerate(zip(shared.tolist(), counts, strict=True)):
            for column, (top, bottom) in enumerate(((both, n_b), (both, n_a), (2 * both, n_a + n_b))):
                if bottom:
                    value[row, column] = top / bottom
        return value.ravel()

    def _set_distances(self, order: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the means of the distances of common and of distinct ancestor sets, and their errors."""
        here = np.empty_like(order)
        here[order] = np.arange(self.n)
        each = kernels.set_distances(*self._rows, here, order, self.pair)
        return _means(each, self.pair.shape[1] < _number(self.n, 2))

    def _same_shapes(self, order: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the share of triples with the same shape in both, and its error."""
        here = np.empty_like(order)
        here[order] = np.arange(self.n)
        shape = kernels.triple_shapes(self.b.above, self.in_b[here[self.triple]])
        return _means((shape == self._shape)[:, None].astype(np.float64), self.triple.shape[0] < _number(self.n, 3))


def _number(n: int, size: int) -> int:
    """Return the number of pairs or triples of n concepts."""
    return n * (n - 1) // 2 if size == 2 else n * (n - 1) * (n - 2) // 6


def _some(n: int, size: int, rng: np.random.Generator) -> IntArray:
    """Return all pairs or triples of numbers below n, or `MOST_SAMPLED` random ones."""
    if _number(n, size) <= MOST_SAMPLED:
        every: IntArray = np.array(list(combinations(range(n), size)), dtype=np.int64).reshape(-1, size)
        return every
    drawn = rng.integers(0, n, (2 * MOST_SAMPLED, size))
    ordered = np.sort(drawn, axis=1)
    distinct = (np.diff(ordered, axis=1) > 0).all(axis=1)
    some: IntArray = drawn[distinct][:MOST_SAMPLED]
    return some


def _means(each: FloatArray, is_sample: bool) -> tuple[FloatArray, FloatArray]:
    """Return the means of columns, and their standard errors if they are those of a sample; nan without rows."""
    if not each.shape[0]:
        return np.full(each.shape[1], np.nan), np.zeros(each.shape[1])
    error = each.std(axis=0, ddof=1) / np.sqrt(each.shape[0]) if is_sample else np.zeros(each.shape[1])
    return each.mean(axis=0), error
