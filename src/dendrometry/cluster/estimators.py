"""Agglomerative clustering as a scikit-learn estimator. Importing this module loads scikit-learn."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from dendrometry._check.names import names_within
from dendrometry._check.points import is_sparse, points_of
from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry._typing import IntArray
from dendrometry.cluster.agglomerate import Precision, agglomerate
from dendrometry.cluster.connectivity import in_order
from dendrometry.cluster.gpu.choose import DeviceName
from dendrometry.cluster.linkages import Linkage
from dendrometry.cluster.placement import nearest_of
from dendrometry.cut.count import cut_count
from dendrometry.cut.height import cut_height
from dendrometry.errors import InvalidInputError
from dendrometry.io.formats.linkage import to_linkage

try:
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.exceptions import NotFittedError
except ImportError:  # the constructor names the extra

    class BaseEstimator:  # type: ignore[no-redef]
        """Stands for the class of scikit-learn."""

    class ClusterMixin:  # type: ignore[no-redef]
        """Stands for the class of scikit-learn."""

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """Stands for the error of scikit-learn."""


class _UnfittedError(InvalidInputError, NotFittedError):  # type: ignore[misc]
    """An estimator that is asked before it is fitted, as scikit-learn wants it refused."""


class _WrongTypeError(InvalidInputError, TypeError):
    """Samples of the wrong type, as scikit-learn wants them refused."""


class HierarchicalClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Bottom-up clustering with scikit-learn's interface: `agglomerate`, then `cut_count` or `cut_height`.

    Parameters
    ----------
    n_clusters : int or None
        The number of clusters in ``labels_``; None if ``height`` is given.
    linkage, metric, precision, connectivity
        As for `agglomerate`; the precision has no effect if no matrix of distances is stored.
    device : {"cpu", "cuda", "auto"}
        Where the tree is built, as for `agglomerate`.
    height : float, optional
        The height of the cut (a merge at exactly that height is kept), instead of a number of clusters.

    Attributes
    ----------
    labels_ : (n_samples,) array of int
        The cluster of each sample.
    hierarchy_ : Hierarchy
        The tree, its items named by the index of a data frame, unless that is 0 to n - 1, or "0", "1", and so on.
    agglomeration_ : Agglomeration
        The tree with its combination similarities and its report.
    children_ : (n_samples - 1, 2) array of int
        The merges; merge i forms node n_samples + i.
    distances_ : (n_samples - 1,) array of float
        The height of each merge.
    n_clusters_, n_leaves_, n_features_in_ : int
        The numbers of clusters in ``labels_``, of samples, and of columns in the fitted data.

    Examples
    --------
    >>> from dendrometry import HierarchicalClustering
    >>> model = HierarchicalClustering(n_clusters=2, linkage="complete").fit([[0.0], [1.0], [7.0]])
    >>> model.labels_.tolist(), model.hierarchy_
    ([0, 0, 1], Hierarchy(3 items, 5 nodes, heights 0 to 7))
    """

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        linkage: Linkage = "ward",
        metric: str = "euclidean",
        height: float | None = None,
        connectivity: Any = None,
        precision: Precision | None = None,
        device: DeviceName = "cpu",
    ) -> None:
        require("sklearn", extra="text", for_="HierarchicalClustering")
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.metric = metric
        self.height = height
        self.connectivity = connectivity
        self.precision = precision
        self.device = device

    def fit(self, X: Any, y: None = None) -> Self:
        """Build the tree of the samples and cut it.

        Parameters
        ----------
        X : (n_samples, n_features) array, data frame or sparse matrix
            The samples.
        y : None
            Ignored.

        Returns
        -------
        HierarchicalClustering
            The fitted estimator.
        """
        if (self.n_clusters is None) == (self.height is None):
            raise InvalidInputError(
                "exactly one of n_clusters and height must be given;"
                f" got {printable(self.n_clusters)} and {printable(self.height)}"
            )
        names, connectivity = names_within(X), in_order(self.connectivity, X)
        X = self._checked(X)
        self._samples = None if is_sparse(X) else X
        self.agglomeration_ = agglomerate(
            X,
            linkage=self.linkage,
            metric=self.metric,
            item_names=names,
            precision=self.precision,
            connectivity=connectivity,
            device=self.device,
        )
        self.hierarchy_ = self.agglomeration_.hierarchy
        linkage = to_linkage(self.hierarchy_)
        self.children_: IntArray = linkage[:, :2].astype(np.int64)
        self.distances_ = linkage[:, 2].copy()
        self.n_leaves_ = self.hierarchy_.n_items
        if self.height is None:
            cut = cut_count(self.hierarchy_, self.n_clusters)  # type: ignore[arg-type]
        else:
            cut = cut_height(self.hierarchy_, self.height)
        self.n_clusters_ = cut.n_clusters
        self.labels_ = cut.labels.copy()
        return self

    def predict(self, X: Any) -> IntArray:
        """Return the cluster of each new sample: that of the fitted sample that is nearest, where `place` puts it.

        Parameters
        ----------
        X : (n_samples, n_features) array or data frame
            The new samples.

        Returns
        -------
        (n_samples,) array of int
            Labels as in ``labels_``, which fitted samples keep.

        Raises
        ------
        InvalidInputError
            If the metric is not Euclidean, the clusters have ``connectivity``, or the samples have other columns.
        """
        from sklearn.utils.validation import validate_data

        if not hasattr(self, "labels_"):
            raise _UnfittedError("the estimator must be fitted before it predicts; call fit first")
        if self.metric != "euclidean" or self._samples is None:
            raise InvalidInputError(f"predict needs the metric euclidean; got {printable(self.metric)}")
        if self.connectivity is not None:
            raise InvalidInputError("predict cannot know which samples are adjacent to new ones; got connectivity")
        try:
            points = validate_data(self, X, reset=False, dtype=(np.float64, np.float32), ensure_min_features=0)
        except TypeError as error:
            raise _WrongTypeError(str(error)) from None
        except Exception as error:  # whatever the methods of a foreign type raise
            raise InvalidInputError(str(error)) from None
        labels: IntArray = self.labels_[nearest_of(self._samples, points)]
        return labels

    def _checked(self, X: Any) -> Any:
        """Return the samples as scikit-learn validates them; its errors become ours, with the same text."""
        from sklearn.utils.validation import validate_data

        if self._takes_sparse() and is_sparse(X):
            X = points_of(X)  # scikit-learn would follow broken index arrays
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # of sums that only look for infinite values
                return validate_data(
                    self,
                    X,
                    accept_sparse=("csr", "csc") if self._takes_sparse() else False,
                    dtype=(np.float64, np.float32),
                    ensure_min_samples=2,
                )
        except TypeError as error:
            raise _WrongTypeError(str(error)) from None
        except Exception as error:  # whatever the methods of a foreign type raise
            raise InvalidInputError(str(error)) from None

    def _takes_sparse(self) -> bool:
        """Return whether the metric accepts sparse samples."""
        metric: object = self.metric
        return isinstance(metric, str) and metric in ("cosine", "dot")

    def __sklearn_tags__(self) -> Any:
        """Declare that sparse samples are accepted for cosine and dot."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse()
        return tags
