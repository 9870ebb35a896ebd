"""The documents of a stream, indexed by term: lists for most terms, bytes for terms of many documents.

Whenever the weights change, most terms get a list of their documents with some room for more, and those of many
documents a column of bytes with a value for each document, rounded up: their products bound those of the documents. A
new document is added to the lists and columns; where a list is full, its entries lead from each to the one before.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray

UNIT = 200  # bytes for a weight of 1; a sum of products of 2,048 bytes rounded up is still below 2**16


class Documents(NamedTuple):
    """Sparse rows of length 1 and no negative weight, with room for more."""

    indptr: IntArray
    column: NDArray[np.int32]
    times: NDArray[np.int32]  # that a term occurs
    weight: FloatArray
    row: NDArray[np.int32]  # of each entry that is in no list
    previous: IntArray  # the one before in the same column; -1 if there is none


class Terms(NamedTuple):
    """What is known of each term, with room for more."""

    frequency: IntArray
    idf: FloatArray
    last: IntArray  # entry that is in no list; -1 if there is none
    dense: FloatArray  # a document; 0 between searches


class Index(NamedTuple):
    """Lists of columns, and bytes for all rows, those not yet known included."""

    begin: IntArray
    end: IntArray  # of what a list holds, which may grow to where the next begins; -1 for columns with bytes
    row: NDArray[np.int32]
    weight: NDArray[np.float32]
    place: NDArray[np.int32]  # of a column: -1 if listed; its number if common; after these, that of its bytes
    group: IntArray  # of each common column
    part: NDArray[np.uint8]  # the length of each row in each group; then its weight in each column with bytes
    slot: NDArray[np.uint8]  # for each row, its length in each group; then its weight in each common column


@njit
def _weigh_row(a: int, b: int, documents: Documents, idf: FloatArray) -> None:
    """Set the weights of the entries of a row, of length 1 in all. O(entries)."""
    square = 0.0
    for k in range(a, b):
        documents.weight[k] = documents.times[k] * idf[documents.column[k]]
        square += documents.weight[k] * documents.weight[k]
    length = np.sqrt(square)
    for k in range(a, b):
        documents.weight[k] /= length


@njit
def weigh(n_rows: int, documents: Documents, idf: FloatArray, mass: FloatArray) -> None:
    """Set all weights, and add their squares to those of their columns. O(entries)."""
    for y in range(n_rows):
        if stopped():
            return
        a, b = documents.indptr[y], documents.indptr[y + 1]
        _weigh_row(a, b, documents, idf)
        for k in range(a, b):
            mass[documents.column[k]] += documents.weight[k] * documents.weight[k]


@njit
def store_frequent(y: int, documents: Documents, index: Index, square: FloatArray) -> None:
    """Store the bytes of a row. O(entries). ``square``, for each group, is 0 before and after."""
    n_common = index.group.size
    for k in range(documents.indptr[y], documents.indptr[y + 1]):
        c, weight = documents.column[k], documents.weight[k]
        place = index.place[c] if c < index.place.size else -1
        if place >= n_common:
            index.part[square.size + place - n_common, y] = np.uint8(weight * UNIT + 1.0)
        elif place >= 0:
            square[index.group[place]] += weight * weight
            index.slot[y, square.size + place] = np.uint8(weight * UNIT + 1.0)
    for g in range(square.size):
        if square[g] > 0.0:
            index.part[g, y] = index.slot[y, g] = np.uint8(np.sqrt(square[g]) * UNIT + 1.0)
            square[g] = 0.0


@njit
def store(token: IntArray, y: int, documents: Documents, terms: Terms) -> NDArray[np.int32]:
    """Store the columns and weights of the next row, also as a dense vector; return the columns. O(tokens)."""
    first = last = documents.indptr[y]
    for c in token:
        if terms.dense[c] == 0.0:
            documents.column[last] = c
            last += 1
        terms.dense[c] += 1.0
    documents.indptr[y + 1] = last
    for k in range(first, last):
        documents.times[k] = terms.dense[documents.column[k]]
    _weigh_row(first, last, documents, terms.idf)
    for k in range(first, last):
        terms.dense[documents.column[k]] = documents.weight[k]
    return documents.column[first:last]


@njit
def append(y: int, documents: Documents, terms: Terms, index: Index) -> None:
    """Add the next row to the lists, and clear the dense vector. O(entries)."""
    for k in range(documents.indptr[y], documents.indptr[y + 1]):
        c = documents.column[k]
        terms.dense[c] = 0.0
        terms.frequency[c] += 1
        if c >= index.place.size or index.end[c] == index.begin[c + 1]:
            documents.row[k] = y
            documents.previous[k] = terms.last[c]
            terms.last[c] = k
        elif index.end[c] >= 0:
            index.row[index.end[c]] = y
            index.weight[index.end[c]] = documents.weight[k]
            index.end[c] += 1


@njit
def list_documents(n_rows: int, documents: Documents, index: Index, square: FloatArray) -> None:
    """Fill the lists, and the bytes of all rows. O(entries)."""
    for y in range(n_rows):
        if stopped():
            return
        for k in range(documents.indptr[y], documents.indptr[y + 1]):
            at = index.end[documents.column[k]]
            if at >= 0:
                index.row[at] = y
                index.weight[at] = documents.weight[k]
                index.end[documents.column[k]] = at + 1
        store_frequent(y, documents, index, square)
