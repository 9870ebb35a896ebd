"""Scores of several terms for each item, from sets: Kiritchenko et al. 2006, Clark and Radivojac 2013, CAFA."""

from fractions import Fraction
from math import log2, sqrt


def closure(edges, labels):
    """The labels and all terms above them."""
    found = set(labels)
    while more := {p for c, p in edges if c in found} - found:
        found |= more
    return found


def sets_at(edges, scored, threshold, top):
    """The terms above the labels of each item with at least a score."""
    return [closure(edges, [v for v, s in row.items() if s >= threshold]) - top for row in scored]


def micro(truth, found):
    shared = sum(len(t & p) for t, p in zip(truth, found, strict=True))
    n_found, n_true = sum(map(len, found)), sum(map(len, truth))
    return (
        Fraction(shared, n_found) if n_found else None,
        Fraction(shared, n_true) if n_true else None,
        Fraction(2 * shared, n_found + n_true) if n_found + n_true else None,
    )


def macro(truth, found):
    """Mean precision of items with predictions, mean recall and mean F of items with true terms."""
    precision = [Fraction(len(t & p), len(p)) for t, p in zip(truth, found, strict=True) if p]
    both = [(t, p) for t, p in zip(truth, found, strict=True) if t]
    recall = [Fraction(len(t & p), len(t)) for t, p in both]
    f = [Fraction(2 * len(t & p), len(t) + len(p)) for t, p in both]
    return tuple(sum(column) / len(column) if column else None for column in (precision, recall, f))


def harmonic(a, b):
    return 0 if a == 0 and b == 0 else 2 * a * b / (a + b)


def accretion(edges, truth_with_top, term):
    """-log2 of the share of items with a term among those with all its parents."""
    parents = {p for c, p in edges if c == term}
    held = sum(term in t for t in truth_with_top)
    if not held or not parents:
        return 0.0
    return -log2(held / sum(parents <= t for t in truth_with_top))


def semantic(truth, found, weight):
    """Remaining uncertainty, misinformation and their distance."""
    n = len(truth)
    ru = sum(weight[v] for t, p in zip(truth, found, strict=True) for v in t - p) / n
    mi = sum(weight[v] for t, p in zip(truth, found, strict=True) for v in p - t) / n
    return ru, mi, sqrt(ru**2 + mi**2)


def up(edges, term):
    """The edges of the shortest way from a term to each term above it."""
    found, step, here = {}, 0, {term}
    while here:
        found.update({v: step for v in here if v not in found})
        here, step = {p for c, p in edges if c in here} - set(found), step + 1
    return found


def hops(edges, a, b, several_roots):
    """The edges of the shortest way between two terms over one above both; above several roots there is one more."""
    ways_a, ways_b = up(edges, a), up(edges, b)
    ways = [ways_a[c] + ways_b[c] for c in ways_a if c in ways_b]
    roots = [v for v in set(ways_a) | set(ways_b) if not any(c == v for c, _ in edges)]
    if several_roots:
        least = [min(way[r] for r in roots if r in way) + 1 for way in (ways_a, ways_b)]
        ways.append(sum(least))
    return min(ways)
