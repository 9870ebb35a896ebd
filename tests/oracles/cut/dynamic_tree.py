"""The dynamic cut by the tree alone, item by item, on a SciPy linkage."""

from fractions import Fraction


def mean(values):
    """The exact mean of some numbers."""
    return sum(map(Fraction, values)) / len(values)


def drawing(Z):
    """The items below each node in the order of drawing, and the height of each item's first merge."""
    n = len(Z) + 1
    below, first = {i: [i] for i in range(n)}, {}
    for k, (a, b, height, _) in enumerate(Z):
        left, right = sorted((int(a), int(b)))  # items have lower numbers than clusters, later clusters greater ones
        below[n + k] = below[left] + below[right]
        for i in (left, right):
            if i < n:
                first[i] = height
    return below, first


def cut_into(h, level, least):
    """Positions where new parts start, one position looked at after the other."""
    starts, since_high, seen_high = [], 0, False
    for i in range(1, len(h)):
        if h[i] > level:
            if seen_high and since_high > least / 3 and h[i - 1] < level:
                starts.append(i)
            since_high, seen_high = 0, True
        else:
            since_high += 1
    k = 0 if len(starts) > 1 else len(starts)
    while k < len(starts):
        before = h[(starts[k - 1] if k else 1) : starts[k]]
        here = h[starts[k] : starts[k + 1] if k + 1 < len(starts) else len(h)]
        if mean(here) < mean(before) and len(here) < 2 * least:
            del starts[k]
        else:
            k += 1
    return starts[:-1] if starts and len(h) - starts[-1] < least - 1 else starts


def parts_of(h, least):
    """The parts of a run by the first of three levels that splits it."""
    middle = mean(h)
    for level in (middle, (middle + Fraction(max(h))) / 2, (middle + Fraction(min(h))) / 2):
        starts = cut_into(h, level, least)
        if starts:
            return list(zip([0, *starts], [*starts, len(h)], strict=True))
    return [(0, len(h))]


def split(items, first, least, again):
    """The parts of a run of items, split once or to the end."""
    parts = [items[low:high] for low, high in parts_of([first[i] for i in items], least)]
    if len(parts) == 1 or not again:
        return parts
    return [end for part in parts for end in split(part, first, least, again)]


def tree_cut(Z, least, again, cut):
    """The clusters, as lists of items."""
    if not Z:
        return []
    n, top = len(Z) + 1, max(row[2] for row in Z)
    cut = 0.99 * top if cut is None or cut > top else cut
    below, first = drawing(Z)
    joined = {n + k for k, row in enumerate(Z) if row[2] <= cut}
    inside = {int(u) for v in joined for u in Z[v - n][:2]}
    runs = [below[v] for v in joined - inside if len(below[v]) >= least]
    return [part for run in runs for part in split(run, first, least, again) if len(part) >= least]
