"""Colours that people with any colour vision can distinguish, and their assignment to items and nodes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.labels import encode_labels, subset
from dendrometry._check.names import names_within
from dendrometry._display import quote_first
from dendrometry._kernels import tree as walks
from dendrometry._typing import IntArray
from dendrometry.errors import ItemMismatchError
from dendrometry.hierarchy import Hierarchy

# Okabe and Ito, "Color Universal Design", 2008, with olive for their yellow, which is too faint on white; black is
# reserved for lines
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#6B6100")
INK = "#333333"  # lines and text
OTHER = "#999999"  # groups beyond the palette
FAINT = "#cccccc"  # guides, and links without a particular meaning
ACCENT = "#D55E00"  # elements that need attention

ItemLabels = ArrayLike | Mapping[str, Any]


class Groups(NamedTuple):
    """Items grouped by label: ``code`` is the index of each item's label in ``names``, most frequent label first.

    Labels beyond the palette share the last index; ``n_other`` is their number.
    """

    code: IntArray
    names: tuple[str, ...]
    n_other: int


def group_items(items: tuple[str, ...], labels: ItemLabels) -> Groups:
    """Return the groups of the items by labels: by name if the labels are a mapping or have an index, else in order."""
    found = encode_labels(labels, "given")
    names = names_within(labels)
    if names is not None:
        place = {name: at for at, name in enumerate(names)}
        missing = [name for name in items if name not in place]
        if missing:
            raise ItemMismatchError(f"labels must name every item; there is none for {quote_first(missing)}")
        found = subset(found, [place[name] for name in items])
    if found.code.size != len(items):
        raise ItemMismatchError(f"labels must be as many as the items, {len(items):,}; got {found.code.size:,}")
    n_items = np.bincount(found.code)
    rank = np.empty(n_items.size, dtype=np.int64)
    rank[np.argsort(-n_items, kind="stable")] = np.arange(n_items.size)
    shown = [str(found.label[i]) for i in np.argsort(rank)[: len(PALETTE)].tolist()]
    n_other = max(0, n_items.size - len(PALETTE))
    if n_other:
        shown.append(f"{n_other:,} other labels" if n_other > 1 else str(found.label[int(np.argmax(rank))]))
    return Groups(np.minimum(rank, len(PALETTE))[found.code], tuple(shown), n_other)


def node_codes(tree: Hierarchy, code: IntArray) -> IntArray:
    """Return for each node the code shared by all items below it, or -1 where they differ, in O(n)."""
    ends = []
    for sign in (1, -1):
        own = np.full(tree.n_nodes, np.iinfo(np.int64).max)
        np.minimum.at(own, tree.item_node, sign * code)
        ends.append(sign * walks.accumulate_minimum(tree.parent, own))
    return np.where(ends[0] == ends[1], ends[0], -1)
