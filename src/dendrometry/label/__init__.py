"""Words for the nodes of a tree of documents."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
