"""A flat clustering: one label for each item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.choices import one_of
from dendrometry._check.labels import encode_labels, subset
from dendrometry._check.names import name_items
from dendrometry.contingency import Noise
from dendrometry.errors import InvalidInputError, Message, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.noise import NOISE, has_noise, tell_noise
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io._shared.separators import find_separator


def from_labels(
    labels: ArrayLike | Mapping[Any, Any],
    item_names: Iterable[str] | None = None,
    *,
    noise: Noise | None = None,
) -> Hierarchy:
    """Return a flat clustering as a hierarchy: a root with one leaf for each label.

    Parameters
    ----------
    labels : (n_items,) array-like, pandas.Series, or mapping from item to label
        The group of each item: whole numbers, text, bytes or booleans, as in `Contingency.of`. Whole floats count as
        integers. For a table with several columns, see `from_levels`.
    item_names : sequence of str, optional
        The names of the items; by default the keys of a mapping, the index of a Series unless it is 0 to n - 1, or
        "0", "1", and so on.
    noise : {"label", "singletons", "drop"}, optional
        What becomes of the items with the label -1 beside whole numbers from 0, as HDBSCAN and DBSCAN label noise: they
        are one cluster, a cluster each, or left out, as in `Contingency.of`. By default one cluster, and their number
        is said.

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
        If the labels look like paths, of which the levels are lost, or noise is taken as a cluster.

    Examples
    --------
    >>> from dendrometry import from_labels
    >>> print(from_labels(["pet", "pet", "wild"], item_names=["cat", "dog", "fox"]).draw())
    •
    ├─ pet: cat, dog
    └─ wild: fox
    """
    if noise is not None:
        one_of(noise, "noise", get_args(Noise))
    found = read_labels(labels, item_names, noise)
    warn_assumed(found.notes)
    return found.tree


def read_labels(labels: Any, item_names: Iterable[str] | None = None, noise: Noise | None = None) -> Reading:
    """Return a flat clustering as `from_labels` does, and what was assumed about its labels."""
    found = encode_labels(labels, "given")
    notes: list[Message] = []
    sep = find_separator(label for label in found.label.tolist() if isinstance(label, str))
    if sep is not None:
        note = f"labels look like paths separated by '{sep}', and are taken as they are"
        notes.append((note, Remedy("sep", sep, "takes them as paths", "from_paths")))
    names = name_items(labels, item_names, found.code.size)
    texts = list(map(str, found.label.tolist()))
    is_noise = np.zeros(found.code.size, dtype=bool)
    if has_noise(texts, noise):
        is_noise = found.code == texts.index(NOISE)
        notes += tell_noise(int(is_noise.sum()), is_noise.size, noise)
    if noise == "drop" and is_noise.any():
        kept = np.flatnonzero(~is_noise)
        if not kept.size:
            raise InvalidInputError("some item must be in a cluster; all are noise, which is left out")
        found, names = subset(found, kept), tuple(names[i] for i in kept.tolist())
        texts = list(map(str, found.label.tolist()))
    code = found.code
    if noise == "singletons" and is_noise.any():
        noise_code = texts.index(NOISE)
        code = code - (code > noise_code)
        code[is_noise] = len(texts) - 1 + np.arange(int(is_noise.sum()))
        texts = [text for text in texts if text != NOISE] + [""] * int(is_noise.sum())
    parent = np.append(np.full(len(texts), len(texts)), -1)
    return Reading(Hierarchy(parent, None, code, names, (*texts, "")), notes)
