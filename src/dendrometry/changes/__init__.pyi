from dendrometry.changes.carry_names import CarriedNames as CarriedNames
from dendrometry.changes.carry_names import carry_names as carry_names
from dendrometry.changes.diff import diff as diff
from dendrometry.changes.listing import Change as Change
from dendrometry.changes.result import Diff as Diff
from dendrometry.changes.result import ItemChange as ItemChange
from dendrometry.changes.track_nodes import Tracks as Tracks
from dendrometry.changes.track_nodes import track_nodes as track_nodes

__all__: list[str]
