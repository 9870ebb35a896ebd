"""Trees of documents, by the clustering methods that suit documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.numbers import RandomSource, whole_number
from dendrometry._check.points import is_sparse
from dendrometry._html import note
from dendrometry._memory import require_memory, vector_bytes
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.agglomeration import BuildReport
from dendrometry.cluster.divisive.bisect import bisect
from dendrometry.cluster.divisive.buckshot import BuckshotReport, buckshot
from dendrometry.cluster.divisive.division import DivisionReport
from dendrometry.cluster.divisive.principal_direction import principal_direction
from dendrometry.cluster.linkages import LINKAGES
from dendrometry.cut.coarsen import coarsen
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.text.collection import Documents, stored_matrix
from dendrometry.text.methods import TREE_METHODS, TreeMethod

Report = BuildReport | BuckshotReport | DivisionReport


@dataclass(frozen=True, eq=False, repr=False)
class DocumentTree:
    """A tree of documents, with a report.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree; its items are the documents.
    method : str
        The clustering method.
    report : BuildReport, BuckshotReport or DivisionReport
        The report of the method: ties, inversions, memory, and further fields.
    """

    hierarchy: Hierarchy
    method: TreeMethod
    report: Report

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        return f"DocumentTree({self.hierarchy!r}, by {self.method})"


@dataclass(frozen=True)
class _Plan:
    """The options passed to every method."""

    n_clusters: int | None
    rng: Any
    progress: bool


def cluster_documents(
    documents: Documents,
    *,
    method: TreeMethod = "bisect",
    n_clusters: int | None = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> DocumentTree:
    """Build a tree of documents.

    ``"bisect"`` and ``"principal_direction"`` split from the top, see `bisect` and `principal_direction`;
    ``"buckshot"`` merges a sample and assigns the rest, see `buckshot`; ``"group_average"``, ``"average"``,
    ``"complete"``, ``"single"`` and ``"ward"`` merge from the bottom, see `agglomerate`. The similarity is the cosine
    of the vectors; for ward, squared distances of unit vectors give the same order.

    Bisecting k-means is the default: its time grows with the numbers stored rather than with the square of the number
    of documents, and of the methods with this property it recovers the 20 newsgroups best (study ``newsgroups``).

    Parameters
    ----------
    documents : Documents
        The documents.
    method : str
        The clustering method.
    n_clusters : int, optional
        The number of clusters at which to stop; they become leaves of many documents. By default the tree goes down to
        single documents; Buckshot then forms as many clusters as the square root of the number of documents, and
        refines them.
    rng : numpy Generator, int or None
        The source of random numbers, for bisect and buckshot. The default seed, 0, gives the same result in every call;
        None does not.
    progress : bool
        Whether to draw progress bars on stderr.

    Returns
    -------
    DocumentTree
        ``hierarchy`` and ``report``.

    Raises
    ------
    InvalidInputError
        If an option is out of range, or memory does not suffice (the message names the amount).

    Examples
    --------
    >>> from dendrometry.text import cluster_documents, vectorize_documents
    >>> found = vectorize_documents({"a": "ship port", "b": "ship dock", "c": "grain wheat", "d": "grain corn"})
    >>> built = cluster_documents(found, n_clusters=2)
    >>> built
    DocumentTree(Hierarchy(4 items 'a' to 'd', 3 nodes, heights 0.616678 to 2.61668), by bisect)
    >>> print(built.hierarchy.draw())
    • (2.617)
    ├─ c, d (0.6167)
    └─ a, b (0.6167)
    """
    if not isinstance(documents, Documents):
        raise InvalidInputError(f"the documents must be of type Documents; got {type(documents).__name__}")
    one_of(method, "method", TREE_METHODS)
    if n_clusters is not None:
        whole_number(n_clusters, "n_clusters", 1, documents.n_items)
    tree, report = _BUILDERS[method](documents, _Plan(n_clusters, rng, progress))
    return DocumentTree(tree, method, report)


def _by_bisection(documents: Documents, plan: _Plan) -> tuple[Hierarchy, Report]:
    """Split by two-means."""
    built = bisect(
        stored_matrix(documents, "vectors"),
        metric="cosine",
        max_clusters=plan.n_clusters,
        item_names=documents.items,
        rng=plan.rng,
        progress=plan.progress,
    )
    return built.hierarchy, built.report


def _by_direction(documents: Documents, plan: _Plan) -> tuple[Hierarchy, Report]:
    """Split across the principal direction."""
    built = principal_direction(
        stored_matrix(documents, "vectors"),
        metric="cosine",
        max_clusters=plan.n_clusters,
        item_names=documents.items,
        progress=plan.progress,
    )
    return built.hierarchy, built.report


def _by_sample(documents: Documents, plan: _Plan) -> tuple[Hierarchy, Report]:
    """Merge a sample and assign the rest."""
    built = buckshot(
        stored_matrix(documents, "vectors"),
        plan.n_clusters or int(np.ceil(np.sqrt(documents.n_items))),
        refine=plan.n_clusters is None,
        item_names=documents.items,
        rng=plan.rng,
        progress=plan.progress,
    )
    return built.hierarchy, built.report


def _by_linkage(linkage: Any) -> Callable[[Documents, _Plan], tuple[Hierarchy, Report]]:
    """Return a function that merges from the bottom by a linkage."""

    def build(documents: Documents, plan: _Plan) -> tuple[Hierarchy, Report]:
        vectors, metric = stored_matrix(documents, "vectors"), "cosine"
        if metric not in LINKAGES[linkage].metrics:
            vectors, metric = _dense(vectors, linkage), "euclidean"
        built = agglomerate(vectors, linkage=linkage, metric=metric, item_names=documents.items, progress=plan.progress)
        tree = built.hierarchy
        return (tree if plan.n_clusters is None else coarsen(tree, plan.n_clusters)), built.report

    return build


def _dense(vectors: Any, linkage: str) -> Any:
    """Return vectors as a dense array, refusing those that do not fit in memory."""
    if not is_sparse(vectors):
        return vectors
    n, d = vectors.shape
    needed = 8 * n * d + vector_bytes(n, d)
    require_memory(
        needed, f"{linkage} linkage of {n:,} documents with {d:,} terms", "Alternatives: fewer dimensions, by SVD."
    )
    return vectors.toarray()


_BUILDERS: dict[TreeMethod, Callable[[Documents, _Plan], tuple[Hierarchy, Report]]] = {
    "bisect": _by_bisection,
    "principal_direction": _by_direction,
    "buckshot": _by_sample,
    "group_average": _by_linkage("group_average"),
    "average": _by_linkage("average"),
    "complete": _by_linkage("complete"),
    "single": _by_linkage("single"),
    "ward": _by_linkage("ward"),
}
