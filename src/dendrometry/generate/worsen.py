"""Worsening series: from a partition, step by step, to one that has nothing in common with it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import freeze_arrays, read_only
from dendrometry._check.labels import encode_labels
from dendrometry._check.numbers import RandomSource, random_generator
from dendrometry._display import plain_signature
from dendrometry._typing import IntArray

Operation = Literal["start", "split", "merge"]


@freeze_arrays
@plain_signature
class WorseningStep(NamedTuple):
    """One partition of a worsening series, and the operation that led to it."""

    operation: Operation
    labels: IntArray


def worsen(truth: ArrayLike, *, rng: RandomSource = 0) -> Iterator[WorseningStep]:
    """Yield partitions from a given one to one that is worst against it, by splits and then by merges.

    First the largest cluster is halved repeatedly, until every item is alone. Then the items that are singletons in the
    truth are merged in pairs; a left-over one joins a random cluster. No two items are then together in both
    partitions, and no singleton of the truth is left: the split-merge similarity is 0.

    Parameters
    ----------
    truth : (n_items,) array-like
        The label of each item in the partition to start from.
    rng : numpy Generator, int or None
        The source of random numbers, for the cluster of a left-over singleton. The default seed, 0, gives the same
        result in every call; None does not.

    Returns
    -------
    iterator of WorseningStep
        The truth itself ("start"), then one step for each "split" and each "merge", at most n + 1 in total. Labels
        are numbered from 0, in new, read-only arrays.

    Raises
    ------
    InvalidInputError
        If the labels are invalid, as for every measure of two partitions, or ``rng`` is invalid.

    Notes
    -----
    O(n) for each step. Of clusters of the same size, the one with the least label is halved; the first half of its
    items keeps the label, the other half gets a new, larger label.

    References
    ----------
    .. [1] Q. Xiang et al., "A split-merge framework for comparing clusterings", ICML 2012, section 6.

    Examples
    --------
    >>> from dendrometry.generate import worsen
    >>> for step in worsen(["x", "x", "y", "z"]):
    ...     print(step.operation, step.labels)
    start [0 0 1 2]
    split [0 3 1 2]
    merge [0 3 1 1]
    """
    return _steps(encode_labels(truth, "true").code.copy(), random_generator(rng))


def _steps(labels: IntArray, rng: np.random.Generator) -> Iterator[WorseningStep]:
    """Yield the steps of the series."""
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    alone = [int(items[0]) for items in members if items.size == 1]
    yield WorseningStep("start", read_only(labels.copy()))
    largest = [(-items.size, number, items) for number, items in enumerate(members) if items.size > 1]
    heapq.heapify(largest)
    n_labels = len(members)
    while largest:
        _, number, items = heapq.heappop(largest)
        half = (items.size + 1) // 2
        labels[items[half:]] = n_labels
        for label, part in ((number, items[:half]), (n_labels, items[half:])):
            if part.size > 1:
                heapq.heappush(largest, (-part.size, label, part))
        n_labels += 1
        yield WorseningStep("split", read_only(labels.copy()))
    for first, second in zip(alone[0:-1:2], alone[1::2], strict=True):
        labels[second] = labels[first]
        yield WorseningStep("merge", read_only(labels.copy()))
    if len(alone) % 2 and labels.size > 1:
        left = alone[-1]
        labels[left] = rng.choice(np.unique(np.delete(labels, left)))
        yield WorseningStep("merge", read_only(labels.copy()))
