"""Predictions on one taxonomy: how well predicted nodes agree with the true ones, beside chance."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
