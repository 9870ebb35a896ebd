"""Drawings of trees and of comparisons: each takes ``ax=None`` and returns the matplotlib Axes; nothing shows it."""

from dendrometry.plot.dendrogram import dendrogram
from dendrometry.plot.icicle import icicle
from dendrometry.plot.item_disagreement import item_disagreement
from dendrometry.plot.layout.untangle import Untangled, untangle
from dendrometry.plot.matches import matches
from dendrometry.plot.split_merge_flow import split_merge_flow
from dendrometry.plot.stage_curves import stage_curves
from dendrometry.plot.tanglegram import tanglegram
from dendrometry.plot.tree_matrix import tree_matrix
from dendrometry.plot.worsening import worsening

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
]
