"""Words of nodes, in sets and loops: a document is the set of its terms, a node the set of its documents."""

from collections.abc import Callable
from fractions import Fraction
from math import log2, sqrt

Words = list[tuple[str, float]]


def holders(term: str, documents: dict[str, set[str]], among: frozenset[str]) -> int:
    """How many of some documents hold the term."""
    return sum(term in documents[name] for name in among)


def information(
    term: str, node: frozenset[str], documents: dict[str, set[str]], among: frozenset[str] | None = None
) -> float:
    """The sum over both values of "holds the term" and "is in the node" of p(x, y) log p(x, y) / (p(x) p(y))."""
    whole = frozenset(documents) if among is None else among
    n, total = len(whole), 0.0
    for has in (True, False):
        for within in (True, False):
            p_has = sum((term in documents[d]) == has for d in whole) / n
            p_within = sum((d in node) == within for d in whole) / n
            p = sum((term in documents[d]) == has and (d in node) == within for d in whole) / n
            total += p * log2(p / (p_has * p_within)) if p else 0.0
    return total


def chi_square(term: str, parts: list[frozenset[str]], documents: dict[str, set[str]]) -> Fraction:
    """The sum of (observed - expected)^2 / expected over the parts and both values of "holds the term"."""
    whole = frozenset().union(*parts)
    total = Fraction(0)
    for has in (True, False):
        share = Fraction(sum((term in documents[d]) == has for d in whole), len(whole))
        for part in parts:
            expected = share * len(part)
            observed = sum((term in documents[d]) == has for d in part)
            total += (observed - expected) ** 2 / expected if expected else 0
    return total


def more_frequent(term: str, inside: frozenset[str], outside: frozenset[str], documents: dict[str, set[str]]) -> bool:
    """Whether a greater share of the first documents holds the term than of the second."""
    return holders(term, documents, inside) * len(outside) > holders(term, documents, outside) * len(inside)


def best(scores: dict[str, float | Fraction], most: int, told: set[str] = frozenset()) -> Words:
    """The terms of the largest scores, of equal ones phrases first, then in alphabetical order.

    Rounding does not make a difference. A term without a word that is new is passed over.
    """
    ranked = sorted(scores, key=lambda term: (-float(f"{float(scores[term]):.10g}"), " " not in term, term))
    there, found = set(told), []
    for term in ranked:
        if set(term.split()) - there and len(found) < most:
            found.append((term, float(scores[term])))
            there |= set(term.split())
    return found


def differential(node: frozenset[str], documents: dict[str, set[str]], method: str, penalty: int, most: int) -> Words:
    """The words of a node against the rest of the collection."""
    rest = frozenset(documents) - node
    scores: dict[str, float | Fraction] = {}
    for term in set().union(*documents.values()):
        if rest and more_frequent(term, node, rest, documents):
            score = (
                information(term, node, documents)
                if method == "mutual_information"
                else chi_square(term, [node, rest], documents)
            )
            scores[term] = score * Fraction(holders(term, documents, node), len(node)) ** penalty
    return best(scores, most)


def centroid(node: frozenset[str], weights: dict[str, dict[str, float]], most: int) -> Words:
    """The terms of the largest mean weights."""
    total: dict[str, float | Fraction] = {}
    for name in sorted(node):
        for term, weight in weights[name].items():
            total[term] = total.get(term, 0.0) + weight / len(node)
    return best(total, most)


def cosine_with_centroid(name: str, node: frozenset[str], vectors: dict[str, list[float]]) -> float:
    """The cosine of a document of length 1 and the sum of the vectors of its node."""
    total = [sum(column) for column in zip(*(vectors[d] for d in sorted(node)), strict=True)]
    length = sqrt(sum(x * x for x in total))
    return sum(x * y for x, y in zip(vectors[name], total, strict=True)) / length


def parts_of(v: int, clusters: list[frozenset[str]], parent: list[int]) -> list[frozenset[str]]:
    """The documents of each child of a node, and those that belong to the node itself."""
    parts = [clusters[c] for c in range(v) if parent[c] == v]
    own = clusters[v].difference(*parts)
    return [*parts, own] if own else parts


def above(v: int, clusters: list[frozenset[str]], parent: list[int]) -> list[int]:
    """The nodes above that hold more than v, the nearest first; of those with equal documents the lowest."""
    found: list[int] = []
    largest, p = clusters[v], parent[v]
    while p != -1:
        if clusters[p] != largest:
            found.append(p)
            largest = clusters[p]
        p = parent[p]
    return found


def hierarchical(
    clusters: list[frozenset[str]],
    parent: list[int],
    documents: dict[str, set[str]],
    most: int,
    critical: Callable[[int], float],
) -> list[Words]:
    """The words of every node by tests down the tree; ``critical`` gives the bound for so many degrees of freedom."""

    def independent(term: str, parts: list[frozenset[str]]) -> bool:
        return len(parts) < 2 or chi_square(term, parts, documents) <= critical(len(parts) - 1)

    def tells(term: str, node: frozenset[str], of: frozenset[str]) -> float:
        """What the term tells of a node, if it is more frequent in it than in one that holds it."""
        return information(term, node, documents) if more_frequent(term, node, of, documents) else 0.0

    everything = frozenset(documents)
    words: list[Words] = [[] for _ in parent]
    for v in sorted(range(len(parent)), key=lambda v: -len(clusters[v])):
        larger = above(v, clusters, parent)
        foot = min(w for w in range(len(parent)) if clusters[w] == clusters[v])
        parts = parts_of(foot, clusters, parent)
        children = [clusters[c] for c in range(foot) if parent[c] == foot]
        scores: dict[str, float | Fraction] = {}
        for term in set().union(*documents.values()):
            share = Fraction(holders(term, documents, clusters[v]), len(clusters[v]))
            if not larger:
                scores.update({term: share} if independent(term, parts) and share >= Fraction(1, 2) else {})
                continue
            p = clusters[larger[0]]
            told_apart = not independent(term, parts_of(larger[0], clusters, parent)) and not shown(term, larger, words)
            if not told_apart or not all(more_frequent(term, clusters[v], of, documents) for of in (p, everything)):
                continue
            mark = tells(term, clusters[v], everything)
            rather = max((tells(term, child, clusters[v]) for child in children), default=0.0)
            if independent(term, parts) or mark >= rather * (1 - 1e-9):
                scores[term] = sqrt(mark * information(term, clusters[v], documents, p)) * share
        told = {part for above_v in larger for word, _ in words[above_v] for part in word.split()}
        words[v] = best(scores, most, told)
    return words


def shown(term: str, nodes: list[int], words: list[Words]) -> bool:
    """Whether one of some nodes shows the term."""
    return any(term == word for v in nodes for word, _ in words[v])
