"""Predicted nodes of a taxonomy against the true ones: hierarchical precision, recall and F, beside chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen
from dendrometry._check.names import alignment
from dendrometry._display import plural
from dendrometry._exact import group_sums
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels import tree as kernels
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import ItemMismatchError, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.measures.score import adjust
from dendrometry.taxonomy.nodes import Nodes


@dataclass(frozen=True, eq=False, repr=False)
class PredictionLevels(Frozen, Tabular):
    """Counts and costs at each depth below the root, from 1 on.

    Attributes
    ----------
    depth : (n_levels,) array of int
        The depths.
    n_true, n_predicted : (n_levels,) array of int
        The number of items whose true or predicted node is at this depth or deeper.
    n_shared : (n_levels,) array of int
        The number of items whose true and predicted nodes have the same ancestor at this depth.
    expected_shared : (n_levels,) array of float
        The mean of ``n_shared`` over all relabellings of the items, exact.
    """

    depth: IntArray
    n_true: IntArray
    n_predicted: IntArray
    n_shared: IntArray
    expected_shared: FloatArray

    @property
    def cost(self) -> IntArray:
        """The number of edges from this depth up that lie between true and predicted nodes, over all items."""
        return self.n_true + self.n_predicted - 2 * self.n_shared

    @property
    def expected_cost(self) -> FloatArray:
        """The mean of `cost` over all relabellings of the items, exact."""
        return self.n_true + self.n_predicted - 2.0 * self.expected_shared

    @property
    def adjusted_cost(self) -> list[float | None]:
        """1 - cost / expected cost: 1 without errors, 0 as by chance; None where no relabelling has a cost."""
        return [adjust(x, y, 0.0) for x, y in zip(self.cost.tolist(), self.expected_cost.tolist(), strict=True)]

    def columns(self) -> dict[str, list[Any]]:
        """Return the levels as columns."""
        names = ("depth", "n_true", "n_predicted", "n_shared", "expected_shared", "cost", "expected_cost")
        return {name: getattr(self, name).tolist() for name in names} | {"adjusted_cost": self.adjusted_cost}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each depth; an undefined adjusted cost is nan."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).astype({"adjusted_cost": float})

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        return f"PredictionLevels({plural(self.depth.size, 'level')}, cost {self.cost.sum():,})"


@dataclass(frozen=True, eq=False, repr=False)
class PredictionScores(Frozen, Tabular):
    """How well predicted nodes of a taxonomy agree with the true ones, beside chance.

    Adjusted values are 1 for right predictions and 0 for those of chance; None if every relabelling scores 1.

    Attributes
    ----------
    n_items : int
        The number of predictions.
    common_depth : (n_items,) array of int
        The depth of the lowest node above both the true and the predicted node of each item; 0 is the root.
    cost : (n_items,) array of int
        The number of edges between the true and the predicted node of each item.
    levels : PredictionLevels
        Counts and costs at each depth.
    """

    n_items: int
    common_depth: IntArray
    cost: IntArray
    levels: PredictionLevels

    @property
    def precision(self) -> float:
        """Hierarchical precision: the share of predicted ancestors that are true."""
        return self._share(self.levels.n_shared, self.levels.n_predicted, "predicted")

    @property
    def recall(self) -> float:
        """Hierarchical recall: the share of true ancestors that are predicted."""
        return self._share(self.levels.n_shared, self.levels.n_true, "true")

    @property
    def f(self) -> float:
        """The harmonic mean of hierarchical precision and recall."""
        return self._f(self.levels.n_shared)

    @property
    def expected_precision(self) -> float:
        """The mean of `precision` over all relabellings of the items, exact."""
        return self._share(self.levels.expected_shared, self.levels.n_predicted, "predicted")

    @property
    def expected_recall(self) -> float:
        """The mean of `recall` over all relabellings of the items, exact."""
        return self._share(self.levels.expected_shared, self.levels.n_true, "true")

    @property
    def expected_f(self) -> float:
        """The mean of `f` over all relabellings of the items, exact."""
        return self._f(self.levels.expected_shared)

    @property
    def expected_common_depth(self) -> float:
        """The mean of `common_depth` over all items and relabellings, exact."""
        return float(self.levels.expected_shared.sum()) / self.n_items

    @property
    def expected_cost(self) -> float:
        """The mean of `cost` over all items and relabellings, exact."""
        return float(self.levels.expected_cost.sum()) / self.n_items

    @property
    def adjusted_precision(self) -> float | None:
        """`precision`, adjusted for chance."""
        return adjust(self.precision, self.expected_precision, 1.0)

    @property
    def adjusted_recall(self) -> float | None:
        """`recall`, adjusted for chance."""
        return adjust(self.recall, self.expected_recall, 1.0)

    @property
    def adjusted_f(self) -> float | None:
        """`f`, adjusted for chance."""
        return adjust(self.f, self.expected_f, 1.0)

    @property
    def adjusted_cost(self) -> float | None:
        """The mean of `cost`, adjusted for chance: 1 - cost / expected cost."""
        return adjust(float(self.cost.mean()), self.expected_cost, 0.0)

    def _share(self, shared: IntArray | FloatArray, of: IntArray, which: str) -> float:
        if not of.sum():
            raise UndefinedMeasureError(f"a {which} node must lie below the root; all are the root itself")
        return float(shared.sum() / of.sum())

    def _f(self, shared: IntArray | FloatArray) -> float:
        both = int(self.levels.n_true.sum() + self.levels.n_predicted.sum())
        if not both:
            raise UndefinedMeasureError("a true or predicted node must lie below the root; all are the root itself")
        return float(2.0 * shared.sum() / both)

    def columns(self) -> dict[str, list[Any]]:
        """Return each score with its expectation and adjusted value as columns; undefined values are None."""
        rows: dict[str, tuple[float | None, ...]] = {}
        for name in ("precision", "recall", "f"):
            try:
                rows[name] = tuple(getattr(self, start + name) for start in ("", "expected_", "adjusted_"))
            except UndefinedMeasureError:
                rows[name] = (None, None, None)
        rows["common_depth"] = (float(self.common_depth.mean()), self.expected_common_depth, None)
        rows["cost"] = (float(self.cost.mean()), self.expected_cost, self.adjusted_cost)
        values = zip(("value", "expected", "adjusted"), zip(*rows.values(), strict=True), strict=True)
        return {"score": list(rows)} | {name: list(column) for name, column in values}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each score; undefined values are nan.

        The rows of the depth of the common node and of the cost are means over the items; ``levels.to_frame()`` has
        the costs of each depth.
        """
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).set_index("score").astype(float)

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        columns = self.columns()
        scores = zip(("precision", "recall", "F"), columns["value"], strict=False)
        values = ", ".join(f"{name} {'undefined' if value is None else f'{value:.4g}'}" for name, value in scores)
        expected = columns["expected"][2]
        chance = "" if expected is None else f" ({expected:.4g} by chance)"
        return f"PredictionScores({plural(self.n_items, 'item')}, {values}{chance}, mean cost {self.cost.mean():.4g})"


