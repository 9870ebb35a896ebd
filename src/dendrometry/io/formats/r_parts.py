"""The parts of R's objects of class phylo and hclust, whether they come as text or as data."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._check.arrays import float_column
from dendrometry._display import printable
from dendrometry.errors import FormatError, InvalidTreeError
from dendrometry.io._shared.lengths import Heights, heights_in_any_order
from dendrometry.io._shared.requirements import Reading
from dendrometry.io.formats.hclust import from_hclust
from dendrometry.io.parents import from_parents

# The parts of an object that are read; the first three must be there.
PARTS = {
    "phylo": ("edge", "tip.label", "Nnode", "edge.length", "node.label"),
    "hclust": ("merge", "height", "labels", "order"),
}


def tree_of_parts(kind: str, parts: dict[str, list[Any]], exact_heights: bool) -> Reading:
    """Return the hierarchy of the parts of a phylo or hclust: lists of numbers, which are floats, of text and None."""
    missing = [name for name in PARTS[kind][:3] if name not in parts]
    if missing:
        raise FormatError(f"an object of class {kind} must have the part {missing[0]}; it has none")
    if kind == "phylo":
        return _phylo(parts, exact_heights)
    merge = _numbers(parts["merge"], "merge")
    labels = _texts(parts["labels"], "labels") or None
    order = _numbers(parts["order"], "order") if "order" in parts else None
    return Reading(from_hclust(_matrix(merge, "merge"), _numbers(parts["height"], "height"), labels, order), [])


def _numbers(values: list[Any], what: str) -> list[float]:
    """Return a part that must hold numbers."""
    wrong = [value for value in values if not isinstance(value, float)]
    if wrong:
        raise FormatError(f"the part {what} must hold numbers; got {'NA' if wrong[0] is None else 'text'}")
    return values


def _texts(values: list[Any], what: str) -> list[str]:
    """Return a part that must hold text; numbers are names by their text."""
    if None in values:
        raise FormatError(f"the part {what} must hold names; got NA")
    return [value if isinstance(value, str) else f"{value:g}" for value in values]


def _matrix(values: list[float], what: str) -> Any:
    """Return a matrix of two columns, which R writes one after the other."""
    if len(values) % 2:
        raise FormatError(f"the part {what} must have two columns; got {len(values)} values")
    return np.array(values).reshape(2, -1).T


def _phylo(parts: dict[str, list[Any]], exact: bool) -> Reading:
    """Return the hierarchy of the parts of a phylo: tips are 1 to n, the root is n + 1."""
    edge = _matrix(_numbers(parts["edge"], "edge"), "edge")
    tips = _texts(parts["tip.label"], "tip.label")
    inner = _numbers(parts["Nnode"], "Nnode")
    if len(inner) != 1 or not inner[0].is_integer() or inner[0] < 0:
        found = printable(inner[0]) if len(inner) == 1 else f"{len(inner):,} values"
        raise FormatError(f"the part Nnode must be one whole number of at least 0; got {found}")
    n = len(tips) + int(inner[0])
    if edge.shape[0] != n - 1 or edge.size == 0 or edge.min() < 1 or edge.max() > n or (np.floor(edge) != edge).any():
        raise InvalidTreeError(
            f"edge must have a row for each node but the root, {n - 1:,}, with numbers from 1 to {n:,}; got"
            f" {edge.shape[0]:,} rows"
        )
    above, below = (edge - 1).astype(np.int64).T
    parent = np.full(n, -1, dtype=np.int64)
    parent[below] = above
    if np.unique(below).size < below.size:
        raise InvalidTreeError("each node of a phylo must have one parent; one has several")
    heights = Heights(np.zeros(n), [])
    given = parts.get("edge.length", [])
    if given:
        lengths = float_column(_numbers(given, "edge.length"), "edge.length")
        if lengths.size != n - 1:
            raise InvalidTreeError(f"edge.length must have one value for each of {n - 1:,} edges; got {lengths.size:,}")
        length = np.zeros(n)
        length[below] = lengths
        heights = heights_in_any_order(parent, length, exact=exact)
    labels = _texts(["" if label is None else label for label in parts.get("node.label", [])], "node.label")
    names = [""] * len(tips) + labels if labels else []
    tree = from_parents(parent, range(len(tips)), heights.height if given else None, tips, names)
    return Reading(tree, heights.notes)
