"""The structure of two partitions of the same items: splits, merges, and their costs."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
