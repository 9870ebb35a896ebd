"""Random colours with a true hierarchy, and the settings under which they are clustered with triplets from it."""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np

from dendrometry._display import plural
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.divisive.constrained import bisect_constrained
from dendrometry.generate.colours import random_colours, rgb_to_hsv, rgb_to_lab
from dendrometry.generate.triplets import random_triplets, triplets_of_clusters
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.parents import from_parents


class Colours(NamedTuple):
    """Colours, their true hierarchy, triplets by the way they are drawn, held-out triplets, and a seed for clustering.

    The seed is the same for all settings, so that these differ by what they set alone; ``unconstrained`` are the trees
    without triplets, by space.
    """

    rgb: FloatArray
    truth: Hierarchy
    triplets: dict[str, IntArray]
    unseen: IntArray
    seed: int
    unconstrained: dict[str, Hierarchy]


class Setting(NamedTuple):
    """What the paper leaves open.

    The space, how triplets are drawn, whether their votes are propagated, the weight of a triplet, the least cluster.
    """

    space: str
    triplets: str
    propagate: bool
    trust: float
    smallest: int

    def __str__(self) -> str:
        return (
            f"{self.space}, triplets by {self.triplets}, {propagation(self.propagate)}, trust {self.trust:g}, clusters"
            f" of at least {plural(self.smallest, 'item')}"
        )


def propagation(propagate: bool) -> str:
    """Return the setting of propagation in words."""
    return "votes propagated" if propagate else "votes not propagated"


def hsv_cone(rgb: FloatArray) -> FloatArray:
    """Return colours in the HSV cone: black at the tip, hue as the angle, saturation times value as the radius."""
    hue, saturation, value = rgb_to_hsv(rgb).T
    angle, chroma = 2.0 * np.pi * hue, saturation * value
    return np.column_stack([chroma * np.cos(angle), chroma * np.sin(angle), value])


_SPACES: dict[str, Callable[[FloatArray], FloatArray]] = {"HSV columns": rgb_to_hsv, "HSV cone": hsv_cone}
_DRAWN_BY = ("items", "nodes")
_PROPAGATE = (True, False)
_TRUST = (0.1, 1.0, 10.0)
_MORE_TRUST = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
_SMALLEST = (1, 5, 10, 15, 20)


def settings() -> list[Setting]:
    """Return all settings that are tried; those that differ in the least cluster alone follow each other."""
    return [Setting(*choice) for choice in product(_SPACES, _DRAWN_BY, _PROPAGATE, _TRUST, _SMALLEST)]


def votes_varied(setting: Setting) -> list[Setting]:
    """Return the settings that differ from one, if at all, in propagation and in the weight of a triplet."""
    return [setting._replace(propagate=how, trust=trust) for how, trust in product(_PROPAGATE, _MORE_TRUST)]


def draw_colours(n: int, most: int, unseen: int, rng: np.random.Generator) -> Colours:
    """Draw colours, build their true hierarchy (average linkage in Lab), and draw triplets from it."""
    rgb = random_colours(n, rng=rng)
    truth = agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy
    triplets = {"items": random_triplets(truth, most, rng=rng), "nodes": triplets_by_node(truth, most, rng)}
    held_out, seed = random_triplets(truth, unseen, rng=rng), int(rng.integers(2**32))
    trees = {name: bisect_constrained(convert(rgb), [], rng=seed).hierarchy for name, convert in _SPACES.items()}
    return Colours(rgb, truth, triplets, held_out, seed, trees)


def triplets_by_node(tree: Hierarchy, count: int, rng: np.random.Generator) -> IntArray:
    """Draw triplets node by node: any cluster of two or more items, two of its items, and an item that joins it."""
    size = tree.sizes[:-1]
    has_some = (size > 1) & (tree.sizes[tree.parent[:-1]] > size)
    return triplets_of_clusters(tree, has_some.astype(np.float64), count, rng)


def cluster_colours(one: Colours, setting: Setting, count: int) -> Hierarchy:
    """Return the hierarchy of the colours with so many triplets, down to single colours."""
    if count == 0:
        return one.unconstrained[setting.space]
    return bisect_constrained(
        _SPACES[setting.space](one.rgb),
        one.triplets[setting.triplets][:count],
        trust=setting.trust,
        propagate=setting.propagate,
        rng=one.seed,
    ).hierarchy


def unsplit(tree: Hierarchy, smallest: int) -> Hierarchy:
    """Return a hierarchy whose items are moved up to the lowest cluster of at least ``smallest`` items."""
    at = tree.item_node.copy()
    small = np.flatnonzero(tree.sizes[at] < smallest)
    while small.size:
        at[small] = tree.parent[at[small]]
        small = small[tree.sizes[at[small]] < smallest]
    return from_parents(tree.parent, at, None, tree.items)


def greatest_cfm(truth: Hierarchy, smallest: int) -> float:
    """Return a bound on the CFM of any hierarchy in which every cluster has at least ``smallest`` items.

    A class of c items is best matched by a cluster of exactly these, and if c is less than s, by one of s items that
    holds them all: F is then 2 c / (c + s).
    """
    size = truth.sizes.astype(np.float64)
    best = np.where(size < smallest, 2.0 * size / (size + smallest), 1.0)
    return float((size * best).sum() / size.sum())
