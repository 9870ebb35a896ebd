"""Scorers for scikit-learn's search over parameters, of clusterings and trees, which cannot predict.

They take a clusterer, or a pipeline that ends in one. Rows that cannot be scored with some parameters, such as fewer
rows than clusters, score -1e9 with a warning, so that these parameters are never the best. A call that no parameters
could save, such as one without labels, raises an error; scikit-learn turns that into nan unless the search is told
``error_score="raise"``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from dendrometry._check.names import names_within
from dendrometry._check.numbers import whole_number
from dendrometry._check.points import is_sparse, points_of
from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.formats.linkage import from_sklearn
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import measure_named
from dendrometry.resampling.stability import stability

_WHOLE_TREE = ("compute_full_tree", "compute_distances")  # parameters of AgglomerativeClustering
_LEAST = -1e9  # finite, as scikit-learn averages scores and subtracts them


class LabelScorer:
    """A scorer that clusters the rows it is given, and compares the clusters with known labels.

    A clustering has no ``predict``: it says nothing about rows that it has not seen, and `make_scorer` gives only nan.
    This scorer fits a copy of the estimator to the held-out rows, and compares its ``labels_`` with theirs. It works
    for any clusterer of scikit-learn.

    Parameters
    ----------
    measure : str
        The name of a measure of partitions; distances are negated, so that higher is better.

    Raises
    ------
    InvalidInputError
        If there is no such measure of partitions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from dendrometry import HierarchicalClustering
    >>> from dendrometry.resampling import LabelScorer
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"linkage": ["single", "average", "ward"], "n_clusters": [2, 3, 4]}
    >>> search = GridSearchCV(HierarchicalClustering(), grid, scoring=LabelScorer("adjusted_rand"), cv=3)
    >>> search.fit(X, y).best_params_["n_clusters"] in (2, 3, 4)
    True
    """

    def __init__(self, measure: str = "adjusted_rand") -> None:
        self.measure = measure_named(measure, "partitions").name

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        """Return the agreement of the clusters of X with the labels y, higher = better."""
        if y is None:
            raise InvalidInputError("a LabelScorer compares with labels, and y must be given; got None")
        record = measure_named(self.measure, "partitions")
        return _score_or_least(lambda: _signed(record, record.call(y, _labels_of(_fitted(estimator, X)))))

    def __repr__(self) -> str:
        return f"LabelScorer({self.measure!r})"


class TreeScorer:
    """A scorer that builds the tree of the rows it is given, and compares it with a known tree.

    The estimator must have a ``hierarchy_``, as `HierarchicalClustering` has, or ``children_``, as scikit-learn's
    AgglomerativeClustering.

    Parameters
    ----------
    reference : Hierarchy
        The known tree, such as a taxonomy. Its items are the names in the index of the data frame that is searched
        over; of a fold, the tree is restricted to the items of the fold.
    measure : str
        The name of a measure of trees; distances are negated, so that higher is better.

    Raises
    ------
    InvalidInputError
        If there is no such measure of trees, or the reference is not a hierarchy.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.model_selection import GridSearchCV, KFold
    >>> from dendrometry import HierarchicalClustering, datasets
    >>> from dendrometry.resampling import TreeScorer
    >>> animals = datasets.zoo()
    >>> X = pd.DataFrame(animals.traits, index=animals.items)
    >>> scorer = TreeScorer(animals.taxonomy, "triplet_agreement")
    >>> folds = KFold(3, shuffle=True, random_state=0)
    >>> search = GridSearchCV(HierarchicalClustering(), {"linkage": ["single", "ward"]}, scoring=scorer, cv=folds)
    >>> search.fit(X).best_params_
    {'linkage': 'single'}
    """

    def __init__(self, reference: Hierarchy, measure: str = "hierarchy_agreement") -> None:
        require_hierarchy(reference, "reference")
        self.reference = reference
        self.measure = measure_named(measure, "trees").name

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        """Return the agreement of the tree of X with the reference, higher = better; y is ignored."""
        names = names_within(X)
        if names is None:
            raise InvalidInputError(f"X must be a data frame whose index names the items; got {type(X).__name__}")
        record, known = measure_named(self.measure, "trees"), self.reference.restrict(names)
        return _score_or_least(lambda: _signed(record, record.call(known, _tree_of(estimator, X))))

    def __repr__(self) -> str:
        return f"TreeScorer({self.reference!r}, {self.measure!r})"


class StabilityScorer:
    """A scorer that needs no labels: how far the agreement of replicates stands out from data without clusters.

    Parameters
    ----------
    n_replicates : int
        The number of replicates, at least 6.
    n_references : int
        The number of reference sets; 0 scores the agreement itself, which favours few clusters.

    Raises
    ------
    InvalidInputError
        If a number is invalid.

    Notes
    -----
    The estimator must have ``n_clusters`` and a ``hierarchy_``, as `HierarchicalClustering` has, or ``children_``, as
    scikit-learn's AgglomerativeClustering. The score of rows is
    the excess at ``n_clusters``, as in `stability`, with ``rng=0``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import GridSearchCV, KFold
    >>> from dendrometry import HierarchicalClustering
    >>> from dendrometry.resampling import StabilityScorer
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 30, axis=0)
    >>> folds = KFold(2, shuffle=True, random_state=0)
    >>> scorer = StabilityScorer(n_references=5)
    >>> search = GridSearchCV(HierarchicalClustering(), {"n_clusters": [2, 3, 4]}, scoring=scorer, cv=folds)
    >>> search.fit(X).best_params_
    {'n_clusters': 3}
    """

    def __init__(self, n_replicates: int = 20, n_references: int = 10) -> None:
        self.n_replicates = whole_number(n_replicates, "n_replicates", 6)
        self.n_references = whole_number(n_references, "n_references", 0)

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        """Return the excess of agreement at the number of clusters of the estimator; y is ignored."""
        clusterer = _steps(estimator)[1]
        wanted = whole_number(getattr(clusterer, "n_clusters", None), "n_clusters of the estimator", 2)
        n_rows = points_of(X).shape[0]

        def build(points: Any) -> Hierarchy:
            return _tree_of(estimator, points, n_clusters=1)  # the tree alone counts, however few rows

        if n_rows > wanted:
            return _score_or_least(lambda: self._excess(X, build, wanted))
        return _least(f"there must be more rows than clusters, {wanted:,}; got {n_rows:,}")

    def _excess(self, X: Any, build: Callable[[Any], Hierarchy], n_clusters: int) -> float:
        """Return the excess of agreement at a number of clusters."""
        found = stability(
            X,
            build=build,
            n_replicates=self.n_replicates,
            n_references=self.n_references,
            max_clusters=n_clusters,
            n_jobs=1,
        )
        if not found.is_complete:
            raise KeyboardInterrupt
        if found.agreement is None:
            raise UndefinedMeasureError("replicates must share items to be compared; there are too few rows")
        return float(found.agreement.excess[-1])

    def __repr__(self) -> str:
        return f"StabilityScorer(n_replicates={self.n_replicates}, n_references={self.n_references})"


def _fitted(estimator: Any, X: Any, **options: Any) -> Any:
    """Return the last step of a copy of an estimator, with other options if any are given, fitted to some rows."""
    base = require("sklearn.base", extra="text", for_="a scorer")
    head, clusterer = _steps(base.clone(estimator))
    clusterer.set_params(**options)
    try:
        return clusterer.fit(X if head is None else _with_names_of(X, head.fit_transform(X)))
    except ValueError as error:
        raise UndefinedMeasureError(f"they cannot be clustered: {error}") from error


def _with_names_of(X: Any, rows: Any) -> Any:
    """Return rows with the names of the items of X, which steps that give arrays lose."""
    names = names_within(X)
    if names is None or names_within(rows) is not None or is_sparse(rows):
        return rows
    return require("pandas", extra="tables", for_="a scorer").DataFrame(rows, index=names)


def _steps(estimator: Any) -> tuple[Any, Any]:
    """Return what a pipeline does before its last step, None if nothing, and the last step; others are a last step."""
    pipeline = require("sklearn.pipeline", extra="text", for_="a scorer").Pipeline
    if not isinstance(estimator, pipeline):
        return None, estimator
    return (estimator[:-1] if len(estimator) > 1 else None), estimator[-1]


def _score_or_least(score: Callable[[], float]) -> float:
    """Return a score, or -1e9 with a warning if rows cannot be scored."""
    try:
        return score()
    except (UndefinedMeasureError, ItemMismatchError) as error:
        return _least(str(error))


def _least(why: str) -> float:
    """Return the score of rows that cannot be scored, with a warning."""
    warnings.warn(f"these rows cannot be scored, and count as {_LEAST:g}: {why}", UserWarning, stacklevel=4)
    return _LEAST


def _labels_of(estimator: Any) -> Any:
    """Return the labels of a fitted estimator."""
    labels = getattr(estimator, "labels_", None)
    if labels is None:
        raise InvalidInputError(f"the estimator must have labels_, as clusterers have; got {printable(estimator)}")
    return labels


def _tree_of(estimator: Any, X: Any, **options: Any) -> Hierarchy:
    """Return the tree of a copy of an estimator, with other options if any are given, fitted to some rows."""
    known = _steps(estimator)[1].get_params()
    fitted = _fitted(estimator, X, **options, **{name: True for name in _WHOLE_TREE if name in known})
    tree = getattr(fitted, "hierarchy_", None)
    if tree is None and hasattr(fitted, "children_"):
        return from_sklearn(fitted, item_names=names_within(X))
    if not isinstance(tree, Hierarchy):
        raise InvalidInputError(
            "the estimator must have a hierarchy_, as HierarchicalClustering has, or children_, as"
            f" AgglomerativeClustering has; got {printable(fitted)}"
        )
    return tree


def _signed(record: Measure, value: Any) -> float:
    """Return a value with the sign for which higher is better."""
    number = float(value)
    return -number + 0.0 if record.kind == "distance" else number
