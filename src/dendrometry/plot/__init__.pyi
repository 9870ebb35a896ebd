from dendrometry.plot.layout.entanglement import entanglement as entanglement
from dendrometry.plot.layout.leaf_order import LeafOrder as LeafOrder
from dendrometry.plot.layout.leaf_order import leaf_order as leaf_order
from dendrometry.plot.layout.untangle import Untangled as Untangled
from dendrometry.plot.layout.untangle import untangle as untangle
from dendrometry.plot.matrix.clustermap import Clustermap as Clustermap
from dendrometry.plot.matrix.clustermap import clustermap as clustermap
from dendrometry.plot.matrix.sides import MapSide as MapSide
from dendrometry.plot.partitions.congruence import congruence as congruence
from dendrometry.plot.partitions.resolution_flow import resolution_flow as resolution_flow
from dendrometry.plot.partitions.split_merge_flow import split_merge_flow as split_merge_flow
from dendrometry.plot.results.co_membership import co_membership as co_membership
from dendrometry.plot.results.cut_scores import cut_scores as cut_scores
from dendrometry.plot.results.item_disagreement import item_disagreement as item_disagreement
from dendrometry.plot.results.label_curves import label_curves as label_curves
from dendrometry.plot.results.matches import matches as matches
from dendrometry.plot.results.method_scores import method_scores as method_scores
from dendrometry.plot.results.stability_curve import stability_curve as stability_curve
from dendrometry.plot.results.stage_curves import stage_curves as stage_curves
from dendrometry.plot.results.tree_matrix import tree_matrix as tree_matrix
from dendrometry.plot.results.variable_scores import variable_scores as variable_scores
from dendrometry.plot.results.worsening import worsening as worsening
from dendrometry.plot.trees.dendrogram import dendrogram as dendrogram
from dendrometry.plot.trees.icicle import icicle as icicle
from dendrometry.plot.trees.tanglegram import tanglegram as tanglegram
from dendrometry.plot.widget.tree_widget import tree_widget as tree_widget

__all__: list[str]
