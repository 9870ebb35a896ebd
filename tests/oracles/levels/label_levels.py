"""The levels of a tree by the size or the depth of its clusters, in sets and loops."""

from tests.oracles.sets.trees import Tree, clusters


def partitions_by(tree: Tree, order: str) -> list[list[frozenset[int]]]:
    """The partitions from one cluster to single items: clusters up to some size, or from some depth on, are formed."""
    every = set(clusters(tree))
    everything = frozenset().union(*every)

    def moment(x: frozenset[int]) -> int:
        return len(x) if order == "size" else -sum(x < y for y in every)

    found = [[frozenset([i]) for i in sorted(everything)]]
    for now in sorted(map(moment, every)):
        formed = [x for x in every if moment(x) <= now]
        largest = [x for x in formed if not any(x < y for y in formed)]
        alone = [frozenset([i]) for i in sorted(everything.difference(*largest))]
        found.append(largest + alone)
    return list({len(partition): partition for partition in sorted(found, key=len)}.values())
