"""For every item, the share of its cluster in the second partition that was with it."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels


def b_cubed_precision(a: Labels, b: Labels) -> Fraction:
    whole = Fraction(0)
    for i in range(len(a)):
        mine = {j for j in range(len(a)) if b[j] == b[i]}
        kept = {j for j in mine if a[j] == a[i]}
        whole += Fraction(len(kept), len(mine))
    return whole / len(a)
