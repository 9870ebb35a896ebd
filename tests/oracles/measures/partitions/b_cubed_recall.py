"""For every item, the share of its cluster in the first partition that stays with it."""

from fractions import Fraction

from tests.oracles.sets.partitions import Labels


def b_cubed_recall(a: Labels, b: Labels) -> Fraction:
    whole = Fraction(0)
    for i in range(len(a)):
        mine = {j for j in range(len(a)) if a[j] == a[i]}
        kept = {j for j in mine if b[j] == b[i]}
        whole += Fraction(len(kept), len(mine))
    return whole / len(a)
