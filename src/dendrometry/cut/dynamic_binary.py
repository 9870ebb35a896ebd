"""The trees that a dynamic cut takes: those built by merging two clusters at a time."""

from __future__ import annotations

import numpy as np

from dendrometry._typing import BoolArray, FloatArray
from dendrometry.cut.cut import heights_of
from dendrometry.errors import InvalidTreeError
from dendrometry.hierarchy import Hierarchy


def heights_of_binary(tree: Hierarchy) -> tuple[FloatArray, BoolArray]:
    """Return `heights_of` a tree that was built by merging two clusters of items at a time, refusing any other."""
    formed, merges = heights_of(tree, "a dynamic cut")
    as_built = np.isin(tree.n_children, (0, 2)) & (tree.own_sizes == (tree.n_children == 0))
    if not as_built.all():
        v = int(np.argmin(as_built))
        raise InvalidTreeError(
            "the tree must be binary, with one item in each leaf and none elsewhere, for a dynamic cut;"
            f" node {v} has {tree.n_children[v]} children and {tree.own_sizes[v]} items of its own"
        )
    return formed, merges
