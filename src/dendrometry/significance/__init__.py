"""Which nodes of a tree are more than chance, with the error held over all of them."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
