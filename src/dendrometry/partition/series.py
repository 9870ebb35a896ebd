"""Measures of a series of partitions against one reference, as a tidy table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._check.choices import elements
from dendrometry._display import printable
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError
from dendrometry.measures.registry import measures_named


def score_series(
    reference: ArrayLike,
    partitions: Iterable[ArrayLike],
    *,
    measures: Sequence[str] | None = None,
    max_clusters: int | None = None,
) -> dict[str, NDArray[Any]]:
    """Return measures of every partition of a series against one reference.

    Parameters
    ----------
    reference : (n_items,) array-like
        The label of each item in the partition to compare with.
    partitions : iterable of (n_items,) array-like
        The partitions, for instance the labels of a `worsen` series.
    measures : sequence of str, optional
        The names of measures, as in ``PARTITION_MEASURES``; by default all of them.
    max_clusters : int, optional
        The bound of `bounded_variation_similarity`; by default the number of items.

    Returns
    -------
    dict of arrays
        A tidy table with one row for each step and measure: columns "step" (from 0), "measure" and "value". It can be
        converted to a data frame.

    Raises
    ------
    InvalidInputError
        If a measure is unknown.

    Notes
    -----
    Each partition is counted once for all measures: O(n) for each.

    Examples
    --------
    >>> from dendrometry.partition import score_series
    >>> from dendrometry.generate import worsen
    >>> truth = [0, 0, 0, 1, 2]
    >>> table = score_series(truth, (step.labels for step in worsen(truth)), measures=["rand", "split_merge"])
    >>> for row in zip(table["step"].tolist(), table["measure"].tolist(), table["value"].round(3).tolist()):
    ...     print(*row)
    0 rand 1.0
    0 split_merge 1.0
    1 rand 0.8
    1 split_merge 0.652
    2 rand 0.7
    2 split_merge 0.4
    3 rand 0.6
    3 split_merge 0.0
    """
    chosen = measures_named(measures, "partitions")
    names = [measure.name for measure in chosen]
    if isinstance(partitions, str | bytes) or not isinstance(partitions, Iterable):
        raise InvalidInputError(f"partitions must be an iterable of partitions; got {printable(partitions)}")
    values: list[float] = []
    for labels in elements(partitions, "partitions"):
        table = Contingency.of(reference, labels)
        bound = table.n_items if max_clusters is None else max_clusters
        values.extend(measure.of_table(table, bound) for measure in chosen)
    n_steps = len(values) // len(names) if names else 0
    return {
        "step": np.repeat(np.arange(n_steps), len(names)),
        "measure": np.array(names * n_steps, dtype=object),
        "value": np.array(values),
    }
