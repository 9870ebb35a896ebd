"""Measure hierarchical clusterings against each other: how alike, more than by chance, and where they differ."""

from dendrometry.errors import (
    DendrometryError,
    FormatError,
    InvalidInputError,
    InvalidTreeError,
    ItemMismatchError,
    LostMeaningWarning,
    UndefinedMeasureError,
)
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.labels import from_labels
from dendrometry.io.linkage import from_children, from_linkage, to_linkage
from dendrometry.io.newick import from_newick, to_newick
from dendrometry.io.parents import from_parents, to_parents
from dendrometry.overlap import Overlap

__all__ = [
    "Hierarchy",
    "Overlap",
    "from_linkage",
    "to_linkage",
    "from_children",
    "from_parents",
    "to_parents",
    "from_newick",
    "to_newick",
    "from_labels",
    "DendrometryError",
    "FormatError",
    "InvalidInputError",
    "InvalidTreeError",
    "ItemMismatchError",
    "LostMeaningWarning",
    "UndefinedMeasureError",
]

__version__ = "0.1.0"
