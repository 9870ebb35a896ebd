"""Random trees, points and partitions, and corruptions of trees."""

from dendrometry.generate.colours import hsv_to_rgb, lab_to_rgb, random_colours, rgb_to_hsv, rgb_to_lab
from dendrometry.generate.corrupt import collapse_to_root, flatten, prune_regraft, swap_items
from dendrometry.generate.diffused_points import diffused_points
from dendrometry.generate.random_tree import random_tree
from dendrometry.generate.stick_breaking import STICK_SETS, StickBreaking, StickSet, reinsert, stick_breaking
from dendrometry.generate.triplets import random_triplets, satisfied_triplets
from dendrometry.generate.worsen import WorseningStep, worsen

__all__ = [
    "hsv_to_rgb",
    "lab_to_rgb",
    "random_colours",
    "rgb_to_hsv",
    "rgb_to_lab",
    "collapse_to_root",
    "flatten",
    "prune_regraft",
    "swap_items",
    "diffused_points",
    "random_tree",
    "STICK_SETS",
    "StickBreaking",
    "StickSet",
    "reinsert",
    "stick_breaking",
    "random_triplets",
    "satisfied_triplets",
    "WorseningStep",
    "worsen",
]
