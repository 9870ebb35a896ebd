"""First stories as clusters: documents sent in a short time that resemble each other and nothing before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from dendrometry._check.arrays import float_column
from dendrometry._check.points import is_sparse
from dendrometry._display import plural
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError
from dendrometry.text.collection import Documents, stored_matrix
from dendrometry.text.story_windows import StoryCluster, StoryWindows, check_ascending

_BLOCK = 256


def story_clusters(
    documents: Documents,
    times: Iterable[float],
    *,
    window: float,
    novelty: float = 0.8,
    cosine: float = 0.4,
    min_size: int = 3,
) -> tuple[StoryCluster, ...]:
    """Return the tight clusters of documents sent within a short time and unlike all documents before them.

    For each document that is not in a cluster yet, the documents sent from then on until ``window`` later are examined;
    those whose cosine with any document sent before is above ``1 - novelty`` are left out. The cluster is what single
    link joins to the document among the rest, by cosines of at least ``cosine``. It is returned if it holds at least
    ``min_size`` documents. Documents in other places do not matter to single link, which suits it to this task [1]_.

    Parameters
    ----------
    documents : Documents
        The documents, in the order in which they were sent.
    times : (n_items,) array-like of float
        The time of each document, in any unit; in ascending order.
    window : float
        The longest time from the first to the last document of a cluster, in the same unit.
    novelty : float
        The least novelty of each document, from 0 to 1: 1 minus its greatest cosine with the documents before the
        cluster.
    cosine : float
        The least cosine of a link, above 0 and at most 1.
    min_size : int
        The least number of documents in a cluster.

    Returns
    -------
    tuple of StoryCluster
        The clusters in the order of their first documents; no document is in two of them.

    Raises
    ------
    InvalidInputError
        If an option is out of range, or the times do not fit the documents or are not in order.

    See Also
    --------
    StoryStream : The same for a stream, whose weights and clusters come from the past alone.
    first_stories : The novelty of each document of a stream, without looking ahead.

    Notes
    -----
    All documents are weighted together, so that the weights depend on documents sent later, unlike in `StoryStream`.
    The cosine of each pair is computed once; the time grows with the square of the number of documents.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, section 17.5, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry import datasets
    >>> from dendrometry.text import story_clusters, vectorize_documents
    >>> wire = datasets.news()
    >>> for cluster in story_clusters(vectorize_documents(wire.stories), wire.minutes, window=15):
    ...     print(cluster.start, cluster.end, round(cluster.novelty, 2), cluster.items[0], len(cluster.items))
    80.0 91.0 0.89 Explosion at chemical plant 4
    """
    vectors = _check_documents(documents)
    time = _check_times(times, documents.n_items)
    windows = StoryWindows(window, novelty, cosine, min_size)
    found: list[StoryCluster] = []
    for item, sent, similarity in zip(documents.items, time.tolist(), _cosines_before(vectors), strict=True):
        found += windows.close_before(sent)
        windows.add(item, sent, similarity)
    return (*found, *windows.clusters_so_far())


def _check_documents(documents: object) -> Any:
    """Return the vectors of documents, refusing anything else."""
    if not isinstance(documents, Documents):
        raise InvalidInputError(f"the documents must be of type Documents; got {type(documents).__name__}")
    return stored_matrix(documents, "vectors")


def _check_times(times: object, n: int) -> FloatArray:
    """Return the time of each document, refusing times that are not in ascending order."""
    time = float_column(times, "times")
    if time.size != n:
        raise InvalidInputError(f"there must be one time for each of {plural(n, 'document')}; got {time.size:,}")
    return check_ascending(time)


def _cosines_before(vectors: Any) -> Iterator[FloatArray]:
    """Yield the cosines of each vector with all before it, at most 1."""
    for start in range(0, vectors.shape[0], _BLOCK):
        block = vectors[start : start + _BLOCK]
        products = block @ vectors[: start + block.shape[0]].T
        cosines = np.minimum(products.toarray() if is_sparse(vectors) else products, 1.0)
        for at, row in enumerate(cosines):
            yield row[: start + at]
