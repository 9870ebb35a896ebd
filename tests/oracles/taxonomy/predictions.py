"""Hierarchical precision, recall and F of Kiritchenko et al., from sets of ancestors."""

from fractions import Fraction


def above(parent: list[int], v: int) -> set[int]:
    """The node and all nodes above it, without the root."""
    found = set()
    while parent[v] != -1:
        found.add(v)
        v = parent[v]
    return found


def shared(parent: list[int], truth: list[int], predicted: list[int]) -> list[int]:
    """How many ancestors the true and the predicted node of each item share: the depth of their common node."""
    return [len(above(parent, t) & above(parent, p)) for t, p in zip(truth, predicted, strict=True)]


def precision(parent: list[int], truth: list[int], predicted: list[int]) -> Fraction | None:
    held = sum(len(above(parent, p)) for p in predicted)
    return Fraction(sum(shared(parent, truth, predicted)), held) if held else None


def recall(parent: list[int], truth: list[int], predicted: list[int]) -> Fraction | None:
    return precision(parent, predicted, truth)


def f(parent: list[int], truth: list[int], predicted: list[int]) -> Fraction | None:
    held = sum(len(above(parent, v)) for v in truth + predicted)
    return Fraction(2 * sum(shared(parent, truth, predicted)), held) if held else None


def cost_at(parent: list[int], truth: list[int], predicted: list[int], depth: int) -> int:
    """How many nodes at a depth are above only one of the true and the predicted node, over all items."""
    apart = [above(parent, t) ^ above(parent, p) for t, p in zip(truth, predicted, strict=True)]
    return sum(len(above(parent, v)) == depth for nodes in apart for v in nodes)
