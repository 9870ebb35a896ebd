"""Names that help and completion show, written out so that neither loads what they name; a test holds them to it."""

__all__ = ["LINKAGES", "METRICS"]

LINKAGES = ("single", "complete", "average", "weighted", "ward", "centroid", "median", "group_average")
METRICS = (
    "euclidean",
    "sqeuclidean",
    "cosine",
    "dot",
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
    "dice",
    "rogerstanimoto",
    "russellrao",
    "sokalsneath",
    "yule",
)
