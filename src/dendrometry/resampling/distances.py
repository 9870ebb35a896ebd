"""Stability of a tree of distances: some of the items drawn again, and their distances clustered."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.distances import check_columns, check_distances, distances_of, distances_of_items, n_items_of
from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, count_held, whole_number
from dendrometry._files import FilePath
from dendrometry._flags import flag
from dendrometry._jobs import check_n_jobs
from dendrometry._memory import require_memory
from dendrometry._typing import FloatArray
from dendrometry.cluster.agglomerate import agglomerate_distances
from dendrometry.cluster.linkages import Linkage
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.resampling.replicates.builders import Builder, build_replicate, builder_of, description_of
from dendrometry.resampling.replicates.checkpoint import Checkpoint, fingerprint
from dendrometry.resampling.replicates.draws import Draw, Resampling, draw_rows, resampling_of
from dendrometry.resampling.replicates.reference import References
from dendrometry.resampling.replicates.replicate import Replicate
from dendrometry.resampling.stability import Stability, Work, assess, carry_out, levels_of, stream_of


def stability_of_distances(
    D: Any,
    *,
    linkage: Linkage = "average",
    build: Builder | None = None,
    tree: Hierarchy | None = None,
    resample: Draw = "bootstrap",
    n_replicates: int = 100,
    max_clusters: int = 10,
    rng: RandomSource = 0,
    n_jobs: int | None = None,
    file: FilePath | None = None,
    progress: bool = False,
) -> Stability:
    """Return how stable the clusters of a tree are, if its items are drawn again and their distances clustered.

    As `stability`, for items with known distances. There is no reference: distances alone do not say what data without
    clusters would be.

    Parameters
    ----------
    D : (n, n) or (n(n-1)/2,) array of float or int
        The distances, square or condensed, as for `agglomerate_distances`; the index of a square data frame names the
        items.
    linkage : str
        As for `agglomerate_distances`, which builds the trees.
    build : callable, optional
        In its place, a function that takes a square matrix of distances and returns a tree, or a result with a
        ``hierarchy``.
    tree : Hierarchy, optional
        The tree whose nodes are judged; by default the one that is built from D.
    resample : {"bootstrap", "subsample"} or Resampling
        How the items of replicates are drawn. Columns and noise need points.
    n_replicates : int
        The number of replicates, at least 2.
    max_clusters, rng, n_jobs, file, progress
        As for `stability`.

    Returns
    -------
    Stability
        As `stability`, without a reference.

    Raises
    ------
    InvalidInputError
        If the distances are negative, not finite or not symmetric; or as for `stability`.
    FormatError, ItemMismatchError, UndefinedMeasureError
        As for `stability`.

    Examples
    --------
    >>> from dendrometry.resampling import stability_of_distances
    >>> x = [0, 1, 2, 3, 20, 21, 22, 23]
    >>> found = stability_of_distances([[abs(a - b) for b in x] for a in x], n_replicates=20)
    >>> found.support.bp[[12, 13]].tolist()
    [1.0, 1.0]
    """
    plan = resampling_of(resample)
    if plan.kind not in ("bootstrap", "subsample"):
        raise InvalidInputError(
            f"resample must be 'bootstrap' or 'subsample' for distances, which draw items; got '{plan.kind}'"
            " (columns and noise need points: see stability)"
        )
    most = whole_number(max_clusters, "max_clusters", 2)
    count = count_held(n_replicates, "n_replicates", 2, 2_000)
    make, jobs = builder_of(build, partial(agglomerate_distances, linkage=linkage)), check_n_jobs(n_jobs)
    title = "replicates" if flag(progress, "progress") else ""
    square, own = _square_and_tree(D, tree, make)
    levels = levels_of(own, most)
    source = stream_of(rng, file)
    options = ("distances", plan, description_of(make), most, source.bit_generator.state)
    done = Checkpoint(file, b"" if file is None else fingerprint(square, *options), own.n_items, levels.size)
    work = Work(partial(_replicate, make, plan, square), (plan.scales, count, 0))
    whole = carry_out(work, source, done, jobs, title)
    return assess(own, work.kept(done), plan.scales, levels, References(), whole)


def _square_and_tree(D: Any, tree: Hierarchy | None, build: Builder) -> tuple[NDArray[Any], Hierarchy]:
    """Return a square matrix in the order of the items of the tree, which is built from it if it is not given."""
    if tree is not None:
        require_hierarchy(tree)
        given, place = distances_of_items(D, tree.items)
        square = _square(given)
        return square[np.ix_(place, place)], tree
    given = distances_of(D)
    check_columns(D)
    check_distances(given)
    n = n_items_of(given)
    names = name_items(D if given.ndim == 2 else None, None, n)
    square = _square(given)
    _, parent, height, node = build_replicate(build, square.copy(), np.arange(n))
    return square, Hierarchy(parent, height, node, names)


def _square(distances: NDArray[Any]) -> FloatArray:
    """Return distances as a square matrix of their own."""
    n = n_items_of(distances)
    require_memory(8 * n * n, f"the distances between {n:,} items", "Draw a part of the items first.")
    if distances.ndim == 2:
        return distances.astype(np.float64)
    square = np.zeros((n, n))
    square[np.triu_indices(n, 1)] = distances
    return square + square.T


def _replicate(
    build: Builder, plan: Resampling, square: FloatArray, job: tuple[np.random.Generator, float]
) -> Replicate:
    """Return the tree of one replicate."""
    row = draw_rows(plan, square.shape[0], job[0])
    return build_replicate(build, square[np.ix_(row, row)], row)
