"""Data sets: small data in the package, and documents that are downloaded on request or read from files."""

from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.datasets.reuters import ReutersStory, read_reuters
from dendrometry.datasets.zoo import Zoo, zoo

__all__ = ["Corpus", "ReutersStory", "Zoo", "fetch", "read_reuters", "zoo"]
