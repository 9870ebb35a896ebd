"""Plots of trees and comparisons: each function takes ``ax=None`` and returns the Axes without showing the figure."""

from dendrometry.plot.layout.untangle import Untangled, untangle
from dendrometry.plot.results.item_disagreement import item_disagreement
from dendrometry.plot.results.matches import matches
from dendrometry.plot.results.split_merge_flow import split_merge_flow
from dendrometry.plot.results.stage_curves import stage_curves
from dendrometry.plot.results.tree_matrix import tree_matrix
from dendrometry.plot.results.variable_scores import variable_scores
from dendrometry.plot.results.worsening import worsening
from dendrometry.plot.trees.dendrogram import dendrogram
from dendrometry.plot.trees.icicle import icicle
from dendrometry.plot.trees.tanglegram import tanglegram

__all__ = [
    "dendrogram",
    "icicle",
    "tanglegram",
    "untangle",
    "Untangled",
    "stage_curves",
    "item_disagreement",
    "matches",
    "tree_matrix",
    "split_merge_flow",
    "worsening",
    "variable_scores",
]
