"""What all ways of labelling share: their options, the words they return, and how the best are picked."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray

__all__ = ["Plan", "Words", "best", "best_words"]

_BITS = 40  # of a score that count in its rank: what differs by rounding alone is equal


class Words(NamedTuple):
    """The words of one node, the best first, each with its score."""

    terms: tuple[str, ...]
    scores: tuple[float, ...]


class Plan(NamedTuple):
    """The options of labelling, checked."""

    n_terms: int
    rare_penalty: float
    significance: float

    def penalty(self, inside: IntArray, size: int) -> FloatArray:
        """Return the factor of terms that ``inside`` of the ``size`` documents of a node hold: at most 1."""
        factor: FloatArray = (inside / size) ** self.rare_penalty
        return factor


def best(column: IntArray, scores: FloatArray, most: int) -> IntArray:
    """Return the places of the largest scores, the largest first, of equal ones the first column."""
    mantissa, exponent = np.frexp(scores)
    rank = np.ldexp(np.rint(np.ldexp(mantissa, _BITS)), exponent - _BITS)
    chosen = np.arange(column.size)
    if column.size > most:
        least = np.partition(rank, column.size - most)[column.size - most]
        chosen = np.flatnonzero(rank >= least)
    order = np.lexsort((column[chosen], -rank[chosen]))
    places: IntArray = chosen[order[:most]]
    return places


def best_words(terms: tuple[str, ...], column: IntArray, scores: FloatArray, most: int) -> Words:
    """Return the terms of the largest scores, the largest first, of equal ones in alphabetical order."""
    places = best(column, scores, most)
    return Words(tuple(terms[c] for c in column[places].tolist()), tuple(scores[places].tolist()))
