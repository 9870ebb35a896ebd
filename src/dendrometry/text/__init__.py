"""Documents: vectors, trees, near-duplicates and first stories of texts."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
