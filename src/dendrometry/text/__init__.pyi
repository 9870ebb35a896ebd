from dendrometry.text.collection import Documents as Documents
from dendrometry.text.collection import Skipped as Skipped
from dendrometry.text.collection import documents_from_embeddings as documents_from_embeddings
from dendrometry.text.detection import DetectionCurve as DetectionCurve
from dendrometry.text.detection import DetectionPoint as DetectionPoint
from dendrometry.text.detection import detection_curve as detection_curve
from dendrometry.text.duplicates import NearDuplicates as NearDuplicates
from dendrometry.text.duplicates import near_duplicates as near_duplicates
from dendrometry.text.events import story_clusters as story_clusters
from dendrometry.text.stories import Story as Story
from dendrometry.text.stories import first_stories as first_stories
from dendrometry.text.stories import read_first_stories as read_first_stories
from dendrometry.text.story_windows import StoryCluster as StoryCluster
from dendrometry.text.stream import StoryStream as StoryStream
from dendrometry.text.stream import StreamStory as StreamStory
from dendrometry.text.tree import DocumentTree as DocumentTree
from dendrometry.text.tree import cluster_documents as cluster_documents
from dendrometry.text.vectorize import read_documents as read_documents
from dendrometry.text.vectorize import vectorize_documents as vectorize_documents

__all__: list[str]
