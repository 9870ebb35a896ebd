"""Predicted nodes of a taxonomy against the true ones: hierarchical precision, recall and F, beside chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen, freeze_arrays
from dendrometry._check.labels import encode_labels
from dendrometry._display import plain_signature, plural, printable
from dendrometry._exact import group_sums
from dendrometry._html import preview
from dendrometry._kernels import tree as kernels
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy, require_hierarchy

__all__ = [
    "PredictionLevels",
    "PredictionScores",
    "hierarchical_prediction_f",
    "hierarchical_prediction_precision",
    "hierarchical_prediction_recall",
    "score_predictions",
]


@freeze_arrays
@plain_signature
class PredictionLevels(NamedTuple):
    """Counts at each depth below the root, from 1 on.

    ``n_true`` and ``n_predicted`` count the items whose true or predicted node is at this depth or deeper, ``n_shared``
    those whose ancestors at this depth are the same; ``expected_shared`` is its mean over all relabellings.
    """

    depth: IntArray
    n_true: IntArray
    n_predicted: IntArray
    n_shared: IntArray
    expected_shared: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class PredictionScores(Frozen):
    """How well predicted nodes of a taxonomy agree with the true ones, beside chance.

    Attributes
    ----------
    n_items : int
        The number of predictions.
    common_depth : (n_items,) array of int
        The depth of the lowest node above both the true and the predicted node of each item; 0 is the root.
    cost : (n_items,) array of int
        The number of edges between the true and the predicted node of each item.
    levels : PredictionLevels
        Counts at each depth.
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

    def _share(self, shared: IntArray | FloatArray, of: IntArray, which: str) -> float:
        if not of.sum():
            raise UndefinedMeasureError(f"a {which} node must lie below the root; all are the root itself")
        return float(shared.sum() / of.sum())

    def _f(self, shared: IntArray | FloatArray) -> float:
        both = int(self.levels.n_true.sum() + self.levels.n_predicted.sum())
        if not both:
            raise UndefinedMeasureError("a true or predicted node must lie below the root; all are the root itself")
        return float(2.0 * shared.sum() / both)

    def _repr_html_(self) -> str:
        return preview(repr(self), {name: column.tolist() for name, column in self.levels._asdict().items()})

    def __repr__(self) -> str:
        mean = self.common_depth.mean()
        return f"PredictionScores({plural(self.n_items, 'item')}, mean depth of the common node {mean:.4g})"


def score_predictions(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: Hierarchy) -> PredictionScores:
    """Return how well predicted nodes of a taxonomy agree with the true ones.

    A node stands for itself and all nodes above it, without the root. Hierarchical precision is the share of these for
    the predicted nodes that are also such for the true node, over all items; recall the same for the true nodes. A
    prediction that errs by one level loses less than one in another branch.

    Parameters
    ----------
    truth, predicted : (n_items,) array-like
        The true and the predicted node of each item: names of nodes of the taxonomy, or their numbers.
    taxonomy : Hierarchy
        The tree of classes, such as `from_paths` or `from_levels` returns. Its own items do not matter.

    Returns
    -------
    PredictionScores
        Precision, recall and F, from 0 to 1, higher is better, each with its exact expectation; depth of the common
        node and cost of each item; counts at each level.

    Raises
    ------
    InvalidInputError
        If a name is not that of exactly one node, or a number not that of a node.
    ItemMismatchError
        If there are not as many predictions as true nodes.

    Notes
    -----
    O(n + nodes) steps, and for each distinct pair of true and predicted node as many steps as it has edges between
    them. By chance, the predictions are assigned to the items at random: n_v(true) n_v(predicted) / n items are then
    below node v in both, on average.

    References
    ----------
    .. [1] S. Kiritchenko, S. Matwin, A. F. Famili, "Functional annotation of genes using hierarchical text
       categorization", BioLINK SIG 2005.

    Examples
    --------
    >>> from dendrometry import from_paths
    >>> from dendrometry.taxonomy import score_predictions
    >>> taxonomy = from_paths(["animal/mammal", "animal/bird", "plant"])
    >>> found = score_predictions(["mammal", "bird", "plant"], ["bird", "bird", "animal"], taxonomy=taxonomy)
    >>> found.precision, found.recall, found.common_depth.tolist()
    (0.6, 0.6, [1, 2, 0])
    """
    require_hierarchy(taxonomy, "taxonomy")
    true, found = (_nodes(taxonomy, nodes, which) for nodes, which in ((truth, "true"), (predicted, "predicted")))
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


def hierarchical_prediction_precision(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: Hierarchy) -> float:
    """Return `PredictionScores.precision`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return score_predictions(truth, predicted, taxonomy=taxonomy).precision


def hierarchical_prediction_recall(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: Hierarchy) -> float:
    """Return `PredictionScores.recall`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return score_predictions(truth, predicted, taxonomy=taxonomy).recall


def hierarchical_prediction_f(truth: ArrayLike, predicted: ArrayLike, *, taxonomy: Hierarchy) -> float:
    """Return `PredictionScores.f`, for ``sklearn.metrics.make_scorer(..., taxonomy=taxonomy)``.

    Parameters
    ----------
    truth, predicted, taxonomy
        As for `score_predictions`.
    """
    return score_predictions(truth, predicted, taxonomy=taxonomy).f


def _nodes(taxonomy: Hierarchy, nodes: ArrayLike, which: str) -> IntArray:
    """Return nodes, given by name or number, as numbers."""
    given = encode_labels(nodes, which)
    if given.label.dtype.kind in "iu":
        known = {v: v for v in given.label.tolist() if 0 <= v < taxonomy.n_nodes}
    else:
        count = Counter(name for name in taxonomy.node_names if name)
        known = {name: v for v, name in enumerate(taxonomy.node_names) if count[name] == 1}
    number = [known.get(label, -1) for label in given.label.tolist()]
    found: IntArray = np.array(number, dtype=np.int64)[given.code]
    if (found < 0).any():
        at = int(np.argmax(found < 0))
        raise InvalidInputError(
            f"the {which} nodes must be names of one node of the taxonomy each, or numbers from 0 to"
            f" {taxonomy.n_nodes - 1:,}; got {printable(given.label.tolist()[given.code[at]])} at position {at}"
        )
    return found


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
