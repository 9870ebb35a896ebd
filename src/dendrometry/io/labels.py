"""A flat clustering: one label for each item."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.names import names_or_numbers
from dendrometry._display import printable
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy

__all__ = ["from_labels"]


def from_labels(labels: Sequence[Any] | NDArray[Any], items: Iterable[str] | None = None) -> Hierarchy:
    """Return a flat clustering as a hierarchy: a root with one leaf for each label.

    Parameters
    ----------
    labels : (n_items,) array of int or str
        The group of each item; -1 is a label like any other. Whole floats count as integers.
    items : sequence of str, optional
        The names of the items; by default "0", "1", and so on, also where labels come with an index.

    Returns
    -------
    Hierarchy
        Without heights; leaves in ascending order of their labels, which become the names of the leaves.

    Raises
    ------
    InvalidInputError
        If there are no labels, or a label is nan, a broken number, missing, or of another type than the rest.

    Examples
    --------
    >>> from dendrometry import from_labels
    >>> print(from_labels(["pet", "pet", "wild"], items=["cat", "dog", "fox"]).draw())
    •
    ├─ pet: cat, dog
    └─ wild: fox
    """
    column = _checked_labels(labels)
    groups, group = np.unique(column, return_inverse=True)
    parent = np.append(np.full(groups.size, groups.size), -1)
    names = (*map(str, groups.tolist()), "")
    return Hierarchy(parent, None, group, names_or_numbers(items, column.size), names)


def _checked_labels(labels: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    """Return labels as an array of integers or of text."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu" and labels.ndim == 1 and labels.size:
        return labels
    if isinstance(labels, str | bytes | Set | Mapping) or not isinstance(labels, Iterable):
        raise InvalidInputError(f"labels must be a sequence, one for each item; got {printable(labels)}")
    tolist = getattr(labels, "tolist", None)
    values = list(tolist() if callable(tolist) else labels)
    if not values:
        raise InvalidInputError("labels must be one for each item, at least one; got none")
    if all(isinstance(value, str) for value in values):
        return np.array(list(map(str.__str__, values)), dtype=object)
    if any(isinstance(value, str) for value in values):
        i = next(i for i, value in enumerate(values) if not isinstance(value, str))
        came = f"text, and {printable(values[i])} at position {i}"
        raise InvalidInputError(f"labels must be whole numbers, or all text; got {came}")
    for i, value in enumerate(values):
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not is_whole and not (isinstance(value, float | np.floating) and value.is_integer()):
            raise InvalidInputError(
                f"labels must be whole numbers, or all text; got {printable(value)} at position {i}"
            )
    return np.array([int(value) for value in values], dtype=object)
