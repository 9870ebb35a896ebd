"""Miss against false alarm of detectors, on the scale of normal deviates (DET curves)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry._check.names import names_of
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_for, curve_key, plain
from dendrometry.plot._axes.palette import OTHER, PALETTE
from dendrometry.text.detection import DetectionCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST = 0.001  # share of errors at the ends of the axes, and 1 minus that
_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_STYLES = ("-", "--", ":")


def detection_curves(result: DetectionCurve | Mapping[str, DetectionCurve], *, ax: Axes | None = None) -> Axes:
    """Draw the misses of detectors against their false alarms, at every threshold (DET curves).

    The axes are stretched by the normal quantile, so that scores of two normal distributions give a straight line. A
    curve nearer to the lower left is better; a dot marks its least cost, and the dashed line is chance.

    Parameters
    ----------
    result : DetectionCurve, or mapping from names to DetectionCurve
        What `dendrometry.text.detection_curve` returns.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Both axes go from 0.1% to 99.9%; what is beyond is drawn at their ends.

    Raises
    ------
    InvalidInputError
        If there are no curves, or something else.

    Examples
    --------
    >>> from dendrometry import plot
    >>> from dendrometry.text import detection_curve
    >>> ax = plot.detection_curves({"novelty": detection_curve([0.9, 0.8, 0.3, 0.2], [True, False, True, False])})
    >>> ax.get_xlabel()
    'false alarms'
    """
    curves = result if isinstance(result, Mapping) else {"": result}
    if not curves or not all(isinstance(curve, DetectionCurve) for curve in curves.values()):
        raise InvalidInputError("detection_curves draws what detection_curve returns, one or a mapping of several")
    ax = axes_for(ax, 7.6, 5.0)
    ends = _deviates(np.array([0.0, 1.0]))
    ax.plot(ends, ends[::-1], color=OTHER, linestyle="--", linewidth=1.0, label="_chance")
    for i, (name, curve) in enumerate(zip(names_of(list(curves), "names"), curves.values(), strict=True)):
        style: dict[str, Any] = {"color": PALETTE[i % len(PALETTE)]}
        dashes = _STYLES[i // len(PALETTE) % len(_STYLES)]
        label = f"{plain(name)} ({curve.least.cost:.3f})".lstrip()
        x, y = _deviates(curve.false_alarm), _deviates(curve.miss)
        ax.plot(x, y, drawstyle="steps-post", linewidth=1.4, linestyle=dashes, label=label, **style)
        at = int(np.argmin(curve.cost))
        ax.plot(x[at], y[at], marker="o", markersize=5, clip_on=False, label="_least", **style)
    labels = [f"{share:.3g}%" for share in np.multiply(_TICKS, 100.0)]
    ax.set_xticks(_deviates(np.array(_TICKS)), labels)
    ax.set_yticks(_deviates(np.array(_TICKS)), labels)
    ax.set(xlabel="false alarms", ylabel="misses", xlim=ends, ylim=ends)
    ax.spines[["top", "right"]].set_visible(False)
    curve_key(ax, title="least cost")
    return ax


def _deviates(share: FloatArray) -> FloatArray:
    """Return the normal quantile of shares, within the ends of the axes."""
    from scipy.special import ndtri

    deviate: FloatArray = ndtri(np.clip(share, _LEAST, 1.0 - _LEAST))
    return deviate
