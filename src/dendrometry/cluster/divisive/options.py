"""Options shared by the divisive algorithms, and their validation."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.numbers import real_number, whole_number

Metric = Literal["euclidean", "cosine"]
Choice = Literal["scatter", "size"]


class Stop(NamedTuple):
    """The rule for the cluster to split next, and the limits of splitting; None means no limit."""

    choose: str
    max_clusters: int
    max_depth: int | None
    leaf_size: int
    leaf_scatter: float

    def scale(self, exponent: int) -> Stop:
        """Return the same rules for points whose squared distances are multiplied by a power of two."""
        with np.errstate(over="ignore", under="ignore"):  # a limit beyond all floats splits nothing, one of 0 all
            return self._replace(leaf_scatter=float(np.ldexp(self.leaf_scatter, exponent)))


def stop_rules(
    choose: object, max_clusters: object, max_depth: object, leaf_size: object, leaf_scatter: object, n: int
) -> Stop:
    """Return the rules for splitting n items, refusing options that are not numbers or are out of range."""
    return Stop(
        one_of(choose, "choose", get_args(Choice)),
        n if max_clusters is None else whole_number(max_clusters, "max_clusters", 1),
        None if max_depth is None else whole_number(max_depth, "max_depth", 0),
        whole_number(leaf_size, "leaf_size", 1),
        real_number(leaf_scatter, "leaf_scatter", least=0.0),
    )


def check_metric(metric: object) -> None:
    """Refuse metrics other than the two for which means are defined."""
    one_of(metric, "metric", get_args(Metric))
