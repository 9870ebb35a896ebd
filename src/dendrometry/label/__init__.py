"""Labels for the nodes of a tree of documents: their most characteristic words."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
