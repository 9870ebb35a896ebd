"""Data sets: small data in the package, and collections of documents that are downloaded on request."""

from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.datasets.zoo import Zoo, zoo

__all__ = ["Corpus", "Zoo", "fetch", "zoo"]
