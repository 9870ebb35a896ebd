"""Real data: small data that ships with the package, and collections of documents fetched on request."""

from dendrometry.datasets.corpora import Corpus, fetch
from dendrometry.datasets.zoo import Zoo, zoo

__all__ = ["Corpus", "Zoo", "fetch", "zoo"]
