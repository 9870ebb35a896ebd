"""Fidelity: how near a tree that was built approximately is to the exact one, judged on samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.names import names_within, positions_of
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._check.points import points_of
from dendrometry._html import field_table
from dendrometry.cluster.bottom_up import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.comparison.pairwise_matrix import pairwise_matrix
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy

__all__ = ["FEWEST", "Fidelity", "fidelity"]

FEWEST = 9  # items: samples of 6 then share 3, and smaller trees are all alike


@dataclass(frozen=True)
class Fidelity:
    """The agreement of a tree with the exact trees of two samples, beside that of these two.

    Attributes
    ----------
    value : float
        The adjusted hierarchy agreement of the tree with the exact tree of a sample, the mean over both samples; at
        most 1, 0 as by chance.
    yardstick : float
        The adjusted hierarchy agreement of the two exact trees: what the choice of the sample alone changes.
    n_items, n_sampled, n_shared : int
        The number of items of the tree, of each sample, and of both samples: on the last all trees are compared.
    linkage, metric : str
        Those of the exact trees.
    """

    value: float
    yardstick: float
    n_items: int
    n_sampled: int
    n_shared: int
    linkage: str
    metric: str

    def _repr_html_(self) -> str:
        return field_table(self)

    def __str__(self) -> str:
        return (
            f"fidelity {self.value:.3f}, two exact trees of samples {self.yardstick:.3f} (adjusted hierarchy agreement"
            f" on {self.n_shared:,} items; samples of {self.n_sampled:,})"
        )


def fidelity(
    X: Any,
    tree: Hierarchy,
    *,
    linkage: Linkage = "ward",
    metric: str = "euclidean",
    sample: int = 20_000,
    rng: RandomSource = 0,
    progress: bool = False,
) -> Fidelity:
    """Measure how near a tree of many points is to the exact tree, which cannot be built.

    Two samples are drawn that share half of their items, and the exact tree of each is built. The tree is compared with
    both on the shared items. The agreement of the two exact trees is the yardstick: an exact tree of all points would
    agree with that of a sample hardly better than another sample does.

    Parameters
    ----------
    X : (n, d) array of float or int, or sparse matrix
        The points. The index of a data frame names the items; other rows are in the order of the items of the tree.
    tree : Hierarchy
        The tree, of at least nine items, such as that of `cluster_large` or `buckshot`.
    linkage, metric : str
        The linkage and metric by which the tree was built; see `agglomerate`.
    sample : int
        The number of items of each sample, at least 6; at most two thirds of all items are taken.
    rng : numpy Generator, int or None
        The source of random numbers, for the samples.
    progress : bool
        Whether to draw progress bars on stderr.

    Returns
    -------
    Fidelity
        ``value`` and ``yardstick``, both adjusted for chance: 1 for identical trees, 0 as by chance.

    Raises
    ------
    InvalidInputError
        If there are fewer than nine items, the numbers of points and items differ, or the exact trees cannot be built
        (see `agglomerate`).

    Notes
    -----
    Takes the time of two exact trees of ``sample`` points. Samples of other seeds give other values; over several seeds
    they show how much.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.cluster import cluster_large
    >>> from dendrometry.resampling import fidelity
    >>> X = np.concatenate([np.random.default_rng(0).normal(4 * c, 1, size=(60, 5)) for c in range(5)])
    >>> print(fidelity(X, cluster_large(X, n_exact=75).hierarchy))
    fidelity 0.732, two exact trees of samples 0.479 (adjusted hierarchy agreement on 100 items; samples of 200)
    """
    require_hierarchy(tree)
    points = points_of(X)
    n = tree.n_items
    if points.shape[0] != n:
        raise InvalidInputError(f"there must be one point for each of {n:,} items; got {points.shape[0]:,}")
    if n < FEWEST:
        raise InvalidInputError(f"fidelity needs a tree of at least {FEWEST} items; got {n}")
    names = names_within(X)
    row = np.arange(n) if names is None else positions_of(tree.items, names, "the tree and the points")
    count = min(whole_number(sample, "sample", 6), 2 * n // 3)
    drawn = random_generator(rng).choice(n, 2 * count - count // 2, replace=False)
    shared = drawn[: count // 2]
    trees = [tree]
    for others in (drawn[count // 2 : count], drawn[count:]):
        some = np.sort(np.concatenate([shared, others]))
        items = [tree.items[i] for i in some.tolist()]
        built = agglomerate(points[row[some]], linkage=linkage, metric=metric, item_names=items, progress=progress)
        trees.append(built.hierarchy)
    names_shared = [tree.items[i] for i in shared.tolist()]
    agreed = pairwise_matrix([each.restrict(names_shared) for each in trees], "hierarchy_agreement", adjusted=True)
    value = (agreed.values[0, 1] + agreed.values[0, 2]) / 2
    return Fidelity(float(value), float(agreed.values[1, 2]), n, count, shared.size, linkage, metric)
