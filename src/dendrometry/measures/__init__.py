"""Measures of two trees and of two partitions, one in each file."""

from dendrometry._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
