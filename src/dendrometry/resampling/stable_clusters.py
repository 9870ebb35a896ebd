"""Cuts by stability: the clusters of a tree that replicates confirm."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.numbers import real_number
from dendrometry._kernels.tree import accumulate_sum, nearest_kept
from dendrometry._typing import FloatArray
from dendrometry.cut.count import cut_count
from dendrometry.cut.cut import Cut, cut_at_nodes
from dendrometry.errors import Argument, DendrometryError, InvalidInputError, Remedy
from dendrometry.resampling.stability import Stability

STABLE = 0.75  # the least mean best Jaccard index that Hennig calls stable

Support = Literal["jaccard", "bp", "au"]
Prefer = Literal["large", "many"]


def cut_stable(
    result: Stability, *, by: Support = "jaccard", threshold: float = STABLE, prefer: Prefer = "large"
) -> Cut:
    """Return the stable clusters of a tree, as disjoint as the clusters of a cut; all other items are alone.

    Parameters
    ----------
    result : Stability
        The result of `stability`.
    by : {"jaccard", "bp", "au"}
        The support that counts: the mean best Jaccard index, the bootstrap probability, or the approximately unbiased
        probability.
    threshold : float
        Nodes with at least this support are stable; from 0 to 1. The set of all items does not count.
    prefer : {"large", "many"}
        Of stable nodes inside each other, the largest, as ``pvpick`` of pvclust does; or the smallest, which gives the
        largest number of disjoint clusters.

    Returns
    -------
    Cut
        The chosen nodes, and a cluster of its own for each item outside of them.

    Raises
    ------
    InvalidInputError
        If an option is invalid, or ``by`` is "au" and there are fewer than three scales.

    Notes
    -----
    Unlike other cuts, this one need not lie at a height: clusters may be taken from different levels. O(n log n) time.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import stability
    >>> from dendrometry.resampling import cut_stable
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> result = stability(points, n_replicates=20, n_references=0)
    >>> [len(cluster) for cluster in cut_stable(result, by="bp", threshold=0.9).clusters]
    [20, 20, 20]
    """
    support = support_by(result, by)
    one_of(prefer, "prefer", get_args(Prefer))
    least = real_number(threshold, "threshold", least=0.0, most=1.0)
    tree = result.hierarchy
    stable = np.zeros(tree.n_nodes, dtype=bool)
    nodes = result.nodes()
    stable[nodes[support[nodes] >= least]] = True
    if prefer == "many":
        chosen = stable & (accumulate_sum(tree.parent, stable.astype(np.int64)) == 1)
    else:
        chosen = stable & (nearest_kept(tree.parent, stable) < 0)
    return cut_at_nodes(tree, chosen)


def cut_most_stable(result: Stability) -> Cut | None:
    """Return the cut into the most stable number of clusters; None if there is none, or no such cut of the tree."""
    number = 1 if result.agreement is None else result.agreement.choose().n_clusters
    try:
        return None if number == 1 else cut_count(result.hierarchy, number)
    except DendrometryError:  # no heights, or nodes with more than two parts
        return None


def support_by(result: Stability, by: Support) -> FloatArray:
    """Return one kind of support of every node, refusing one that the replicates do not give."""
    require_stability(result)
    one_of(by, "by", get_args(Support))
    support: FloatArray | None = getattr(result.support, by)
    if support is None:
        raise InvalidInputError(Argument("by", by), " needs replicates at three or more scales; see Resampling")
    return support


def require_stability(result: object) -> None:
    """Refuse what is not the result of `stability`."""
    if not isinstance(result, Stability):
        raise InvalidInputError(
            f"result must be a Stability; got {type(result).__name__}", Remedy("", ..., "returns one", "stability")
        )
