"""One minus the variation of information over its bound for at most k clusters."""

import math

from tests.oracles.measures.partitions.variation_of_information import variation_of_information
from tests.oracles.sets.partitions import Labels


def bounded_variation_similarity(a: Labels, b: Labels, max_clusters: int) -> float:
    return 1 - variation_of_information(a, b) / (2 * math.log(max_clusters)) if max_clusters > 1 else 1.0
