"""The reduced mutual information as a share of that of the first partition with itself."""

from tests.oracles.measures.partitions.reduced_mutual_information import reduced_mutual_information
from tests.oracles.sets.partitions import Labels, same


def normalized_reduced_mutual_information(a: Labels, b: Labels) -> float:
    most = reduced_mutual_information(a, a)
    if same(a, b):
        return 1.0
    return reduced_mutual_information(a, b) / most if most > 1e-4 else 0.0
