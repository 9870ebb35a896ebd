"""The cost of a split under triplets, by sets and loops."""


def cost(points, triplets, side, price):
    """The scatter about two means, plus the price of each triplet broken, less an eighth of it for each satisfied."""
    total = 0.0
    for half in (True, False):
        members = [p for p, s in zip(points, side, strict=True) if s == half]
        mean = [sum(column) / len(members) for column in zip(*members, strict=True)]
        total += sum((v - m) ** 2 for p in members for v, m in zip(p, mean, strict=True))
    for x, y, z in triplets:
        if side[x] != side[y]:
            total += price
        elif side[x] != side[z]:
            total -= price / 8
    return total
