"""The mutual information over the larger entropy."""

from tests.oracles.measures.partitions.mutual_information import mutual_information
from tests.oracles.sets.partitions import Labels, clusters, entropy, same


def normalized_mutual_information(a: Labels, b: Labels) -> float:
    if same(a, b):
        return 1.0
    return mutual_information(a, b) / max(entropy(clusters(a)), entropy(clusters(b)))
