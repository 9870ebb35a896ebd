"""The harmonic mean of homogeneity and completeness."""

from tests.oracles.measures.partitions.completeness import completeness
from tests.oracles.measures.partitions.homogeneity import homogeneity
from tests.oracles.sets.partitions import Labels


def v_measure(a: Labels, b: Labels) -> float:
    h, c = homogeneity(a, b), completeness(a, b)
    return 2 * h * c / (h + c) if h + c > 0 else 0.0
