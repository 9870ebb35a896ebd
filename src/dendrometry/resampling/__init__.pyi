from dendrometry.resampling.agreement import Agreement as Agreement
from dendrometry.resampling.agreement import NumberChoice as NumberChoice
from dendrometry.resampling.draws import MULTISCALE as MULTISCALE
from dendrometry.resampling.draws import Resampling as Resampling
from dendrometry.resampling.node_support import NodeSupport as NodeSupport
from dendrometry.resampling.replicate import Replicate as Replicate
from dendrometry.resampling.stability import Stability as Stability
from dendrometry.resampling.stability import stability as stability
from dendrometry.resampling.stability import stability_of_trees as stability_of_trees

__all__: list[str]
