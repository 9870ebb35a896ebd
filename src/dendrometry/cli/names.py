"""Names that help and completion show, written out so that neither loads what they name; a test holds them to it."""

__all__ = ["LINKAGES", "MEASURES", "METRICS", "PARTITION_MEASURES"]

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
MEASURES = (
    "hierarchy_agreement",
    "hierarchical_f",
    "classic_f",
    "partial_order_f",
    "overall_distance",
    "overall_similarity",
    "cophenetic_distance",
    "cophenetic_correlation",
)
PARTITION_MEASURES = (
    "rand",
    "adjusted_rand",
    "fowlkes_mallows",
    "van_dongen",
    "classification_accuracy",
    "mutual_information",
    "normalized_mutual_information",
    "variation_of_information",
    "variation_similarity",
    "bounded_variation_similarity",
    "split_merge",
)
