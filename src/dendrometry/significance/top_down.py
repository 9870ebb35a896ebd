"""P-values of nodes, adjusted down a tree, so that the error over all nodes is held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import real_number
from dendrometry._check.tree import column_of_nodes
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels.significance import top_down as kernels
from dendrometry._kernels.tree import nearest_kept
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


@dataclass(frozen=True, eq=False, repr=False)
class TopDown(Frozen, Tabular):
    """The p-values of nodes that were tested from the root down.

    Attributes
    ----------
    p_value : (n_nodes,) array of float
        The p-value of each node; nan where none was tested.
    adjusted : (n_nodes,) array of float
        The adjusted p-value of each node; nan where none was tested. Above the level of the test it is an upper bound,
        since nodes below a node that is not rejected remain untested.
    alpha : float
        The level.
    """

    p_value: FloatArray
    adjusted: FloatArray
    alpha: float

    @property
    def rejected(self) -> BoolArray:
        """Which nodes are rejected at the level."""
        held: BoolArray = self.adjusted <= self.alpha
        return held

    def columns(self) -> dict[str, list[Any]]:
        """Return the tested nodes as columns."""
        node = np.flatnonzero(~np.isnan(self.p_value))
        columns = {name: getattr(self, name)[node].tolist() for name in ("p_value", "adjusted", "rejected")}
        return {"node": node.tolist(), **columns}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each tested node."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        n_tested = int((~np.isnan(self.p_value)).sum())
        return f"TopDown({plural(n_tested, 'node')} tested, {int(self.rejected.sum()):,} rejected at {self.alpha:g})"


def adjust_down(tree: HierarchyLike, p_values: object) -> FloatArray:
    """Return the p-values of nodes, adjusted so that rejections go down from the root and the error is held.

    Rejecting every node whose adjusted p-value is at most alpha rejects any true hypothesis with a probability of at
    most alpha (the family-wise error), whatever the dependence of the p-values and whichever hypotheses are true. This
    is the inheritance procedure [1]_: the root is tested at the whole level; a rejected node divides its share of the
    level among its children, in proportion to the number of their items; and a subtree in which all is rejected leaves
    its share to the remaining children of the nearest ancestor that has any. No node is rejected before its ancestors.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree.
    p_values : (n_nodes,) array of float
        The p-value of each node; nan where there is no hypothesis. Such a node hands its share down at once, and a
        subtree without hypotheses has no share.

    Returns
    -------
    (n_nodes,) array of float
        The least alpha at which each node is rejected, at most 1; at least the p-value, and at least the adjusted
        p-value of any node above it. nan where there is no hypothesis.

    Raises
    ------
    InvalidInputError
        If there is not one p-value, from 0 to 1 or nan, for each node.

    Notes
    -----
    Why the error is held: a false rejection implies that a topmost true hypothesis is rejected, one without a true
    hypothesis above it. No two of these lie one above the other, so before the first of them is rejected their shares
    add up to at most alpha, and shares never shrink: Bonferroni's inequality does the rest. Nothing is assumed about
    how the hypotheses of a node and its children are related.

    Meinshausen's adjustment [2]_, the maximum over the ancestors of p × n / size, never takes a share from where it
    is not needed any more, and gives a share to leaves that nobody tests; so this one is never larger. His sharper
    version for binary trees, after Shaffer, assumes that a node's hypothesis is true if those of both children are,
    which does not hold for tests of splits or of enrichment. O(n log n).

    References
    ----------
    .. [1] J. J. Goeman and L. Finos, "The inheritance procedure: multiple testing of tree-structured hypotheses",
       Statistical Applications in Genetics and Molecular Biology 11 (2012), doi:10.1515/1544-6115.1554.
    .. [2] N. Meinshausen, "Hierarchical testing of variable importance", Biometrika 95 (2008),
       doi:10.1093/biomet/asn007.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.significance import adjust_down
    >>> tree = from_newick("((ape,bat),(cow,dog));")
    >>> nan = float("nan")  # the leaves, which come first
    >>> tree.n_nodes, tree.sizes.tolist()
    (7, [1, 1, 2, 1, 1, 2, 4])
    >>> adjust_down(tree, [nan, nan, 0.01, nan, nan, 0.04, 0.001]).tolist()
    [nan, nan, 0.02, nan, nan, 0.04, 0.001]
    """
    tree = as_hierarchy(tree)
    return read_only(_adjusted(tree, column_of_nodes(p_values, "p_values", tree.n_nodes)))


def reject_down(
    tree: HierarchyLike, test: Callable[[IntArray], object], *, hypotheses: BoolArray, alpha: float = 0.05
) -> TopDown:
    """Test nodes from the root down, each only once all nodes above it are rejected.

    For tests that take long: the nodes that are rejected are those that `adjust_down` rejects from all p-values, but
    nothing is computed below a node that is not.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree.
    test : callable
        Takes the numbers of some nodes, in ascending order, and returns a p-value for each. It is called at most once
        for each level of the tree, and never twice for a node.
    hypotheses : (n_nodes,) array of bool
        The nodes that have a hypothesis: these take part in the division of the level.
    alpha : float
        The level, above 0 and below 1.

    Returns
    -------
    TopDown
        The p-values of the tested nodes, as they are and adjusted.

    Raises
    ------
    InvalidInputError
        If ``test`` is not a function, ``hypotheses`` is not a column of booleans, the level is out of range, or the
        test does not return one p-value from 0 to 1 for each node.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.significance import reject_down
    >>> tree = from_newick("((ape,bat),(cow,dog));")
    >>> reject_down(tree, lambda nodes: [0.02] * len(nodes), hypotheses=tree.sizes > 1)
    TopDown(3 nodes tested, 3 rejected at 0.05)
    >>> reject_down(tree, lambda nodes: [0.5] * len(nodes), hypotheses=tree.sizes > 1).adjusted.tolist()
    [nan, nan, nan, nan, nan, nan, 0.5]
    """
    tree = as_hierarchy(tree)
    level = real_number(alpha, "alpha", above=0.0, below=1.0)
    if not callable(test):
        raise InvalidInputError(f"test must be a function of nodes that returns p-values; got {printable(test)}")
    asked = np.asarray(hypotheses)
    if asked.dtype != bool or asked.shape != (tree.n_nodes,):
        raise InvalidInputError(f"hypotheses must be one boolean for each of {tree.n_nodes:,} nodes")
    above = nearest_kept(tree.parent, asked)
    p = np.where(asked, 1.0, np.nan)
    tested = ~asked
    while True:
        adjusted = _adjusted(tree, p)
        reached = (above < 0) | (tested[above] & (adjusted[above] <= level))
        new = np.flatnonzero(reached & ~tested)
        if new.size == 0:
            break
        p[new] = column_of_nodes(test(new.copy()), "what test returns", new.size)
        tested[new] = True
        if np.isnan(p[new]).any():
            raise InvalidInputError("what test returns must be numbers from 0 to 1; got nan")
    done = tested & asked
    return TopDown(np.where(done, p, np.nan), np.where(done, adjusted, np.nan), level)


def _adjusted(tree: Hierarchy, p: FloatArray) -> FloatArray:
    """Return the adjusted p-values of a tree."""
    children, order = tree.children, tree.order
    heir = kernels.sizes_of_heirs(tree.parent, tree.sizes, p)
    columns = (tree.parent, children.start, children.node, order.low, order.high, tree.sizes)
    return kernels.adjust_down(kernels.Nodes(*columns, p, heir), order.node)
