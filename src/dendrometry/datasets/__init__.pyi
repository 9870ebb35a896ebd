from dendrometry.datasets.corpora import Corpus as Corpus
from dendrometry.datasets.corpora import fetch as fetch
from dendrometry.datasets.zoo import Zoo as Zoo
from dendrometry.datasets.zoo import zoo as zoo

__all__: list[str]
