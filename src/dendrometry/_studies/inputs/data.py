"""Points for the studies: real data from the package or from scikit-learn, and simulated data."""

from typing import NamedTuple

import numpy as np

from dendrometry._extras import require
from dendrometry._typing import FloatArray, IntArray
from dendrometry.datasets.zoo import zoo


class Points(NamedTuple):
    """Points to cluster; ``groups`` are the known numbers of groups, ``labels`` the labels of the finest grouping."""

    name: str
    values: FloatArray
    columns: tuple[str, ...]
    groups: tuple[int, ...] = ()
    labels: IntArray | None = None


def animals() -> Points:
    """Return the 101 animals with their 16 traits, the number of legs as a share of the maximum."""
    data = zoo()
    values = data.traits / data.traits.max(axis=0)
    return Points("animals", values, data.trait_names, (len(set(data.types)),))


def bundled(name: str) -> Points:
    """Return the iris, wine or digits data of scikit-learn; the columns of wine are standardised."""
    datasets = require("sklearn.datasets", extra="text", for_="this study")
    data = getattr(datasets, f"load_{name}")()
    values = np.asarray(data.data, dtype=np.float64)
    names = tuple(str(column) for column in data.feature_names)
    labels = np.asarray(data.target, dtype=np.int64)
    return Points(name, standardised(values) if name == "wine" else values, names, (int(labels.max()) + 1,), labels)


def nested_groups(per_group: int, rng: np.random.Generator) -> Points:
    """Return points of 9 normal groups in 8 dimensions, three in each of 3 larger groups.

    The centres of the larger groups have standard deviation 12 in each dimension, those of the small groups 4 around
    them, and the points 1 around those.
    """
    large = rng.normal(0.0, 12.0, (3, 1, 1, 8))
    small = large + rng.normal(0.0, 4.0, (3, 3, 1, 8))
    values = (small + rng.normal(0.0, 1.0, (3, 3, per_group, 8))).reshape(-1, 8)
    return Points("nested groups", values, tuple(f"x{j}" for j in range(8)), (3, 9))


def planted_noise(per_group: int, n_informative: int, n_noise: int, rng: np.random.Generator) -> Points:
    """Return points of 4 groups that are separated by informative variables but not by noise variables.

    An informative variable places the groups at 0, 4, 8 and 12 in its own random order, with standard deviation 1; a
    noise variable is normal and independent of the groups. All variables are standardised.
    """
    labels = np.repeat(np.arange(4), per_group)
    centre = 4.0 * rng.permuted(np.tile(np.arange(4), (n_informative, 1)), axis=1).T
    values = rng.normal(0.0, 1.0, (labels.size, n_informative + n_noise))
    values[:, :n_informative] += centre[labels]
    names = [f"informative {j + 1}" for j in range(n_informative)] + [f"noise {j + 1}" for j in range(n_noise)]
    return Points("planted noise", standardised(values), tuple(names), (4,), labels)


def structureless(n_items: int, rng: np.random.Generator) -> Points:
    """Return points of one normal distribution in 8 dimensions, without groups."""
    return Points("no structure", rng.normal(0.0, 1.0, (n_items, 8)), tuple(f"x{j}" for j in range(8)))


def standardised(values: FloatArray) -> FloatArray:
    """Return columns with mean 0 and standard deviation 1."""
    scaled: FloatArray = (values - values.mean(axis=0)) / values.std(axis=0)
    return scaled
