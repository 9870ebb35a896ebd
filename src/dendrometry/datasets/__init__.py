"""Data sets: small data in the package, and collections of documents that are downloaded on request."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
