"""Random trees, points and partitions, and corruptions of trees."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
