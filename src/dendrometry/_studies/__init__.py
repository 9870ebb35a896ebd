"""Studies that reproduce the tables and claims of the source documents, run by ``dendrometry reproduce``."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
