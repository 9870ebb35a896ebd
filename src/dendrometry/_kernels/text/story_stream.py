"""The similarity of a document to those of a stream that are remembered, by the lists of its terms."""

from dendrometry._kernels._jit import njit_brief
from dendrometry._kernels.text.story_index import Documents, Terms, store
from dendrometry._typing import FloatArray, IntArray


@njit_brief
def compare_recent(
    token: IntArray, n_rows: int, first: int, documents: Documents, terms: Terms, score: FloatArray
) -> None:
    """Store a document, given the columns of its terms; add its dot products with rows ``first ..`` to the scores.

    Each entry leads to the one before in the same column. Cost: the entries of these columns in the rows from
    ``first`` on, and one more for each column.
    """
    store(token, n_rows, documents, terms)
    for k in range(documents.indptr[n_rows], documents.indptr[n_rows + 1]):
        c = documents.column[k]
        entry = terms.last[c]
        while entry >= 0 and documents.row[entry] >= first:
            score[documents.row[entry] - first] += documents.weight[k] * documents.weight[entry]
            entry = documents.previous[entry]
        documents.row[k] = n_rows
        documents.previous[k] = terms.last[c]
        terms.last[c] = k
        terms.frequency[c] += 1
        terms.dense[c] = 0.0
