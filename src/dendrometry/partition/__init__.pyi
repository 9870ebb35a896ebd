from dendrometry.measures.components import Costs as Costs
from dendrometry.partition.consistency import Consistency as Consistency
from dendrometry.partition.consistency import consistency as consistency
from dendrometry.partition.decompose import Decomposition as Decomposition
from dendrometry.partition.decompose import decompose as decompose
from dendrometry.partition.graph import Bipartite as Bipartite
from dendrometry.partition.graph import Derivation as Derivation
from dendrometry.partition.graph import Star as Star
from dendrometry.partition.graph import bipartite as bipartite
from dendrometry.partition.graph import join as join
from dendrometry.partition.graph import meet as meet
from dendrometry.partition.graph import refines as refines
from dendrometry.partition.level_choice import LevelChoice as LevelChoice
from dendrometry.partition.nesting import Nesting as Nesting
from dendrometry.partition.resolutions import Resolutions as Resolutions
from dendrometry.partition.resolutions import Step as Step
from dendrometry.partition.resolutions import resolutions as resolutions
from dendrometry.partition.series import score_series as score_series
from dendrometry.partition.subcomponents import Subcomponents as Subcomponents
from dendrometry.partition.subcomponents import score_subcomponents as score_subcomponents

__all__: list[str]
