"""Hierarchical clustering of points, or of items with given distances."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
