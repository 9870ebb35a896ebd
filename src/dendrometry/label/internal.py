"""Words from a node alone: the terms of largest weight in its centroid, and the title of the document nearest to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._check.points import is_sparse
from dendrometry._typing import FloatArray, IntArray
from dendrometry.label.ordered import Ordered
from dendrometry.label.plan import LabelPlan, Words, best_words


def by_centroid(documents: Ordered, nodes: IntArray, plan: LabelPlan) -> list[Words]:
    """Return the terms with the largest weights in the mean of the tf-idf vectors of each node."""
    return [_centroid_words(documents, v, plan) for v in nodes.tolist()]


def by_title(documents: Ordered, nodes: IntArray, plan: LabelPlan) -> list[Words]:
    """Return the title of the document nearest to the centroid of each node, the first of equal ones."""
    return [_title(documents, v) for v in nodes.tolist()]


def _centroid_words(documents: Ordered, v: int, plan: LabelPlan) -> Words:
    """Return the terms of one centroid."""
    centroid = documents.total_weight(v) / documents.size[v]
    column = np.flatnonzero(centroid)
    return best_words(documents, column, centroid[column], plan.n_terms)


def _title(documents: Ordered, v: int) -> Words:
    """Return the title (or name) of the document nearest to the centroid of a node, with the cosine of the two."""
    low, high = int(documents.low[v]), int(documents.high[v])
    vectors = documents.vectors
    cosines = _sparse_cosines(vectors, low, high) if is_sparse(vectors) else _dense_cosines(vectors[low:high])
    nearest = int(documents.row[low:high][cosines == cosines.max()].min())
    source = documents.documents
    return Words((source.titles[nearest] or source.items[nearest],), (float(cosines.max()),))


def _sparse_cosines(vectors: Any, low: int, high: int) -> FloatArray:
    """Return the cosine of each of some rows of length 1 with their sum.

    Equal rows have identical cosines: each is summed separately, in the order of its columns.
    """
    start = vectors.indptr[low : high + 1]
    column, weight = vectors.indices[start[0] : start[-1]], vectors.data[start[0] : start[-1]]
    total = np.bincount(column, weights=weight, minlength=vectors.shape[1]).astype(np.float64)
    return _over_length(np.add.reduceat(weight * total[column], start[:-1] - start[0]), total)


def _dense_cosines(rows: FloatArray) -> FloatArray:
    """Return the cosine of each row of length 1 with the sum of all; equal rows have equal cosines."""
    total = rows.sum(axis=0)
    return _over_length(np.einsum("ij,j->i", rows, total), total)


def _over_length(products: FloatArray, total: FloatArray) -> FloatArray:
    """Return dot products with a vector divided by its length; 0 if it is zero because the rows cancel."""
    length = float(np.sqrt(np.einsum("i,i->", total, total)))  # BLAS would share so little work among threads
    cosines: FloatArray = np.minimum(products / length, 1.0) + 0.0 if length > 0 else np.zeros(products.size)
    return cosines
