"""Small real data that ships with the package."""

from dendrometry.datasets.zoo import Zoo, zoo

__all__ = ["Zoo", "zoo"]
