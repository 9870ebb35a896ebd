"""Comparison of two or more hierarchies: how alike they are, whether more than by chance, and where they differ."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
