"""The mutual information over the entropy of the first partition."""

from tests.oracles.measures.partitions.mutual_information import mutual_information
from tests.oracles.sets.partitions import Labels, clusters, entropy


def homogeneity(a: Labels, b: Labels) -> float:
    whole = entropy(clusters(a))
    return mutual_information(a, b) / whole if len(set(a)) > 1 else 1.0
