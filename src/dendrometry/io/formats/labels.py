"""A flat clustering: one label for each item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.labels import encode_labels
from dendrometry._check.names import name_items
from dendrometry.errors import Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.requirements import warn_assumed
from dendrometry.io._shared.separators import find_separator


def from_labels(labels: ArrayLike | Mapping[Any, Any], item_names: Iterable[str] | None = None) -> Hierarchy:
    """Return a flat clustering as a hierarchy: a root with one leaf for each label.

    Parameters
    ----------
    labels : (n_items,) array-like, pandas.Series, or mapping from item to label
        The group of each item: whole numbers, text, bytes or booleans, as in `Contingency.of`. The label -1 has no
        special meaning; whole floats count as integers. For a table with several columns, see `from_levels`.
    item_names : sequence of str, optional
        The names of the items; by default the keys of a mapping, the index of a Series unless it is 0 to n - 1, or
        "0", "1", and so on.

    Returns
    -------
    Hierarchy
        A tree without heights. Leaves are in ascending order of their labels, which become the names of the leaves.

    Raises
    ------
    InvalidInputError
        If there are no labels, or a label is missing, not a whole number, or of another type than the rest.

    Warns
    -----
    AssumptionWarning
        If the labels look like paths, of which the levels are lost.

    Examples
    --------
    >>> from dendrometry import from_labels
    >>> print(from_labels(["pet", "pet", "wild"], item_names=["cat", "dog", "fox"]).draw())
    •
    ├─ pet: cat, dog
    └─ wild: fox
    """
    found = encode_labels(labels, "given")
    sep = find_separator(label for label in found.label.tolist() if isinstance(label, str))
    if sep is not None:
        note = f"labels look like paths separated by '{sep}', and are taken as they are"
        warn_assumed([(note, Remedy("sep", sep, "takes them as paths", "from_paths"))])
    n_groups = found.label.size
    parent = np.append(np.full(n_groups, n_groups), -1)
    names = (*map(str, found.label.tolist()), "")
    return Hierarchy(parent, None, found.code, name_items(labels, item_names, found.code.size), names)
