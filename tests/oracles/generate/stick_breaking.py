"""Tree-structured stick breaking as it is told: one item at a time, sticks kept in a dict, broken when reached."""

import random


def mean_share_at_depth(alpha, decay, depth):
    """The mean of nu_d times the product of 1 - nu_e over e < d."""
    share = 1.0
    for e in range(depth):
        beta = alpha * decay**e
        share *= beta / (1 + beta)
    return share / (1 + alpha * decay**depth)


def fallen(n, alpha, decay, gamma, seed):
    """The path of each item, as a tuple of child numbers from the root down."""
    source = random.Random(seed)
    stop, share = {}, {}
    paths = []
    for _ in range(n):
        path = ()
        while True:
            if path not in stop:
                stop[path] = source.betavariate(1, alpha * decay ** len(path))
            if source.random() < stop[path]:
                break
            child = 0
            while True:
                key = (*path, child)
                if key not in share:
                    share[key] = source.betavariate(1, gamma)
                if source.random() < share[key]:
                    break
                child += 1
            path = (*path, child)
        paths.append(path)
    return paths
