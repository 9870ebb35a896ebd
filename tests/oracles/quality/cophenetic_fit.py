"""The cophenetic correlation with data by definition: two lists with an entry for each pair, and Pearson's formula."""

from math import sqrt

from tests.oracles.sets.trees import lowest, pairs


def cophenetic_fit(tree, distance):
    """Return the correlation of heights and distances; None if either has no variance."""
    every = pairs(len(tree.item_node))
    x = [tree.height[lowest(tree, i, j)] for i, j in every]
    y = [distance[i][j] for i, j in every]
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    product = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return product / sqrt(sum((a - mean_x) ** 2 for a in x)) / sqrt(sum((b - mean_y) ** 2 for b in y))
