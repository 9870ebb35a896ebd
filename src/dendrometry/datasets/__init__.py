"""Data sets: small data in the package, and documents that are downloaded on request or read from files."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
