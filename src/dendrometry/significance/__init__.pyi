from dendrometry.significance.enrichment import Enrichment as Enrichment
from dendrometry.significance.enrichment import enrichment as enrichment
from dendrometry.significance.recurrence import Recurrence as Recurrence
from dendrometry.significance.recurrence import recurrence as recurrence
from dendrometry.significance.selective import Selective as Selective
from dendrometry.significance.selective import selective as selective
from dendrometry.significance.splits import Splits as Splits
from dendrometry.significance.splits import splits as splits
from dendrometry.significance.top_down import TopDown as TopDown
from dendrometry.significance.top_down import adjust_down as adjust_down
from dendrometry.significance.top_down import reject_down as reject_down

__all__: list[str]
