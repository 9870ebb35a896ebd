"""The metrics of points, by name: light, so that the command line's help can read them."""

__all__ = ["BOOLEAN_METRICS", "METRICS", "OWN_METRICS", "TRUE_METRICS"]

OWN_METRICS = ("euclidean", "sqeuclidean", "cosine", "dot")  # made of squared distances; all others are SciPy's
BOOLEAN_METRICS = ("dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
TRUE_METRICS = ("euclidean", "sqeuclidean", "chebyshev", "cityblock", "minkowski")  # 0 for equal points alone
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
