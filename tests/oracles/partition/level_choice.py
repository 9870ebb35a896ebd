"""Which level stands out, by its definition: pairs of items are counted one by one."""

from itertools import combinations


def adjusted_wallace(a, b):
    """How far pairs together in a are together in b: 1 for all of them, 0 for as many as by chance."""
    pairs = list(combinations(range(len(a)), 2))
    in_a = [a[i] == a[j] for i, j in pairs]
    in_b = [b[i] == b[j] for i, j in pairs]
    expected = sum(in_b) / len(pairs)
    share = sum(x and y for x, y in zip(in_a, in_b, strict=True)) / sum(in_a)
    return (share - expected) / (1 - expected)


def adjusted_rand(a, b):
    """The adjusted Rand index of two clusterings, neither of which is trivial."""
    pairs = list(combinations(range(len(a)), 2))
    p = sum(a[i] == a[j] for i, j in pairs)
    q = sum(b[i] == b[j] for i, j in pairs)
    t = sum(a[i] == a[j] and b[i] == b[j] for i, j in pairs)
    by_chance = p * q / len(pairs)
    return (t - by_chance) / ((p + q) / 2 - by_chance)


def level_that_stands_out(levels):
    """Return the position of the level, or None, and the standings by position; levels from coarse to fine."""
    n_items, counts = len(levels[0]), [len(set(level)) for level in levels]
    usable = [j for j, k in enumerate(counts) if 1 < k < n_items]
    finer = {j: [i for i in usable if counts[i] > counts[j]] for j in usable}
    refined = {j: min(adjusted_wallace(levels[i], levels[j]) for i in finer[j]) for j in usable if finer[j]}
    standing = {}
    for j in usable:
        if len(finer[j]) >= 2:
            alike = sum(adjusted_rand(levels[i], levels[j]) >= 0.9 for i in usable)
            following = finer[j][0]
            standing[j] = (1.05 - refined.get(following, float("nan"))) / (1.05 - refined[j]) * alike
    fit = [j for j in standing if refined[j] >= 0.85 and standing[j] >= 2]
    return max(fit, key=lambda j: standing[j], default=None), standing
