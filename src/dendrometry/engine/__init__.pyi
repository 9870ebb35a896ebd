from dendrometry.engine.cluster_table import CellReport as CellReport
from dendrometry.engine.cluster_table import cluster_table as cluster_table
from dendrometry.engine.item_table import ItemTable as ItemTable
from dendrometry.engine.overlap_from_tables import overlap_from_tables as overlap_from_tables

__all__: list[str]
