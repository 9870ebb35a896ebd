"""Stability of a tree: what is left of its clusters when the data are drawn again."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
