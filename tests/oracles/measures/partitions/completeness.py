"""The mutual information over the entropy of the second partition."""

from tests.oracles.measures.partitions.mutual_information import mutual_information
from tests.oracles.sets.partitions import Labels, clusters, entropy


def completeness(a: Labels, b: Labels) -> float:
    whole = entropy(clusters(b))
    return mutual_information(a, b) / whole if len(set(b)) > 1 else 1.0
