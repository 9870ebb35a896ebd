"""Weights of items from users: how many items each stands for."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dendrometry._check.arrays import int_column
from dendrometry._check.names import alignment
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError


def weight_column(weights: Any, data: Any, n_items: int, what: str) -> IntArray:
    """Return the weights of items, at least 1, in the order of ``data``, by index or keys if both have them."""
    values = int_column(list(weights.values()) if isinstance(weights, Mapping) else weights, "weights")
    order = alignment(data, weights, f"{what} and the weights")
    if values.size != n_items:
        raise InvalidInputError(f"weights must be one for each of {n_items:,} items; got {values.size:,}")
    if (values < 1).any():
        at = int(np.argmax(values < 1))
        raise InvalidInputError(f"every weight must be at least 1; got {values[at]} at position {at}")
    if sum(values.tolist()) > np.iinfo(np.int64).max:
        raise InvalidInputError("the weights must add up to less than 2**63")
    return values if order is None else values[order]
