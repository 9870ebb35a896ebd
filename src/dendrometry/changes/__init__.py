"""What changed between versions of a tree: moves, splits, merges and names."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
