"""Data sets: small data in the package, and collections of documents that are downloaded on request."""

from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.datasets.news import News, news
from dendrometry.datasets.zoo import Zoo, zoo

__all__ = ["Corpus", "News", "Zoo", "fetch", "news", "zoo"]
