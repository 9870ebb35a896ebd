"""Names that help and completion show, written out so that neither loads what they name; a test holds them to it."""

from collections.abc import Callable, Iterable

__all__ = [
    "ENDINGS",
    "FORMATS",
    "LABEL_METHODS",
    "MEASURES",
    "PARTITION_MEASURES",
    "STUDIES",
    "TREE_METHODS",
    "completing",
]

FORMATS = {
    "newick": (".nwk", ".newick", ".tree"),
    "json": (".json",),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "parquet": (".parquet",),
    "npy": (".npy",),
}
ENDINGS = ", ".join(suffix for suffixes in FORMATS.values() for suffix in suffixes)
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
LABEL_METHODS = ("hierarchical", "mutual_information", "chi_square", "centroid", "title")
STUDIES = ("f-scores", "colours", "worsening", "stages", "variables", "consensus", "measures", "reuters", "newsgroups")
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
TREE_METHODS = (
    "bisect",
    "principal_direction",
    "buckshot",
    "group_average",
    "average",
    "complete",
    "single",
    "ward",
)


def completing(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the function that completes the beginning of one of the names."""
    listed = list(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in listed if name.startswith(incomplete)]

    return complete
