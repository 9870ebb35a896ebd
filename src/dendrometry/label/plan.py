"""The common parts of all labelling methods: options, results, and the choice of the best words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.label.ordered import Ordered

_BITS = 40  # of a score that count in its rank: scores that differ only by rounding are equal


class Words(NamedTuple):
    """The words of one node, the best first, each with its score."""

    terms: tuple[str, ...]
    scores: tuple[float, ...]


class LabelPlan(NamedTuple):
    """The options of labelling, checked."""

    n_terms: int
    rare_penalty: float
    alpha: float

    def penalty(self, inside: IntArray, size: int) -> FloatArray:
        """Return the factor, at most 1, of terms that ``inside`` of the ``size`` documents of a node contain."""
        factor: FloatArray = (inside / size) ** self.rare_penalty
        return factor


def best(
    documents: Ordered, column: IntArray, scores: FloatArray, most: int, used: frozenset[str] = frozenset()
) -> IntArray:
    """Return the positions of the largest scores, the largest first; of equal ones phrases, then the first column.

    A term is skipped if all its words occur in earlier terms or are ``used`` already, so that a word does not repeat
    its phrase.
    """
    mantissa, exponent = np.frexp(scores)
    rank = np.ldexp(np.rint(np.ldexp(mantissa, _BITS)), exponent - _BITS)
    if not documents.is_phrase.any():
        return _largest(documents, column, rank, most)
    taken = most
    while True:
        places = _largest(documents, column, rank, taken)
        telling = places[_new_words([documents.terms[c] for c in column[places].tolist()], used)]
        if telling.size >= most or places.size == column.size:
            return telling[:most]
        taken *= 2


def best_words(documents: Ordered, column: IntArray, scores: FloatArray, most: int) -> Words:
    """Return the terms chosen by `best`, with their scores."""
    places = best(documents, column, scores, most)
    return Words(tuple(documents.terms[c] for c in column[places].tolist()), tuple(scores[places].tolist()))


def _largest(documents: Ordered, column: IntArray, rank: FloatArray, most: int) -> IntArray:
    """Return the positions of the highest ranks, in order."""
    chosen = np.arange(column.size)
    if column.size > most:
        least = np.partition(rank, column.size - most)[column.size - most]
        chosen = np.flatnonzero(rank >= least)
    order = np.lexsort((column[chosen], ~documents.is_phrase[column[chosen]], -rank[chosen]))
    places: IntArray = chosen[order[:most]]
    return places


def _new_words(terms: list[str], used: frozenset[str]) -> IntArray:
    """Return which terms have a word that neither occurs in an earlier term nor is in ``told``."""
    there = set(used)
    kept = []
    for i, term in enumerate(terms):
        words = term.split(" ")
        if not there.issuperset(words):
            kept.append(i)
            there.update(words)
    return np.array(kept, dtype=np.int64)
