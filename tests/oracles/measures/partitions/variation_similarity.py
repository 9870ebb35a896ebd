"""One minus the variation of information over its greatest value for n items."""

import math

from tests.oracles.measures.partitions.variation_of_information import variation_of_information
from tests.oracles.sets.partitions import Labels


def variation_similarity(a: Labels, b: Labels) -> float:
    return 1 - variation_of_information(a, b) / math.log(len(a)) if len(a) > 1 else 1.0
