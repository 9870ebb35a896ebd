"""Comparison of two hierarchies at every number of clusters."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
