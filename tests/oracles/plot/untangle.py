"""Entanglement and crossings by definition, and every order of a small tree."""

from itertools import permutations, product

from tests.oracles.plot.branches import children_of


def all_orders(parent, item_node):
    """Every order of the nodes in which subtrees stay together, as the list of places of the items.

    An item's place is the middle of the places of all items of its node.
    """
    children = children_of(parent)
    inner = [v for v in range(len(parent)) if children[v]]
    for choice in product(*(list(permutations(children[v])) for v in inner)):
        ordered = dict(zip(inner, choice, strict=True))
        stack, free, place = [len(parent) - 1], 0, {}
        while stack:
            v = stack.pop()
            held = item_node.count(v)
            place[v] = free + (held - 1) / 2
            free += held
            stack.extend(reversed(ordered.get(v, ())))
        yield [place[v] for v in item_node]


def crossings(x, y):
    """Pairs of items in the opposite order."""
    n = len(x)
    return sum((x[i] - x[j]) * (y[i] - y[j]) < 0 for i in range(n) for j in range(i))


def entanglement(x, y, power=1.5):
    """The sum of distances to a power, over that of an order and its reverse."""
    n = len(x)
    worst = sum(abs(n - 1 - 2 * i) ** power for i in range(n))
    return sum(abs(p - q) ** power for p, q in zip(x, y, strict=True)) / worst if worst else 0.0
