"""Bisecting k-means: a cluster is split around two means, the best of several trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, count_held, random_generator
from dendrometry._check.points import points_of
from dendrometry._kernels.cluster import bisect as kernels
from dendrometry._kernels.cluster.centred import Centred, Room, about_side, centre
from dendrometry._kernels.cluster.rows import Rows
from dendrometry._progress import bar
from dendrometry._threads import n_cores, threads
from dendrometry._typing import FloatArray
from dendrometry.cluster.divisive.division import Division, as_division
from dendrometry.cluster.divisive.options import Choice, Metric, check_metric, stop_rules
from dendrometry.cluster.divisive.points import ready_rows
from dendrometry.cluster.divisive.splitting import Cluster, Parts, divide

_ALTERNATIVES = "Alternatives: fewer columns (a truncated SVD, or rarer words left out), or a sample of the items."
_MOST_ROUNDS = 100  # two-means that have not converged by then are used as they are
_DRAWS = 2 + 2 * 8  # random numbers of a trial: its first row, eight candidates for the second, the choice among all
_WORTH_THREADS = 20_000  # from this number of entries on, the trials of one split are shared among the cores


def bisect(
    X: Any,
    *,
    metric: Metric = "euclidean",
    choose: Choice = "scatter",
    max_clusters: int | None = None,
    max_depth: int | None = None,
    leaf_size: int = 1,
    leaf_scatter: float = 0.0,
    trials: int = 5,
    item_names: Iterable[str] | None = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> Division:
    """Build a hierarchy from the top down by bisecting k-means.

    All items start as one cluster. Repeatedly, a cluster is chosen and split by two-means: two of its items are drawn,
    the second with a probability proportional to its squared distance from the first [2]_, then items move to the
    nearer of the two means until none moves. Of several such trials, the one with the least scatter, the sum of squared
    distances from the means, is kept [1]_.

    Parameters
    ----------
    X : (n, d) array of float or int, or sparse matrix
        The points, one row each. Sparse rows are never made dense.
    metric : {"euclidean", "cosine"}
        The metric; cosine normalises every row to length 1 first and refuses zero rows.
    choose : {"scatter", "size"}
        The cluster to split next: the one with the largest scatter, or with the most items; the oldest of equal ones.
    max_clusters : int, optional
        The number of leaves at which to stop. Without it, clusters are split until the other options forbid it: by
        default down to single items.
    max_depth : int, optional
        The largest number of splits above a leaf.
    leaf_size : int
        The largest size of a cluster that is not split.
    leaf_scatter : float
        The largest scatter of a cluster that is not split.
    trials : int
        The number of pairs of items from which each split starts.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    rng : numpy Generator, int or None
        The source of random numbers, for the items to start from. The default seed, 0, gives the same result in every
        call; None does not.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    Division
        ``hierarchy``, whose heights are the scatter of each node, and ``report``.

    Raises
    ------
    InvalidInputError
        If points are not finite (the message names row and column), a row is zero under cosine, an option is out of
        range, or memory does not suffice (the message names the amount).

    Notes
    -----
    Equal items share one leaf, at height 0; so do sparse rows that differ only where one stores no value and the other
    less than about 1e-8 of its length. The split of a cluster depends on its items and on ``rng``, not on which other
    clusters are split: ``choose`` and the stopping rules only determine where the full tree is cut off. The same
    ``rng`` gives the same bits for any number of threads.

    O(entries) time for each round of a trial, so O(entries * depth) for a whole tree, and O(entries) memory, where
    entries are the numbers stored.

    References
    ----------
    .. [1] M. Steinbach, G. Karypis and V. Kumar, "A comparison of document clustering techniques", KDD workshop on
       text mining, 2000.
    .. [2] D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.

    Examples
    --------
    >>> from dendrometry.cluster import bisect
    >>> built = bisect([[0.0], [1.0], [5.0], [7.0]], item_names=["ape", "bat", "cat", "dog"], rng=0)
    >>> built
    Division(Hierarchy(4 items 'ape' to 'dog', 7 nodes, heights 0 to 32.75), bisect on euclidean, 4 leaves, 0 ties)
    >>> print(built.hierarchy.draw())
    • (32.75)
    ├─ • (2)
    │  ├─ cat
    │  └─ dog
    └─ • (0.5)
       ├─ ape
       └─ bat
    """
    check_metric(metric)
    generator = random_generator(rng)
    points = points_of(X)
    n = points.shape[0]
    n_trials = count_held(trials, "trials", 1, 200 + n)  # a side for each item, in each trial
    stop = stop_rules(choose, max_clusters, max_depth, leaf_size, leaf_scatter, n)
    names = name_items(X, item_names, n)
    ready = ready_rows(points, metric, "bisecting k-means", _ALTERNATIVES)
    stop = stop.scale(-ready.exponent)
    room = Room(np.empty(ready.rows.value.size), np.empty(ready.rows.value.size, dtype=np.int16))
    with threads(n_cores()) as run, bar("splitting", min(n, stop.max_clusters) - 1, progress) as advance:
        splits = divide(
            ready.rows,
            lambda cluster, own: _best_split(cluster, room, own.random((n_trials, _DRAWS)), run),
            stop,
            int(generator.integers(2**63)),
            advance,
        )
    return as_division(splits, names, ready, "bisect", metric)


def _best_split(cluster: Cluster, room: Room, draws: FloatArray, run: Callable[..., Iterable[Any]]) -> Parts | None:
    """Return the best of several splits by two-means, the first of equal ones; None if all rows are equal."""
    rows = cluster.rows
    if rows.value.size >= _WORTH_THREADS:
        low, high = cluster.low, cluster.low + rows.value.size  # no two clusters share memory
        centred = centre(rows, cluster.about, Room(room.value[low:high], room.short[low:high]))
        split, rounds = _shared_split(rows, centred, draws, run)
    else:
        split, rounds = kernels.best_split(rows, draws, _MOST_ROUNDS)
    if split.rounds == 0:
        return None
    settled = split.rounds < _MOST_ROUNDS
    return Parts(split.side, split.scatter, split.ties, rounds, settled, split.mean, split.square)


def _shared_split(
    rows: Rows, centred: Centred, draws: FloatArray, run: Callable[..., Iterable[Any]]
) -> tuple[kernels.Split, int]:
    """Return what `best_split` of the kernels does, with the trials shared among the cores by ``run``."""
    found = run(lambda draw: kernels.two_means(rows, centred, draw, _MOST_ROUNDS), list(draws))
    side, gain, rounds = (np.array(column) for column in zip(*found, strict=True))
    likely = side[kernels.likely_best(gain)]
    left, right = run(lambda wanted: about_side(rows, likely, wanted), (False, True))
    split = kernels.settle_best(rows, side, gain, left, right, _MOST_ROUNDS)
    return split, int(rounds.sum()) + split.rounds
