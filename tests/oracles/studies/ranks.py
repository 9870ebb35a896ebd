"""Ranks over tables by counting, and Friedman's statistic as a sum over methods."""

from fractions import Fraction


def ranks(row):
    """One more than the number of better values, and half of one for each other equal value."""
    return [1 + sum(y > x for y in row) + Fraction(sum(y == x for y in row) - 1, 2) for x in row]


def mean_ranks(rows):
    columns = zip(*map(ranks, rows), strict=True)
    return [Fraction(sum(column), len(rows)) for column in columns]


def friedman(rows):
    """Conover's form with ties: the spread of rank sums over the spread of all ranks."""
    n, k = len(rows), len(rows[0])
    table = [ranks(row) for row in rows]
    middle = Fraction(k + 1, 2)
    between = sum((sum(column) - n * middle) ** 2 for column in zip(*table, strict=True))
    all_of_them = sum((rank - middle) ** 2 for row in table for rank in row)
    return (k - 1) * between / all_of_them
