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
from dendrometry.overlap import Overlap

__all__ = [
    "Hierarchy",
    "Overlap",
    "DendrometryError",
    "FormatError",
    "InvalidInputError",
    "InvalidTreeError",
    "ItemMismatchError",
    "LostMeaningWarning",
    "UndefinedMeasureError",
]

__version__ = "0.1.0"
