"""The harmonic mean of precision and recall."""

from fractions import Fraction

from tests.oracles.measures.partitions.b_cubed_precision import b_cubed_precision
from tests.oracles.measures.partitions.b_cubed_recall import b_cubed_recall
from tests.oracles.sets.partitions import Labels


def b_cubed(a: Labels, b: Labels) -> Fraction:
    precision, recall = b_cubed_precision(a, b), b_cubed_recall(a, b)
    return 2 * precision * recall / (precision + recall)
