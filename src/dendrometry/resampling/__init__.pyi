from dendrometry.resampling.agreement import Agreement as Agreement
from dendrometry.resampling.agreement import NumberChoice as NumberChoice
from dendrometry.resampling.distances import stability_of_distances as stability_of_distances
from dendrometry.resampling.fidelity import Fidelity as Fidelity
from dendrometry.resampling.fidelity import fidelity as fidelity
from dendrometry.resampling.item_stability import ItemStability as ItemStability
from dendrometry.resampling.item_stability import co_membership as co_membership
from dendrometry.resampling.item_stability import item_stability as item_stability
from dendrometry.resampling.methods import MethodScores as MethodScores
from dendrometry.resampling.methods import score_methods as score_methods
from dendrometry.resampling.node_support import NodeSupport as NodeSupport
from dendrometry.resampling.rank_stability import FactorEffect as FactorEffect
from dendrometry.resampling.rank_stability import RankStability as RankStability
from dendrometry.resampling.rank_stability import rank_stability as rank_stability
from dendrometry.resampling.replicates.draws import MULTISCALE as MULTISCALE
from dendrometry.resampling.replicates.draws import Resampling as Resampling
from dendrometry.resampling.replicates.replicate import Replicate as Replicate
from dendrometry.resampling.scorers import LabelScorer as LabelScorer
from dendrometry.resampling.scorers import StabilityScorer as StabilityScorer
from dendrometry.resampling.scorers import TreeScorer as TreeScorer
from dendrometry.resampling.stability import Stability as Stability
from dendrometry.resampling.stability import stability as stability
from dendrometry.resampling.stability import stability_of_trees as stability_of_trees
from dendrometry.resampling.stable_clusters import cut_stable as cut_stable
from dendrometry.resampling.support_tree import support_tree as support_tree

__all__: list[str]
