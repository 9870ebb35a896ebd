"""Plots of trees and comparisons: each function takes ``ax=None`` and returns the Axes without showing the figure."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
