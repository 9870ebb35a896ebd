"""The mutual information less its mean over all relabellings, over the mean of the entropies less the same."""

import math

from tests.oracles.measures.partitions.mutual_information import mutual_information
from tests.oracles.sets.partitions import Labels, clusters, entropy, same


def expected_information(a: Labels, b: Labels) -> float:
    """The mean over all relabellings: every overlap has m items in so many ways of choosing the items of a cluster."""
    n, terms = len(a), []
    for x in clusters(a):
        for y in clusters(b):
            s, t = len(x), len(y)
            for m in range(max(1, s + t - n), min(s, t) + 1):
                probability = math.comb(s, m) * math.comb(n - s, t - m) / math.comb(n, t)
                terms.append(probability * m / n * math.log(m * n / (s * t)))
    return math.fsum(terms)


def adjusted_mutual_information(a: Labels, b: Labels) -> float:
    if same(a, b):
        return 1.0
    expected = expected_information(a, b)
    above = mutual_information(a, b) - expected
    below = (entropy(clusters(a)) + entropy(clusters(b))) / 2 - expected
    return above / below
