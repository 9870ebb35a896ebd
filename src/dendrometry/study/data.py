"""Points for the studies: real data that ships with the package or with scikit-learn, and simulated data."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import FloatArray
from dendrometry.datasets.zoo import zoo

__all__ = ["Points", "animals", "bundled", "nested_groups", "standardised", "structureless"]


class Points(NamedTuple):
    """Points to cluster; ``groups`` are the numbers of groups that they are known to have, if any."""

    name: str
    values: FloatArray
    columns: tuple[str, ...]
    groups: tuple[int, ...] = ()


def animals() -> Points:
    """Return the 101 animals by their 16 traits, the number of legs as a share of the greatest."""
    data = zoo()
    values = data.traits / data.traits.max(axis=0)
    return Points("animals", values, data.trait_names, (len(set(data.types)),))


def bundled(name: str) -> Points:
    """Return the iris, wine or digits data that comes with scikit-learn; the columns of wine standardised."""
    from sklearn import datasets

    data = getattr(datasets, f"load_{name}")()
    values = np.asarray(data.data, dtype=np.float64)
    names = tuple(str(column) for column in data.feature_names)
    return Points(name, standardised(values) if name == "wine" else values, names, (int(np.unique(data.target).size),))


def nested_groups(per_group: int, rng: np.random.Generator) -> Points:
    """Return points of 9 normal groups in 8 dimensions, three in each of 3 larger groups.

    Centres of the larger groups are spread with standard deviation 12 in each dimension, those of the small ones around
    them with 4, and points around those with 1.
    """
    large = rng.normal(0.0, 12.0, (3, 1, 1, 8))
    small = large + rng.normal(0.0, 4.0, (3, 3, 1, 8))
    values = (small + rng.normal(0.0, 1.0, (3, 3, per_group, 8))).reshape(-1, 8)
    return Points("nested groups", values, tuple(f"x{j}" for j in range(8)), (3, 9))


def structureless(n_items: int, rng: np.random.Generator) -> Points:
    """Return points of one normal distribution in 8 dimensions: no groups."""
    return Points("no structure", rng.normal(0.0, 1.0, (n_items, 8)), tuple(f"x{j}" for j in range(8)))


def standardised(values: FloatArray) -> FloatArray:
    """Return columns with mean 0 and standard deviation 1."""
    scaled: FloatArray = (values - values.mean(axis=0)) / values.std(axis=0)
    return scaled
