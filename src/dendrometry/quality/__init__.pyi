from dendrometry.quality.cophenetic_fit import cophenetic_fit as cophenetic_fit
from dendrometry.quality.cophenetic_fit import cophenetic_fit_distances as cophenetic_fit_distances
from dendrometry.quality.cost import TreeCost as TreeCost
from dendrometry.quality.cost import dasgupta_cost as dasgupta_cost
from dendrometry.quality.cost import dasgupta_cost_graph as dasgupta_cost_graph

__all__: list[str]
