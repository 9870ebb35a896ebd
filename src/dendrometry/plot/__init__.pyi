from dendrometry.plot._layout.entanglement import entanglement as entanglement
from dendrometry.plot._layout.leaf_order import LeafOrder as LeafOrder
from dendrometry.plot._layout.leaf_order import leaf_order as leaf_order
from dendrometry.plot._layout.sides import MapSide as MapSide
from dendrometry.plot._layout.untangle import Untangled as Untangled
from dendrometry.plot._layout.untangle import untangle as untangle
from dendrometry.plot.clustermap import Clustermap as Clustermap
from dendrometry.plot.clustermap import clustermap as clustermap
from dendrometry.plot.co_membership import co_membership as co_membership
from dendrometry.plot.congruence import congruence as congruence
from dendrometry.plot.cut_scores import cut_scores as cut_scores
from dendrometry.plot.dendrogram import dendrogram as dendrogram
from dendrometry.plot.icicle import icicle as icicle
from dendrometry.plot.item_disagreement import item_disagreement as item_disagreement
from dendrometry.plot.label_curves import label_curves as label_curves
from dendrometry.plot.matches import matches as matches
from dendrometry.plot.method_scores import method_scores as method_scores
from dendrometry.plot.resolution_flow import resolution_flow as resolution_flow
from dendrometry.plot.split_merge_flow import split_merge_flow as split_merge_flow
from dendrometry.plot.stability_curve import stability_curve as stability_curve
from dendrometry.plot.stage_curves import stage_curves as stage_curves
from dendrometry.plot.tanglegram import tanglegram as tanglegram
from dendrometry.plot.tree_matrix import tree_matrix as tree_matrix
from dendrometry.plot.tree_widget import tree_widget as tree_widget
from dendrometry.plot.variable_scores import variable_scores as variable_scores
from dendrometry.plot.worsening import worsening as worsening

__all__: list[str]
