"""Curves of measures against the number of operations that worsen a partition step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry._check.arrays import float_column, int_column
from dendrometry._check.choices import some_of
from dendrometry._check.names import names_of
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_for, curve_key, plain
from dendrometry.plot._axes.palette import OTHER, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("step", "measure", "value")
_STYLES = ("-", "--", ":")


def worsening(
    result: Mapping[str, Any],
    *,
    measures: Sequence[str] | None = None,
    operations: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw measures against the number of operations that worsened a partition.

    A good measure decreases at every step and reaches 0 at the last, where nothing of the truth remains.

    Parameters
    ----------
    result : mapping of columns, or data frame
        Columns "step", "measure" and "value", as returned by `score_series`.
    measures : sequence of str, optional
        The measures to draw; by default all whose values are between -1 and 1, since others have a different scale.
    operations : sequence of str, optional
        The operation at each step ("start", "split", "merge"), as reported by `worsen`; a line marks the first merge.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        One curve for each measure, distinguished by colour and, from the eighth on, by dashes.

    Raises
    ------
    InvalidInputError
        If a column or a measure is missing, or the number of operations differs from the number of steps.

    Examples
    --------
    >>> from dendrometry import plot
    >>> from dendrometry.partition import score_series
    >>> from dendrometry.generate import worsen
    >>> truth = [0, 0, 0, 1, 2]
    >>> steps = list(worsen(truth))
    >>> result = score_series(truth, [step.labels for step in steps], measures=["rand", "split_merge"])
    >>> ax = plot.worsening(result, operations=[step.operation for step in steps])
    >>> [line.get_label() for line in ax.lines[:2]]
    ['rand', 'split merge']
    """
    curves = _curves(result)
    names = list(curves) if measures is None else some_of(measures, "measures", curves)
    if measures is None:
        names = [name for name in names if (np.abs(curves[name][1]) <= 1.0).all()]
    if not names:
        raise InvalidInputError("at least one measure is needed to draw; got none")
    n_steps = 1 + max(int(steps.max()) for steps, _ in curves.values())
    operations = None if operations is None else names_of(operations, "operations")
    if operations is not None and len(operations) != n_steps:
        raise InvalidInputError(f"operations must be as many as the steps, {n_steps:,}; got {len(operations):,}")
    ax = axes_for(ax, 7.0, 4.2)
    for i, name in enumerate(names):
        steps, values = curves[name]
        style = _STYLES[i // len(PALETTE) % len(_STYLES)]
        label = plain(name.replace("_", " ").lstrip())
        ax.plot(steps, values, color=PALETTE[i % len(PALETTE)], linestyle=style, linewidth=1.5, label=label)
    _mark_merges(ax, operations)
    ax.set(xlabel="number of operations", ylabel="value", xlim=(0, max(n_steps - 1, 1)))
    ax.spines[["top", "right"]].set_visible(False)
    curve_key(ax)
    return ax


def _curves(result: Mapping[str, Any]) -> dict[str, tuple[IntArray, FloatArray]]:
    """Return the steps and values of each measure, in the order of first occurrence of the measures."""
    try:
        step, measure, value = (np.asarray(result[column]) for column in _COLUMNS)
    except (KeyError, TypeError, IndexError):
        raise InvalidInputError("result must have columns step, measure and value, as of score_series") from None
    if not step.size or not step.size == measure.size == value.size:
        sizes = f"{step.size:,}, {measure.size:,} and {value.size:,}"
        raise InvalidInputError(f"step, measure and value must be equally long, and not empty; got {sizes}")
    curves = {}
    for name in dict.fromkeys(measure.tolist()):
        rows = np.flatnonzero(measure == name)
        rows = rows[np.argsort(step[rows], kind="stable")]
        curves[str(name)] = (int_column(step[rows], "step"), float_column(value[rows], "value"))
    return curves


def _mark_merges(ax: Axes, operations: Sequence[str] | None) -> None:
    """Draw a line between the last split and the first merge."""
    if operations is not None and "merge" in operations:
        first = list(operations).index("merge") - 0.5
        ax.axvline(first, color=OTHER, linewidth=1.0, linestyle=":", label="_merges")
        style: dict[str, Any] = {"fontsize": 8, "color": OTHER, "va": "bottom", "transform": ax.get_xaxis_transform()}
        ax.text(first, 1.0, "splits ", ha="right", **style)
        ax.text(first, 1.0, " merges", ha="left", **style)
