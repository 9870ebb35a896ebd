"""The names of metrics; this module imports little, so that the help of the command line can use it."""

from __future__ import annotations

__all__ = ["BOOLEAN_METRICS", "METRICS", "OWN_METRICS"]

OWN_METRICS = ("euclidean", "sqeuclidean", "cosine", "dot")  # derived from squared distances; all others are SciPy's
BOOLEAN_METRICS = ("dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
METRICS = (
    *OWN_METRICS,
    "braycurtis",
    "canberra",
    "chebyshev",
    "cityblock",
    "correlation",
    "hamming",
    "jaccard",
    "jensenshannon",
    "mahalanobis",
    "minkowski",
    "seuclidean",
    *BOOLEAN_METRICS,
)
