"""Concepts of one taxonomy that may be the same: by their names, or by their embeddings."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from dendrometry._display import plain_signature
from dendrometry._typing import FloatArray
from dendrometry.dag import Dag
from dendrometry.taxonomy.concept_changes import labels_of
from dendrometry.taxonomy.embedding import blocks

_MOST = 1_000  # pairs that are listed
_MOST_COMPARED = 20_000  # concepts whose embeddings are compared with all others
_NOT_WORDS = re.compile(r"[\W_]+")


@plain_signature
class Duplicate(NamedTuple):
    """Two concepts that may be the same.

    Attributes
    ----------
    first, second : str
        What they are called.
    why : {"name", "embedding"}
        Whether their names differ at most in case, punctuation and spaces, or their embeddings are alike.
    cosine : float or None
        The cosine of their embeddings.
    """

    first: str
    second: str
    why: str
    cosine: float | None


def find_duplicates(dag: Dag, rows: FloatArray, least: float) -> tuple[Duplicate, ...]:
    """Return pairs of concepts with the same name but for case, punctuation and spaces, or with a high cosine."""
    names = labels_of(dag)
    found = dict.fromkeys(_by_name(names), "name")
    if dag.n_terms <= _MOST_COMPARED:
        for pair in _by_cosine(rows, least):
            found.setdefault(pair, "embedding")
    pairs = np.array(list(found), dtype=np.int64).reshape(-1, 2)
    cosine = np.clip(np.einsum("ij,ij->i", rows[pairs[:, 0]], rows[pairs[:, 1]]), -1.0, 1.0)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -cosine))[:_MOST]
    listed = [(*pairs[i].tolist(), float(cosine[i])) for i in order.tolist()]
    return tuple(Duplicate(names[u], names[v], found[u, v], value) for u, v, value in listed)


def _by_name(names: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the first concept of each form of a name with each later one of the same form."""
    groups = defaultdict(list)
    for v, name in enumerate(names):
        form = _NOT_WORDS.sub("", unicodedata.normalize("NFKC", name)).casefold()
        if form:
            groups[form].append(v)
    return [(group[0], v) for group in groups.values() for v in group[1:]]


def _by_cosine(rows: FloatArray, least: float) -> list[tuple[int, int]]:
    """Return pairs with a high cosine, in order; if there are very many, those of the first concepts."""
    found: list[tuple[int, int]] = []
    for low, cosine in blocks(rows, rows):
        at, v = np.nonzero(cosine >= least)
        later = v > at + low
        found.extend(zip((at + low)[later].tolist(), v[later].tolist(), strict=True))
        if len(found) > 100 * _MOST:
            break
    return found
