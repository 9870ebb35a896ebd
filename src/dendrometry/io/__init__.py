"""File formats and data structures that hierarchies are read from and written to, one module for each."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
