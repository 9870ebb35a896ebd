"""The part of every item in a sum over pairs of |moment in a - moment in b|."""

from fractions import Fraction


def item_discordance(in_a: dict[tuple[int, int], Fraction], in_b: dict[tuple[int, int], Fraction], n: int) -> list:
    return [sum(abs(in_a[pair] - in_b[pair]) for pair in in_a if i in pair) for i in range(n)]
