"""The largest common subtree: the fewest items to leave out until two trees have the same clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels.measures import common_subtree as kernels
from dendrometry._tabular import Tabular
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import bibtex_entry
from dendrometry.overlap import Overlap
from dendrometry.tree_pair.pair import Pair, Tree

MOST_STEPS = 10**8  # pairs of nodes, and of their children where there are more than two: a table of 800 MB


@dataclass(frozen=True, eq=False, repr=False)
class CommonSubtree(Frozen, Tabular):
    """The items of a largest common subtree of two trees.

    Attributes
    ----------
    kept : tuple of str
        The items on which both trees agree, in the order of the first tree.
    left_out : tuple of str
        The other items: without them both trees have the same clusters.
    bibtex : str
        The BibTeX entry of its source.
    """

    kept: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def bibtex(self) -> str:
        """The BibTeX entry of its source."""
        return bibtex_entry("warnow1993")

    @property
    def share(self) -> float:
        """The share of the items that are kept: 1 if both trees have the same clusters."""
        return len(self.kept) / (len(self.kept) + len(self.left_out))

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each item, those left out first, and whether it is kept."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        kept = [False] * len(self.left_out) + [True] * len(self.kept)
        return pd.DataFrame({"kept": kept}, index=pd.Index([*self.left_out, *self.kept], name="item"))

    def _repr_html_(self) -> str:
        items = [*self.left_out, *self.kept[:MOST_ROWS]]
        kept = ["no"] * len(self.left_out) + ["yes"] * len(self.kept[:MOST_ROWS])
        return preview(repr(self), {"item": items, "kept": kept}, len(self.left_out) + len(self.kept))

    def __repr__(self) -> str:
        n, few = len(self.kept) + len(self.left_out), self.left_out[:3]
        names = ", ".join(f"'{printable(name)}'" for name in few) + (", ..." if len(self.left_out) > 3 else "")
        return f"CommonSubtree({len(self.kept):,} of {plural(n, 'item')}" + (f"; without {names})" if few else ")")


def largest_common_subtree(a: HierarchyLike, b: HierarchyLike) -> CommonSubtree:
    """Return as many items as possible on which two trees have the same clusters.

    Without the items left out, both trees have the same clusters: they are equal but for their heights. This is the
    maximum agreement subtree of phylogenetics, for trees with any number of children and with items at inner nodes.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    CommonSubtree
        The items to keep, at least two if there are two, and those to leave out.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If the computation would take more than 100,000,000 steps: beyond some 5,000 items.

    Notes
    -----
    O(n**2) time and space for binary trees. Two nodes with p and q children, p <= q, are matched in p**2 q steps. A
    tree that leaves a cluster unresolved agrees only with trees that do so too: a star and a binary tree agree on two
    items. Several sets of items can be equally large; one of them is returned.

    References
    ----------
    .. [1] M. Steel, T. Warnow, "Kaikoura tree theorems: computing the maximum agreement subtree", Information
       Processing Letters 48 (1993) 77-82.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.comparison import largest_common_subtree
    >>> a, b = from_newick("((((ape,cat),elk),fox),owl);"), from_newick("(((ape,cat),fox),(elk,owl));")
    >>> largest_common_subtree(a, b)
    CommonSubtree(4 of 5 items; without 'elk')
    """
    a, b = as_hierarchies(a, b)
    overlap = Overlap.of(a, b)
    pair = Pair.of(overlap)
    below = _children(pair.a, overlap.item_row), _children(pair.b, overlap.item_row)
    _require_few_steps(*below)
    size = kernels.common_sizes(*below, pair.n_items)
    kept = _common_items(*below, size)
    return CommonSubtree(
        tuple(name for i, name in enumerate(overlap.items) if i in kept),
        tuple(name for i, name in enumerate(overlap.items) if i not in kept),
    )


def _children(tree: Tree, item_row: IntArray) -> kernels.Children:
    """Return the children of each node, with the items as the first nodes, each a leaf of its own."""
    alone = (tree.n_children == 0) & (tree.own == 1)
    number = np.where(alone, -1, item_row.size + np.cumsum(~alone) - 1)
    at = tree.node[item_row]
    over_item = np.where(alone[at], tree.parent[at], at)
    inner = np.flatnonzero(~alone)[:-1]
    parent = np.append(number[over_item], number[tree.parent[inner]])
    n_nodes = item_row.size + np.count_nonzero(~alone)
    start = np.append(0, np.cumsum(np.bincount(parent[parent >= 0], minlength=n_nodes)))
    return kernels.Children(start, np.argsort(parent, kind="stable")[np.count_nonzero(parent < 0) :])


def _require_few_steps(a: kernels.Children, b: kernels.Children) -> None:
    """Refuse trees whose comparison would take too long."""
    (degree_a, n_a), (degree_b, n_b) = (np.unique(np.diff(x.start), return_counts=True) for x in (a, b))
    few, many = np.minimum.outer(degree_a, degree_b), np.maximum.outer(degree_a, degree_b)
    each = np.where(many <= 2, 1.0, 1.0 + few.astype(np.float64) ** 2 * many)
    steps = float((each * np.outer(n_a, n_b)).sum())
    if steps > MOST_STEPS:
        raise InvalidInputError(
            f"a largest common subtree must take at most {MOST_STEPS:,} steps; these trees would take"
            f" about {steps:,.0f}"
        )


def _common_items(a: kernels.Children, b: kernels.Children, size: IntArray) -> set[int]:
    """Return the items of one largest common subtree, from the sizes of those of all pairs of nodes."""
    from scipy.optimize import linear_sum_assignment

    kept: set[int] = set()
    left = [(size.shape[0] - 1, size.shape[1] - 1)]
    while left:
        u, v = left.pop()
        below_u, below_v = a.child[a.start[u] : a.start[u + 1]], b.child[b.start[v] : b.start[v + 1]]
        if below_u.size == below_v.size == 0:
            kept.add(u)
            continue
        down_u, down_v = size[below_u, v] == size[u, v], size[u, below_v] == size[u, v]
        if down_u.any():
            left.append((int(below_u[down_u.argmax()]), v))
        elif down_v.any():
            left.append((u, int(below_v[down_v.argmax()])))
        else:
            weight = size[np.ix_(below_u, below_v)]
            left += [
                (int(below_u[i]), int(below_v[j]))
                for i, j in zip(*linear_sum_assignment(weight, maximize=True), strict=True)
                if weight[i, j] > 0
            ]
    return kept
