"""What a format asks of a tree before it can hold it."""

from __future__ import annotations

import warnings

import numpy as np

from dendrometry.errors import InvalidTreeError, LostMeaningWarning
from dendrometry.hierarchy import Hierarchy

__all__ = ["require_items_at_leaves", "warn_lost"]


def require_items_at_leaves(tree: Hierarchy, what: str) -> None:
    """Refuse trees that do not hold one item in each leaf and none elsewhere."""
    wrong = tree.own_sizes != (tree.n_children == 0)
    if wrong.any():
        v = int(np.argmax(wrong))
        raise InvalidTreeError(
            f"{what} holds one item in each leaf and none elsewhere; node {v} holds {tree.own_sizes[v]}"
            " (JSON and tables hold such trees)"
        )


def warn_lost(what: str) -> None:
    """Warn the caller of the public function that something is left out."""
    warnings.warn(what, LostMeaningWarning, stacklevel=4)
