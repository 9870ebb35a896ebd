"""Near-duplicates by definition: all pairs, and chains of links."""

from math import sqrt


def cosine(a, b):
    """Return the cosine of two vectors given as lists."""
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def groups(vectors, threshold):
    """Return the set of groups: whatever a chain of cosines of at least the threshold leads to."""
    left = set(range(len(vectors)))
    found = set()
    while left:
        group, fresh = set(), {min(left)}
        while fresh:
            group |= fresh
            fresh = {j for i in fresh for j in left - group if cosine(vectors[i], vectors[j]) >= threshold - 1e-12}
        left -= group
        found.add(frozenset(group))
    return found
