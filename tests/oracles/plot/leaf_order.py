"""The shortest order of the leaves of a binary tree: every order that swapped children give."""

import math
from itertools import pairwise


def allowed_orders(joins, n):
    """All orders of n items whose tree is a list of joined pairs, numbered as in a linkage."""
    orders = {i: [[i]] for i in range(n)}
    for j, (a, b) in enumerate(joins):
        pairs = [(x, y) for x in orders[a] for y in orders[b]]
        orders[n + j] = [x + y for x, y in pairs] + [y + x for x, y in pairs]
    return orders[n + len(joins) - 1]


def order_length(order, points):
    """The sum of the distances between neighbours."""
    return sum(math.dist(points[i], points[j]) for i, j in pairwise(order))


def shortest_length(joins, points):
    """The least length of all orders."""
    return min(order_length(order, points) for order in allowed_orders(joins, len(points)))
