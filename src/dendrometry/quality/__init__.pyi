from dendrometry.quality.cophenetic_fit import cophenetic_fit as cophenetic_fit
from dendrometry.quality.cophenetic_fit import cophenetic_fit_distances as cophenetic_fit_distances
from dendrometry.quality.cost import TreeCost as TreeCost
from dendrometry.quality.cost import dasgupta_cost as dasgupta_cost
from dendrometry.quality.cost import dasgupta_cost_graph as dasgupta_cost_graph
from dendrometry.quality.cut_scores import CutScores as CutScores
from dendrometry.quality.cut_scores import score_cuts as score_cuts
from dendrometry.quality.gap_statistic import GapStatistic as GapStatistic
from dendrometry.quality.gap_statistic import gap_statistic as gap_statistic

__all__: list[str]
