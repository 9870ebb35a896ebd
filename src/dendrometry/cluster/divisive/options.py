"""Options that the builders of this room share, checked once."""

from typing import Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.arrays import float_column, not_whole
from dendrometry._display import shown
from dendrometry.errors import InvalidInputError

__all__ = ["Choice", "Metric", "Stop", "check_metric", "checked_stop", "checked_whole"]

Metric = Literal["euclidean", "cosine"]
Choice = Literal["scatter", "size"]


class Stop(NamedTuple):
    """Which cluster is split next, and which clusters are split no further; None is no limit."""

    choose: str
    max_clusters: int
    max_depth: int | None
    leaf_size: int
    leaf_scatter: float


def checked_stop(
    choose: object, max_clusters: object, max_depth: object, leaf_size: object, leaf_scatter: object, n: int
) -> Stop:
    """Return the rules for splitting n items, refusing what is no number or below its least value."""
    _check_known(choose, get_args(Choice), "choose")
    return Stop(
        str(choose),
        n if max_clusters is None else checked_whole(max_clusters, "max_clusters", 1),
        None if max_depth is None else checked_whole(max_depth, "max_depth", 0),
        checked_whole(leaf_size, "leaf_size", 1),
        _checked_scatter(leaf_scatter),
    )


def check_metric(metric: object) -> None:
    """Refuse any metric but the two that have means."""
    _check_known(metric, get_args(Metric), "metric")


def checked_whole(value: object, what: str, least: int, most: int | None = None) -> int:
    """Return a whole number in its range."""
    number = np.asarray(value)
    if number.ndim or number.dtype.kind not in "iuf" or (number.dtype.kind == "f" and not_whole(number)):
        raise InvalidInputError(f"{what} must be a whole number; got {shown(value)}")
    whole = int(number)
    if whole < least or (most is not None and whole > most):
        span = f"at least {least}" if most is None else f"from {least} to {most:,}"
        raise InvalidInputError(f"{what} must be {span}; got {whole}")
    return whole


def _checked_scatter(value: object) -> float:
    """Return a scatter: finite, and not below 0."""
    scatter = float(float_column([value], "leaf_scatter")[0])
    if scatter < 0.0:
        raise InvalidInputError(f"leaf_scatter must be at least 0; got {shown(value)}")
    return scatter


def _check_known(value: object, known: tuple[str, ...], what: str) -> None:
    """Refuse a name that is not among those known."""
    if value not in known:
        raise InvalidInputError(f"{what} must be one of {', '.join(known)}; got {shown(value)}")
