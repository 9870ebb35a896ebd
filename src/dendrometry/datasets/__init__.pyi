from dendrometry.datasets.corpora import Corpus as Corpus
from dendrometry.datasets.corpora import fetch as fetch
from dendrometry.datasets.news import News as News
from dendrometry.datasets.news import news as news
from dendrometry.datasets.reuters import ReutersStory as ReutersStory
from dendrometry.datasets.reuters import read_reuters as read_reuters
from dendrometry.datasets.zoo import Zoo as Zoo
from dendrometry.datasets.zoo import zoo as zoo

__all__: list[str]
