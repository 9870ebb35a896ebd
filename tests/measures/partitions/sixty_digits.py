"""Mutual information by its definition, in 60 digits."""

from decimal import Decimal, localcontext
from typing import NamedTuple

NEARLY_INDEPENDENT = [
    [[10**9 + 1, 10**9], [10**9, 10**9]],
    [[10**17 + 1, 10**17], [10**17, 10**17 + 3]],
    [[1001, 1000, 999], [1000, 1000, 1001]],
    [[5, 1], [1, 7]],
    [[10**15, 1], [1, 1]],
    [[990, 1000], [1000, 970]],
]


class Information(NamedTuple):
    """What the clusters of two partitions tell of each other, in nats and as a share of the larger entropy."""

    mutual: float
    normalized: float


def sixty_digits(counts: list[list[int]]) -> Information:
    """The information of a full table of counts."""
    with localcontext(prec=60):
        n, rows, columns = sum(map(sum, counts)), list(map(sum, counts)), list(map(sum, zip(*counts, strict=True)))
        told = sum(
            Decimal(m) / n * (Decimal(m) * n / (Decimal(s) * t)).ln()
            for row, s in zip(counts, rows, strict=True)
            for m, t in zip(row, columns, strict=True)
        )
        entropies = (sum(Decimal(s) / n * (Decimal(n) / s).ln() for s in side) for side in (rows, columns))
        return Information(float(told), float(told / max(entropies)))
