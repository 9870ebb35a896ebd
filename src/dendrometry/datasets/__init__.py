"""Data sets: small data in the package, and documents that are downloaded on request or read from files."""

from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.datasets.news import News, news
from dendrometry.datasets.reuters import ReutersStory, read_reuters
from dendrometry.datasets.zoo import Zoo, zoo

__all__ = ["Corpus", "News", "ReutersStory", "Zoo", "fetch", "news", "read_reuters", "zoo"]
