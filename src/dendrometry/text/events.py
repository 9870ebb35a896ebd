"""First stories as clusters: documents sent in a short time that resemble each other and nothing before them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import float_column
from dendrometry._check.numbers import real_number, whole_number
from dendrometry._check.points import is_sparse
from dendrometry._display import plain_signature, plural
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.text.collection import Documents, stored_matrix

_BLOCK = 256


@plain_signature
class StoryCluster(NamedTuple):
    """Documents that report a new event.

    Attributes
    ----------
    items : tuple of str
        The documents in the order of the stream; the first of them is the first story.
    start, end : float
        The times of the first and of the last document.
    novelty : float
        1 minus the greatest cosine of any of them with a document before the first; 1 if there is none before it.
    similarity : float
        The combination similarity of the cluster by single link: the least cosine of the links that hold it together.
    """

    items: tuple[str, ...]
    start: float
    end: float
    novelty: float
    similarity: float


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
    first_stories : The novelty of each document of a stream, without looking ahead.

    Notes
    -----
    All documents are weighted together, unlike in `first_stories`. The time grows with the square of the number of
    documents, at the cost of a sparse product for each pair.

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
    span = real_number(window, "window", least=0.0)
    most = 1.0 - real_number(novelty, "novelty", least=0.0, most=1.0)
    least = real_number(cosine, "cosine", above=0.0, most=1.0)
    whole_number(min_size, "min_size", 1)
    taken = np.zeros(time.size, dtype=bool)
    found = []
    for first in np.flatnonzero(_greatest_before(vectors) <= most).tolist():
        if taken[first]:
            continue
        stop = int(np.searchsorted(time, time[first] + span, side="right"))
        before = _greatest(vectors[first:stop], vectors[:first])
        rest = first + np.flatnonzero((before <= most) & ~taken[first:stop])
        members, similarity = _grow(_cosines(vectors[rest], vectors[rest]), least)
        if members.size >= min_size:
            chosen = rest[members]
            taken[chosen] = True
            items = tuple(documents.items[i] for i in chosen.tolist())
            new = min(1.0 - float(before[chosen - first].max()), 1.0)
            found.append(StoryCluster(items, float(time[first]), float(time[chosen[-1]]), new, similarity))
    return tuple(found)


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
    if (np.diff(time) < 0.0).any():
        at = int(np.argmax(np.diff(time) < 0.0)) + 1
        raise InvalidInputError(f"times must be in ascending order; got {time[at]:g} after {time[at - 1]:g}, at {at}")
    return time


def _cosines(some: Any, others: Any) -> FloatArray:
    """Return the cosines of all pairs of unit vectors, at most 1."""
    products = (some @ others.T).toarray() if is_sparse(some) else some @ others.T
    cosines: FloatArray = np.minimum(products, 1.0)
    return cosines


def _greatest(some: Any, others: Any) -> FloatArray:
    """Return the greatest cosine of each of some vectors with any of the others; 0 if there are none."""
    greatest = np.full(some.shape[0], 0.0 if others.shape[0] == 0 else -np.inf)
    for start in range(0, others.shape[0], _BLOCK):
        np.maximum(greatest, _cosines(some, others[start : start + _BLOCK]).max(axis=1), out=greatest)
    return greatest


def _greatest_before(vectors: Any) -> FloatArray:
    """Return the greatest cosine of each vector with any before it; 0 for the first."""
    n = vectors.shape[0]
    greatest = np.full(n, -np.inf)
    greatest[0] = 0.0
    for start in range(0, n, _BLOCK):
        block = vectors[start : start + _BLOCK]
        if start:
            greatest[start : start + _BLOCK] = _greatest(block, vectors[:start])
        inside = np.tril(_cosines(block, block), -1) + np.triu(np.full((block.shape[0],) * 2, -np.inf))
        np.maximum(greatest[start : start + _BLOCK], inside.max(axis=1), out=greatest[start : start + _BLOCK])
    return greatest


def _grow(cosines: FloatArray, least: float) -> tuple[IntArray, float]:
    """Return what single link joins to item 0 by cosines of at least ``least``, and the weakest link; 1 if alone."""
    inside = np.zeros(len(cosines), dtype=bool)
    inside[0] = True
    reach, weakest = cosines[0].copy(), 1.0
    while not inside.all():
        nearest = int(np.argmax(np.where(inside, -np.inf, reach)))
        if reach[nearest] < least:
            break
        weakest = min(weakest, float(reach[nearest]))
        inside[nearest] = True
        np.maximum(reach, cosines[nearest], out=reach)
    return np.flatnonzero(inside), weakest
