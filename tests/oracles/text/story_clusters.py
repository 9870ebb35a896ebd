"""First stories as clusters: the definition in sets, from the cosines of all pairs."""

from itertools import combinations


def story_clusters(cosine, times, window, novelty, least, min_size):
    """Return (members, novelty, similarity) of each cluster: tight, within the window, and unlike all before."""
    n, found, taken = len(times), [], set()
    for first in range(n):
        before = range(first)
        new = {
            i
            for i in range(first, n)
            if times[i] <= times[first] + window and i not in taken and all(cosine[i][j] <= 1 - novelty for j in before)
        }
        if first not in new:
            continue
        members = {first}
        while grown := {i for i in new - members if any(cosine[i][j] >= least for j in members)}:
            members |= grown
        if len(members) >= min_size:
            taken |= members
            greatest = max((cosine[i][j] for i in members for j in before), default=0.0)
            found.append((sorted(members), 1 - greatest, weakest_link(members, cosine)))
    return found


def weakest_link(members, cosine):
    """Return the smallest similarity of any split in two, that of a split being its most similar pair."""
    splits = [
        (set(part), members - set(part)) for size in range(1, len(members)) for part in combinations(members, size)
    ]
    return min((max(cosine[i][j] for i in one for j in other) for one, other in splits), default=1.0)
