from dendrometry.generate.colours import hsv_to_rgb as hsv_to_rgb
from dendrometry.generate.colours import lab_to_rgb as lab_to_rgb
from dendrometry.generate.colours import random_colours as random_colours
from dendrometry.generate.colours import rgb_to_hsv as rgb_to_hsv
from dendrometry.generate.colours import rgb_to_lab as rgb_to_lab
from dendrometry.generate.corrupt import collapse_to_root as collapse_to_root
from dendrometry.generate.corrupt import flatten as flatten
from dendrometry.generate.corrupt import prune_regraft as prune_regraft
from dendrometry.generate.corrupt import swap_items as swap_items
from dendrometry.generate.diffused_points import diffused_points as diffused_points
from dendrometry.generate.random_tree import random_tree as random_tree
from dendrometry.generate.stick_breaking import STICK_SETS as STICK_SETS
from dendrometry.generate.stick_breaking import StickBreaking as StickBreaking
from dendrometry.generate.stick_breaking import StickSet as StickSet
from dendrometry.generate.stick_breaking import reinsert as reinsert
from dendrometry.generate.stick_breaking import stick_breaking as stick_breaking
from dendrometry.generate.triplets import random_triplets as random_triplets
from dendrometry.generate.triplets import satisfied_triplets as satisfied_triplets
from dendrometry.generate.worsen import WorseningStep as WorseningStep
from dendrometry.generate.worsen import worsen as worsen

__all__: list[str]
