"""The similarities on a wire by definition: each pair by the weights known when the later document arrives."""

from math import inf, log, sqrt


def similarities(stream, times, memory=inf, half_life=inf, background=None):
    """Return the similarity of all pairs, for documents that are lists of terms.

    ``background`` is a list of documents whose frequencies are used instead of those of the stream.
    """
    n = len(stream)
    found = [[0.0] * n for _ in range(n)]
    known, due = ([], 1) if background is None else (background, inf)
    for now in range(n):
        if now >= due:
            known, due = stream[:now], now + max(1, now // 10)
        for before in range(now):
            if times[before] + memory >= times[now]:
                decay = 0.5 ** ((times[now] - times[before]) / half_life)
                found[now][before] = found[before][now] = cosine(stream[now], stream[before], known) * decay
    return found


def cosine(a, b, known):
    """Return the cosine of two documents by the frequencies of terms in those known."""
    weight = {t: 1 + log((1 + len(known)) / (1 + sum(t in some for some in known))) for t in {*a, *b}}
    dot = sum(a.count(t) * b.count(t) * weight[t] ** 2 for t in weight)
    squares = [sum((some.count(t) * weight[t]) ** 2 for t in weight) for some in (a, b)]
    return dot / sqrt(squares[0] * squares[1])
