"""Requirements of formats, and warnings of what they cannot hold and of what was assumed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dendrometry.errors import AssumptionWarning, InvalidTreeError, LostMeaningWarning, Message
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.account import Account


class Reading(NamedTuple):
    """The hierarchy of a text or table, what was assumed in reading it, and how it was read if that is to be said."""

    tree: Hierarchy
    notes: list[Message]
    account: Account | None = None


def require_items_at_leaves(tree: Hierarchy, what: str) -> None:
    """Refuse trees that do not hold one item in each leaf and none elsewhere."""
    wrong = tree.own_sizes != (tree.n_children == 0)
    if wrong.any():
        v = int(np.argmax(wrong))
        raise InvalidTreeError(
            f"the tree must have one item in each leaf and none elsewhere to be written as {what};"
            f" node {v} has {tree.own_sizes[v]} (JSON and tables can hold such trees)"
        )


def warn_lost(what: str) -> None:
    """Warn that something is left out, at the call of the public function."""
    warnings.warn(what, LostMeaningWarning, stacklevel=4)


def warn_assumed(notes: Iterable[Message]) -> None:
    """Warn of what was assumed about the input, at the call of the public function that calls this one."""
    for note in notes:
        warnings.warn(AssumptionWarning(*note), stacklevel=3)
