"""Cut a tree into clusters: by number, height, gap or penalty."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
