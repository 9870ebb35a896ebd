"""Random colours with a true hierarchy, and the settings under which they are clustered with triplets from it."""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.divisive.constrained import bisect_constrained
from dendrometry.generate.colours import random_colours, rgb_to_hsv, rgb_to_lab
from dendrometry.generate.triplets import random_triplets, triplets_of_clusters
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.parents import from_parents


class Colours(NamedTuple):
    """Colours, their true hierarchy, triplets to be told by the way they are drawn, and held-out triplets."""

    rgb: FloatArray
    truth: Hierarchy
    triplets: dict[str, IntArray]
    unseen: IntArray


class Setting(NamedTuple):
    """What the paper leaves open: the space, the weight of a triplet, how triplets are drawn, and the least cluster."""

    space: str
    trust: float
    triplets: str
    smallest: int

    def __str__(self) -> str:
        return (
            f"{self.space}, trust {self.trust:g}, triplets by {self.triplets}, clusters of at least"
            f" {self.smallest} item{'s' if self.smallest > 1 else ''}"
        )


def hsv_cone(rgb: FloatArray) -> FloatArray:
    """Return colours in the HSV cone: black at the tip, hue as the angle, saturation times value as the radius."""
    hue, saturation, value = rgb_to_hsv(rgb).T
    angle, chroma = 2.0 * np.pi * hue, saturation * value
    return np.column_stack([chroma * np.cos(angle), chroma * np.sin(angle), value])


_SPACES: dict[str, Callable[[FloatArray], FloatArray]] = {"HSV columns": rgb_to_hsv, "HSV cone": hsv_cone}
_TRUST = (1.0, 10.0)
_DRAWN_BY = ("items", "nodes")
_SMALLEST = (1, 5, 10, 15, 20)


def settings() -> list[Setting]:
    """Return all settings that are tried; those that differ in the least cluster alone follow each other."""
    return [Setting(*choice) for choice in product(_SPACES, _TRUST, _DRAWN_BY, _SMALLEST)]


def draw_colours(n: int, most: int, unseen: int, rng: np.random.Generator) -> Colours:
    """Draw colours, build their true hierarchy (average linkage in Lab), and draw triplets from it."""
    rgb = random_colours(n, rng=rng)
    truth = agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy
    triplets = {"items": random_triplets(truth, most, rng=rng), "nodes": triplets_by_node(truth, most, rng)}
    return Colours(rgb, truth, triplets, random_triplets(truth, unseen, rng=rng))


def triplets_by_node(tree: Hierarchy, count: int, rng: np.random.Generator) -> IntArray:
    """Draw triplets node by node: any cluster of two or more items, two of its items, and an item that joins it."""
    size = tree.sizes[:-1]
    has_some = (size > 1) & (tree.sizes[tree.parent[:-1]] > size)
    return triplets_of_clusters(tree, has_some.astype(np.float64), count, rng)


def cluster_colours(one: Colours, setting: Setting, count: int, rng: np.random.Generator) -> Hierarchy:
    """Return the hierarchy of the colours with so many triplets, down to single colours."""
    points = _SPACES[setting.space](one.rgb)
    return bisect_constrained(points, one.triplets[setting.triplets][:count], trust=setting.trust, rng=rng).hierarchy


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
