"""The fewest moves that make clusterings nested: over all chains of partitions of a few items."""

from itertools import permutations


def set_partitions(items):
    """Every partition of a list, as a list of blocks."""
    if not items:
        yield []
        return
    first, *rest = items
    for partition in set_partitions(rest):
        yield [{first}, *partition]
        for i in range(len(partition)):
            yield [*partition[:i], partition[i] | {first}, *partition[i + 1 :]]


def blocks(labels):
    """The clusters of labels, as sets of positions."""
    return [{i for i, label in enumerate(labels) if label == name} for name in sorted(set(labels))]


def transfers(a, b):
    """The fewest items to move to make one partition of the other: those outside the best one-to-one overlaps."""
    few, many = sorted((a, b), key=len)
    n = sum(map(len, a))
    return n - max(sum(len(x & y) for x, y in zip(few, some, strict=True)) for some in permutations(many, len(few)))


def refines(fine, coarse):
    """Whether every block of one partition lies in a block of the other."""
    return all(any(part <= whole for whole in coarse) for part in fine)


def fewest_moves(levels):
    """The least sum of transfers from the levels to a chain of partitions, each of which refines the one before."""
    every = list(set_partitions(list(range(len(levels[0])))))
    best = [transfers(blocks(levels[0]), chosen) for chosen in every]
    for labels in levels[1:]:
        given = blocks(labels)
        best = [
            transfers(given, fine)
            + min(cost for cost, coarse in zip(best, every, strict=True) if refines(fine, coarse))
            for fine in every
        ]
    return min(best)