def score_predictions(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: HierarchyLike) -> PredictionScores:
    """Return how well predicted nodes of a taxonomy agree with the true ones.

    A node stands for itself and all nodes above it, without the root. Hierarchical precision is the share of these for
    the predicted nodes that are also such for the true node, over all items; recall the same for the true nodes. A
    prediction that errs by one level loses less than one in another branch.

    Parameters
    ----------
    truth, predicted : (n_items,) array-like, pandas.Series, or mapping from item to node
        The true and the predicted node of each item: names of nodes of the taxonomy, their paths, as in
        "animal/mammal", or their numbers. A node without a name is called by its only item. A name that several nodes
        have must be given as a path; "/other" is the node other below the root, "/" the root. Two Series or mappings
        are matched by their index or keys.
    taxonomy : Hierarchy, or anything that `as_hierarchy` takes
        The tree of classes, such as `from_paths` or `from_levels` returns. Its own items do not matter.

    Returns
    -------
    PredictionScores
        Precision, recall and F, from 0 to 1, higher is better; depth of the common node and cost of each item; counts
        and costs at each level; all with their exact expectations.

    Raises
    ------
    InvalidInputError
        If a name or path is not that of exactly one node, or a number not that of a node.
    ItemMismatchError
        If there are not as many predictions as true nodes, or their indexes or keys name different items.

    Notes
    -----
    O(n + nodes) steps, and for each distinct pair of true and predicted node as many steps as it has edges between
    them. By chance, the predictions are assigned to the items at random: n_v(true) n_v(predicted) / n items are then
    below node v in both, on average.

    References
    ----------
    .. [1] S. Kiritchenko, S. Matwin, R. Nock, A. F. Famili, "Learning and evaluation in the presence of class
       hierarchies: application to text categorization", Canadian AI 2006, doi:10.1007/11766247_34.

    Examples
    --------
    >>> from dendrometry import from_paths
    >>> from dendrometry.taxonomy import score_predictions
    >>> taxonomy = from_paths(["animal/mammal", "animal/bird", "plant"])
    >>> found = score_predictions(["mammal", "bird", "plant"], ["bird", "bird", "animal"], taxonomy=taxonomy)
    >>> found.precision, found.recall, found.common_depth.tolist()
    (0.6, 0.6, [1, 2, 0])
    """
    taxonomy = as_hierarchy(taxonomy, what="taxonomy")
    nodes = Nodes(taxonomy)
    true, found = nodes.find(truth, "true"), nodes.find(predicted, "predicted")
    order = alignment(truth, predicted, "the true and the predicted nodes")
    if order is not None:
        found = found[order]
    if true.size != found.size:
        raise ItemMismatchError(
            f"there must be one prediction for each true node; got {found.size:,} for {true.size:,}"
        )
    parent, depth = taxonomy.parent, kernels.depths(taxonomy.parent)
    common = _common_nodes(parent, true, found)
    below = [kernels.accumulate_sum(parent, np.bincount(x, minlength=parent.size)) for x in (true, found, common)]
    n_levels = int(depth.max()) + 1
    n_true, n_found, n_shared = (group_sums(depth, x, n_levels)[1:] for x in below)
    expected = group_sums(depth, below[0].astype(np.float64) * below[1] / true.size, n_levels)[1:]
    levels = PredictionLevels(np.arange(1, n_levels), n_true, n_found, n_shared, expected)
    cost = depth[true] + depth[found] - 2 * depth[common]
    return PredictionScores(true.size, depth[common], cost, levels)


def hierarchical_prediction_precision(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: HierarchyLike) -> float:
    """Return `PredictionScores.precision`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return score_predictions(truth, predicted, taxonomy=taxonomy).precision


def hierarchical_prediction_recall(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: HierarchyLike) -> float:
    """Return `PredictionScores.recall`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return score_predictions(truth, predicted, taxonomy=taxonomy).recall


def hierarchical_prediction_f(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: HierarchyLike) -> float:
    """Return `PredictionScores.f`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return score_predictions(truth, predicted, taxonomy=taxonomy).f


def _common_nodes(parent: IntArray, first: IntArray, second: IntArray) -> IntArray:
    """Return the lowest node at or above both nodes of each item; of two different nodes, the lower number goes up."""
    pairs, of_item = np.unique(np.column_stack((first, second)), axis=0, return_inverse=True)
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    going = np.flatnonzero(low != high)
    while going.size:
        up = parent[low[going]]
        low[going], high[going] = np.minimum(up, high[going]), np.maximum(up, high[going])
        going = going[low[going] != high[going]]
    nodes: IntArray = low[of_item.ravel()]
    return nodes
