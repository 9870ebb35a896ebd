from dendrometry.label.label import label_nodes as label_nodes
from dendrometry.label.label import label_table as label_table
from dendrometry.label.label import label_tree as label_tree
from dendrometry.label.labels import LabelTable as LabelTable
from dendrometry.label.labels import NodeLabels as NodeLabels

__all__: list[str]
