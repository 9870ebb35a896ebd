"""Triplets of nested clusters, by sets and loops."""


def odd_one(clusters, x, y, z):
    """Which of three items is outside the smallest cluster that holds just two of them; None if there is none."""
    for cluster in sorted(clusters, key=len):
        held = [item in cluster for item in (x, y, z)]
        if sum(held) == 2:
            return (x, y, z)[held.index(False)]
        if sum(held) == 3:
            return None
    return None
