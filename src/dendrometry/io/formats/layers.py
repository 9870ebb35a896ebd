"""Several flat clusterings of the same items, one inside the other: layers of labels, with or without heights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import float_column
from dendrometry._check.choices import elements
from dendrometry._check.frames import columns_of, is_frame, named_columns
from dendrometry._check.labels import Partition, encode_in_order
from dendrometry._check.names import name_items, names_within
from dendrometry._display import plural, printable, quote_first
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError, InvalidTreeError, Message, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.noise import NOISE, has_noise
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io.parents import from_parents

_LEVEL = re.compile(r"(?:HC|hc|d|D)?(\d++(?:\.\d++)?)(?: \(.*\))?")  # as "HC0 (indistinguishable)" of EnteroBase
_HIERCC = re.compile(r"HC\d++(?: \(.*\))?")


def from_layers(
    layers: Any,
    item_names: Iterable[str] | None = None,
    *,
    heights: ArrayLike | None = None,
    noise_label: int | str | None = None,
) -> Hierarchy:
    """Return the hierarchy of several flat clusterings of the same items, each of which refines the one before.

    Such are the layers of Toponymy and EVoC (``cluster_layers_``), and any clusterings at several resolutions that are
    nested.

    Parameters
    ----------
    layers : sequence of (n_items,) array-like, mapping to these, or data frame
        The cluster of each item in each layer, from the coarsest to the finest or the other way round. All columns of a
        frame are layers. Series are matched by their index.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    heights : (n_layers,) array of float, optional
        The height of each layer, such as the threshold at which it was cut; coarser layers are higher. Clusters of the
        finest layer are leaves at its height, and the root lies at the height of the coarsest if that has one cluster,
        else as much above it as the coarsest lies above the next.
    noise_label : int or str, optional
        The label of items in no cluster, often -1: they belong to the cluster of the next coarser layer. By default no
        label has a special meaning, but the number of items with the label -1 is said.

    Returns
    -------
    Hierarchy
        Nodes are the clusters, named by their labels; those of a layer with a single cluster are the root. A cluster
        that is the same in several layers is a node in each.

    Raises
    ------
    InvalidInputError
        If there is no layer, layers have different lengths, or labels are invalid.
    InvalidTreeError
        If layers are not nested; the message names a cluster of a finer layer that lies in several of a coarser one.

    Notes
    -----
    O(n log n) time for each layer.

    Examples
    --------
    >>> from dendrometry.io import from_layers
    >>> print(from_layers([["a", "a", "a", "b"], [0, 0, 1, 2]], item_names=["ape", "cat", "elk", "owl"]).draw())
    •
    ├─ a
    │  ├─ 0: ape, cat
    │  └─ 1: elk
    └─ b
       └─ 2: owl
    """
    found = _read_layers(layers, item_names, heights, noise_label)
    warn_assumed(found.notes)
    return found.tree


def from_hiercc(table: Any, item: str | None = None) -> Hierarchy:
    """Return the hierarchy of a table of HierCC, with a column of clusters for each threshold: HC0, HC2, HC5 and so on.

    Parameters
    ----------
    table : dict of columns or data frame
        One row for each item. Columns of which the name is a number, or "HC" or "d" and a number, are thresholds; a
        remark in brackets may follow.
    item : str, optional
        The column of the item names; by default the only other column, or else the index.

    Returns
    -------
    Hierarchy
        A tree whose heights are the thresholds.

    Raises
    ------
    InvalidInputError
        If there is no such column, or there are several other columns and none is named.
    InvalidTreeError
        If the clusters are not nested.

    Examples
    --------
    >>> from dendrometry.io import from_hiercc
    >>> tree = from_hiercc({"strain": ["a", "b", "c"], "HC0": [1, 2, 3], "HC5": [1, 1, 3], "HC10": [1, 1, 1]})
    >>> tree
    Hierarchy(3 items 'a' to 'c', 6 nodes, heights 0 to 10)
    """
    columns = columns_of(table)
    given: object = item
    if given is not None and not isinstance(given, str):
        raise InvalidInputError(f"item must be the name of a column; got {printable(given)}")
    levels = {name: float(match[1]) for name in columns if (match := _LEVEL.fullmatch(name)) and name != item}
    others = [name for name in columns if name not in levels]
    if not levels:
        raise InvalidInputError(
            f"a table of HierCC must have columns such as HC0 and HC5; got {quote_first(list(columns))}"
        )
    if item is None and len(others) > 1:
        raise InvalidInputError(
            f"a table of HierCC must have one column besides the thresholds; got {quote_first(others)}",
            Remedy("item", ..., "names the column of the items", "from_hiercc"),
        )
    if item is not None and item not in columns:
        raise InvalidInputError(f"the table must have the column '{printable(item)}'; got {quote_first(list(columns))}")
    column = item if item is not None else others[0] if others else None
    items: Iterable[Any] | None = None if column is None else columns[column]
    if items is None and not isinstance(table, Mapping):
        items = names_within(table)
    return _read_layers([columns[name] for name in levels], items, list(levels.values()), None).tree


def _read_layers(
    layers: Any, item_names: Iterable[str] | None, heights: ArrayLike | None, noise_label: int | str | None
) -> Reading:
    """Return the hierarchy of layers, and that noise is taken as clusters."""
    given, first = _layers(layers)
    label: object = noise_label
    if label is not None and (isinstance(label, bool) or not isinstance(label, int | str)):
        raise InvalidInputError(f"noise_label must be a label, a whole number or text; got {printable(label)}")
    found = [encode_in_order(first, layer, f"{_ordinal(i)} layer's", "layers") for i, layer in enumerate(given)]
    sizes = [layer.code.size for layer in found]
    if len(set(sizes)) > 1:
        raise InvalidInputError(f"layers must have one label for each item; got {quote_first(sizes)} labels")
    height = None if heights is None else float_column(heights, "heights")
    if height is not None and height.size != len(found):
        raise InvalidInputError(f"heights must be one for each of {len(found)} layers; got {height.size}")
    order = np.argsort([_n_clusters(layer, noise_label) for layer in found], kind="stable").tolist()
    if height is not None:
        order = sorted(order, key=lambda i: -float(height[i]))
    layers_down = [found[i] for i in order]
    names = name_items(first, item_names, sizes[0])
    notes = _tell_noise(found) if noise_label is None else []
    return Reading(_nest(layers_down, None if height is None else height[order].tolist(), noise_label, names), notes)


def has_thresholds(names: Iterable[str]) -> bool:
    """Whether columns of these names are the thresholds of HierCC, at least two of them."""
    return sum(_HIERCC.fullmatch(name) is not None for name in names) > 1


def _layers(layers: Any) -> tuple[list[Any], Any]:
    """Return the labels of each layer, and what names the items: the frame, or the first layer."""
    framed = is_frame(layers)
    if framed or isinstance(layers, Mapping):
        given = list(named_columns(layers).values())
        return given, layers if framed else given[0]
    if isinstance(layers, Iterable) and not isinstance(layers, str | bytes):
        given = list(elements(layers, "layers"))
        if given:
            return given, given[0]
    raise InvalidInputError(f"layers must be a sequence of label arrays, at least one; got {printable(layers)}")


def _ordinal(i: int) -> str:
    """Return the number of a layer in words."""
    return ("first", "second", "third")[i] if i < 3 else f"{i + 1}th"


def _tell_noise(layers: list[Partition]) -> list[Message]:
    """Return that the label -1 is taken as a cluster, if it looks like noise."""
    texts = [list(map(str, layer.label.tolist())) for layer in layers]
    noisy = [
        layer.code == labels.index(NOISE)
        for layer, labels in zip(layers, texts, strict=True)
        if has_noise(labels, None)
    ]
    if not noisy:
        return []
    n_noise = int(np.logical_or.reduce(noisy).sum())
    says = f"{n_noise:,} of {plural(noisy[0].size, 'item')} with the label -1, as noise has; taken as clusters"
    return [(says, Remedy("noise_label", -1, "leaves them in the cluster of the coarser layer"))]


def _n_clusters(layer: Partition, noise: int | str | None) -> int:
    """Return the number of clusters of a layer."""
    return layer.label.size - int(noise is not None and noise in layer.label.tolist())


def _nest(
    layers: list[Partition], heights: list[float] | None, noise: int | str | None, items: Iterable[str]
) -> Hierarchy:
    """Return the hierarchy of layers from the coarsest to the finest."""
    parent, names, height = [-1], [""], [0.0]
    node: IntArray = np.zeros(layers[0].code.size, dtype=np.int64)
    for depth, layer in enumerate(layers):
        labels = layer.label.tolist()
        inside = np.ones(node.size, dtype=bool)
        if noise is not None and noise in labels:
            inside = layer.code != labels.index(noise)
        code, above = layer.code[inside], node[inside]
        if depth == 0 and inside.all() and len(labels) == 1:
            names[0] = str(labels[0])
            continue
        first = np.full(len(labels), -1, dtype=np.int64)
        first[code] = above
        apart = first[code] != above
        if apart.any():
            i = int(np.flatnonzero(inside)[np.argmax(apart)])
            raise InvalidTreeError(
                f"each layer must refine the coarser ones; cluster '{printable(labels[layer.code[i]])}' of a layer of"
                f" {len(labels):,} clusters lies in several clusters of a coarser layer (partition.resolutions finds"
                " the nearest nested layers)"
            )
        used = np.flatnonzero(first >= 0)
        number = np.full(len(labels), -1, dtype=np.int64)
        number[used] = len(parent) + np.arange(used.size)
        parent += first[used].tolist()
        names += [str(labels[i]) for i in used.tolist()]
        height += [0.0 if heights is None else heights[depth]] * used.size
        node = node.copy()
        node[inside] = number[code]
    if heights is not None:
        single = len(layers[0].label) == 1
        step = heights[0] - heights[1] if len(heights) > 1 else 1.0
        height[0] = heights[0] if single else heights[0] + step
    return from_parents(parent, node, None if heights is None else height, items, names)
