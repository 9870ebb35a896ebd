"""Differential words: terms that distinguish a node from the rest, by mutual information or chi-square."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.label.ordered import Ordered
from dendrometry.label.plan import LabelPlan, Words, best_words

_Score = Callable[[IntArray, IntArray, int, int], FloatArray]


def by_mutual_information(documents: Ordered, nodes: IntArray, plan: LabelPlan) -> list[Words]:
    """Return the words of nodes by `information`, with a penalty for terms that are rare in the node."""
    return [_words(documents, v, plan, information) for v in nodes.tolist()]


def by_chi_square(documents: Ordered, nodes: IntArray, plan: LabelPlan) -> list[Words]:
    """Return the words of nodes by `chi_square`, with a penalty for terms that are rare in the node."""
    return [_words(documents, v, plan, chi_square) for v in nodes.tolist()]


def information(inside: IntArray, overall: IntArray, size: int, n: int) -> FloatArray:
    """Return the mutual information, in bits, of containing each term and being in the node.

    Of ``n`` documents, ``size`` are in the node and ``overall`` contain the term, ``inside`` of them in the node.
    """
    total = np.zeros(inside.size)
    for both, has, within in _cells(inside, overall, size, n):
        odds = np.divide(both * float(n), has * float(within), out=np.ones(both.size), where=both > 0)
        total += both / n * np.log2(odds)
    return np.maximum(total, 0.0)


def chi_square(inside: IntArray, overall: IntArray, size: int, n: int) -> FloatArray:
    """Return the chi-square statistic of containing each term and being in the node, 0 if either is constant.

    The arguments are those of `information`.
    """
    between = inside * float(n) - overall * float(size)
    margins = overall * (n - overall).astype(np.float64) * (float(size) * (n - size))
    statistic: FloatArray = n * np.divide(between * between, margins, out=np.zeros(inside.size), where=margins > 0)
    return statistic


def _words(documents: Ordered, v: int, plan: LabelPlan, score: _Score) -> Words:
    """Return the words of one node: of the terms more frequent inside than outside, those with the best scores."""
    size, n = int(documents.size[v]), documents.n
    inside = documents.frequency(v)
    column = np.flatnonzero(inside * n > documents.overall * size)
    inside = inside[column]
    scores = score(inside, documents.overall[column], size, n)
    return best_words(documents, column, scores * plan.penalty(inside, size), plan.n_terms)


def _cells(inside: IntArray, overall: IntArray, size: int, n: int) -> list[tuple[IntArray, IntArray, int]]:
    """Return the four cells of the table of each term, each with its two margins."""
    without = n - overall
    return [
        (inside, overall, size),
        (overall - inside, overall, n - size),
        (size - inside, without, size),
        (without - size + inside, without, n - size),
    ]
