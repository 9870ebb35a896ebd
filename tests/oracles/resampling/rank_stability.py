"""Ranks, wins and changes of the winner, in sets and loops. Scores are a list of lists, the highest is best."""

from itertools import combinations


def ranks(row):
    """The mean rank of each score among those that are equal; 1 is best."""
    found = []
    for score in row:
        better = sum(other > score for other in row)
        equal = sum(other == score for other in row)
        found.append(better + (equal + 1) / 2)
    return found


def winners(row):
    """The positions of the best scores."""
    return {j for j, score in enumerate(row) if score == max(row)}


def wins(scores):
    """The number of wins of each method, a shared one in parts."""
    total = [0.0] * len(scores[0])
    for row in scores:
        best = winners(row)
        for j in best:
            total[j] += 1 / len(best)
    return total


def change(one, other):
    """The Jaccard distance of the winners of two conditions."""
    a, b = winners(one), winners(other)
    return 1 - len(a & b) / len(a | b)


def mean_change(scores, levels=None, factor=None):
    """The mean change over all pairs, or over those whose levels differ in one factor alone (None: in none).

    ``levels`` are a list of levels for each condition; the result is None without pairs, and the number of pairs.
    """
    found = []
    for i, j in combinations(range(len(scores)), 2):
        if levels is not None:
            differ = {at for at, (x, y) in enumerate(zip(levels[i], levels[j], strict=True)) if x != y}
            if differ != (set() if factor is None else {factor}):
                continue
        found.append(change(scores[i], scores[j]))
    return (sum(found) / len(found) if found else None), len(found)


def concordance(scores):
    """Kendall's W with the correction for ties, as in textbooks; None if everything is tied."""
    n, k = len(scores), len(scores[0])
    rows = [ranks(row) for row in scores]
    sums = [sum(row[j] for row in rows) for j in range(k)]
    mean = sum(sums) / k
    ties = 0
    for row in scores:
        for score in set(row):
            t = row.count(score)
            ties += t**3 - t
    below = n**2 * (k**3 - k) - n * ties
    return 12 * sum((x - mean) ** 2 for x in sums) / below if below else None
