"""The ways to label, by name, with what a page calls each; light, so that the command line's help can read it."""

from typing import Literal

Method = Literal["hierarchical", "mutual_information", "chi_square", "centroid", "title"]

METHODS: dict[Method, str] = {
    "hierarchical": "Hierarchical",
    "mutual_information": "Mutual information",
    "chi_square": "Chi-square",
    "centroid": "Centroid",
    "title": "Nearest title",
}
