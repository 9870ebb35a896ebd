"""Two taxonomies against each other, from sets: a taxonomy is a mapping of each concept to the set of its parents.

Concepts with the same name are the same concept.
"""

from fractions import Fraction
from itertools import combinations, permutations
from math import log

Taxonomy = dict[str, set[str]]


def strictly_above(taxonomy: Taxonomy, name: str) -> set[str]:
    found: set[str] = set()
    waiting = list(taxonomy[name])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(taxonomy[one])
    return found


def at_or_above(taxonomy: Taxonomy, name: str) -> set[str]:
    return strictly_above(taxonomy, name) | {name}


def edges(taxonomy: Taxonomy) -> set[tuple[str, str]]:
    return {(child, parent) for child, parents in taxonomy.items() for parent in parents}


def ancestor_pairs(taxonomy: Taxonomy) -> set[tuple[str, str]]:
    return {(name, above) for name in taxonomy for above in strictly_above(taxonomy, name)}


def precision(truth: set, found: set) -> Fraction | None:
    return Fraction(len(truth & found), len(found)) if found else None


def recall(truth: set, found: set) -> Fraction | None:
    return precision(found, truth)


def f(truth: set, found: set) -> Fraction | None:
    return Fraction(2 * len(truth & found), len(truth) + len(found)) if truth or found else None


def depth(taxonomy: Taxonomy, name: str) -> int:
    """The number of concepts on the longest way up."""
    return 1 + max((depth(taxonomy, parent) for parent in taxonomy[name]), default=0)


def steps_up(taxonomy: Taxonomy, name: str, above: str) -> int:
    """The number of edges on the shortest way up."""
    if name == above:
        return 0
    return 1 + min(
        steps_up(taxonomy, parent, above) for parent in taxonomy[name] if above in at_or_above(taxonomy, parent)
    )


def wu_palmer(taxonomy: Taxonomy, p: str, q: str) -> float:
    values = [0.0]
    for s in at_or_above(taxonomy, p) & at_or_above(taxonomy, q):
        d = depth(taxonomy, s)
        values.append(2 * d / (steps_up(taxonomy, p, s) + steps_up(taxonomy, q, s) + 2 * d))
    return max(values)


def content(taxonomy: Taxonomy, name: str) -> float:
    return -log(sum(name in at_or_above(taxonomy, other) for other in taxonomy) / len(taxonomy))


def lin(taxonomy: Taxonomy, p: str, q: str) -> float:
    if p == q:
        return 1.0
    shared = max((content(taxonomy, s) for s in at_or_above(taxonomy, p) & at_or_above(taxonomy, q)), default=0.0)
    both = content(taxonomy, p) + content(taxonomy, q)
    return 2 * shared / both if both else 0.0


def nearest(taxonomy: Taxonomy, name: str, kept: set[str]) -> set[str]:
    """The kept concepts that ways through others lead up to, without those above another of them."""
    found, waiting = set(), list(taxonomy[name])
    while waiting:
        one = waiting.pop()
        if one in kept:
            found.add(one)
        else:
            waiting.extend(taxonomy[one])
    return {one for one in found if not any(one in strictly_above(taxonomy, other) for other in found)}


def place_similarity(measure, a: Taxonomy, b: Taxonomy, name: str) -> float:
    """The mean of the best matches of the places of a concept, both ways, inside the first taxonomy."""
    kept = set(a) & set(b)
    here, there = nearest(a, name, kept), nearest(b, name, kept)
    if not here or not there:
        return float(not here and not there)
    one = sum(max(measure(a, p, q) for q in there) for p in here) / len(here)
    other = sum(max(measure(a, p, q) for p in here) for q in there) / len(there)
    return (one + other) / 2


def mean_place_similarity(measure, a: Taxonomy, b: Taxonomy) -> float:
    names = sorted(set(a) & set(b))
    return sum(place_similarity(measure, a, b, name) for name in names) / len(names)


def jaccard_distance(x: set, y: set) -> Fraction:
    return 1 - Fraction(len(x & y), len(x | y)) if x | y else Fraction(0)


def caset(a: Taxonomy, b: Taxonomy) -> Fraction:
    """CASet, the variant on the common labels (DiNardo et al. 2020)."""
    kept = sorted(set(a) & set(b))
    sets = [{name: at_or_above(taxonomy, name) & set(kept) for name in kept} for taxonomy in (a, b)]
    each = [jaccard_distance(*(one[i] & one[j] for one in sets)) for i, j in combinations(kept, 2)]
    return sum(each, Fraction(0)) / len(each)


def disc(a: Taxonomy, b: Taxonomy) -> Fraction:
    """DISC, the variant on the common labels (DiNardo et al. 2020)."""
    kept = sorted(set(a) & set(b))
    sets = [{name: at_or_above(taxonomy, name) & set(kept) for name in kept} for taxonomy in (a, b)]
    each = [jaccard_distance(*(one[i] - one[j] for one in sets)) for i, j in permutations(kept, 2)]
    return sum(each, Fraction(0)) / len(each)


def shape(taxonomy: Taxonomy, triple: tuple[str, ...]) -> object:
    """Which of three concepts lies above which; if none does, which pair has the most concepts above both, if one."""
    order = {(i, j) for i, j in permutations(triple, 2) if j in strictly_above(taxonomy, i)}
    if order:
        return frozenset(order)
    common = {
        pair: len(at_or_above(taxonomy, pair[0]) & at_or_above(taxonomy, pair[1])) for pair in combinations(triple, 2)
    }
    most = [pair for pair, size in common.items() if size == max(common.values())]
    return most[0] if len(most) == 1 else None


def triples(a: Taxonomy, b: Taxonomy) -> Fraction:
    every = list(combinations(sorted(set(a) & set(b)), 3))
    return Fraction(sum(shape(a, one) == shape(b, one) for one in every), len(every))


def relabelled(taxonomy: Taxonomy, names: list[str], order: tuple[str, ...]) -> Taxonomy:
    """The taxonomy with some names exchanged."""
    called = {name: name for name in taxonomy} | dict(zip(names, order, strict=True))
    return {called[child]: {called[parent] for parent in parents} for child, parents in taxonomy.items()}
