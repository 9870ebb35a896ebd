from dendrometry.changes.diff import diff as diff
from dendrometry.changes.listing import Change as Change
from dendrometry.changes.result import Diff as Diff
from dendrometry.changes.result import ItemChange as ItemChange

__all__: list[str]
