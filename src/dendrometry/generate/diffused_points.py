"""Random points for the items of a hierarchy, by diffusion down the tree."""

from __future__ import annotations

import numpy as np

from dendrometry._check.numbers import RandomSource, random_generator, real_number, whole_number
from dendrometry._display import plural
from dendrometry._kernels.generate import random_tree as kernels
from dendrometry._memory import require_memory
from dendrometry._typing import FloatArray
from dendrometry.hierarchy import Hierarchy, require_hierarchy


def diffused_points(
    tree: Hierarchy,
    *,
    dimension: int = 2,
    shrink: float = 0.5,
    noise: float = 0.25,
    rng: RandomSource = 0,
) -> FloatArray:
    """Draw a point for every item so that items near in the tree are near in space.

    The root lies at the origin. The step from a parent to a child is normally distributed, with standard deviation
    ``shrink^d`` in every coordinate, where d is the depth of the parent; so is the step from a node to an item, with
    ``noise`` times the standard deviation of a step to a child. Nested clusters become nested clouds of points.

    Parameters
    ----------
    tree : Hierarchy
        Any tree, for instance one from `stick_breaking`.
    dimension : int
        The number of coordinates; with more of them siblings overlap less.
    shrink : float above 0, at most 1
        The factor by which steps become shorter from level to level.
    noise : float above 0
        The distance of items from their node, relative to a step to a child.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.

    Returns
    -------
    (n_items, dimension) array of float
        The points, in the order of the items.

    Raises
    ------
    InvalidInputError
        If a number is out of range.

    Notes
    -----
    O((n_nodes + n_items) * dimension). The Gaussian diffusion of [1]_, section 3.

    References
    ----------
    .. [1] R. P. Adams, Z. Ghahramani, M. I. Jordan, "Tree-structured stick breaking for hierarchical data", NIPS 2010.

    Examples
    --------
    >>> from dendrometry.generate import STICK_SETS, diffused_points, stick_breaking
    >>> drawn = stick_breaking(500, **STICK_SETS["s03"]._asdict(), rng=0)
    >>> diffused_points(drawn.hierarchy, dimension=3, rng=1).shape
    (500, 3)
    """
    require_hierarchy(tree)
    columns = whole_number(dimension, "dimension", 1)
    ratio = real_number(shrink, "shrink", above=0.0, most=1.0)
    require_memory(
        24 * (tree.n_nodes + tree.n_items) * columns,
        f"drawing {plural(tree.n_items, 'point')}",
        "Take a smaller dimension.",
    )
    spread = real_number(noise, "noise", above=0.0)
    random = random_generator(rng)
    deviation = ratio**tree.depths
    with np.errstate(over="ignore"):  # at the root, which stays where it is
        step = random.standard_normal((tree.n_nodes, columns)) * (deviation / ratio)[:, None]
    step[tree.root] = 0.0
    centre = kernels.accumulate_down(tree.parent, step)
    own = random.standard_normal((tree.n_items, columns)) * (spread * deviation[tree.item_node])[:, None]
    points: FloatArray = centre[tree.item_node] + own
    return points
