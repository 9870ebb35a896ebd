"""Tables that do not fit into memory: counted where they lie, by DuckDB or Spark."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
