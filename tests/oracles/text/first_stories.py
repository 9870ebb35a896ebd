"""Novelty by definition: every document beside every earlier one, by the frequencies of the past."""

from math import log, sqrt


def novelties(stream):
    """Return 1 less the greatest cosine with an earlier document, for documents that are lists of terms."""
    return [1 - max(cosines, default=0.0) for cosines in earlier_cosines(stream)]


def earlier_cosines(stream):
    """Return for each document its cosines with all earlier ones."""
    found, frequency, n_known, due = [], {}, 0, 1
    for now, terms in enumerate(stream):
        past = stream[:now]
        if now >= due:
            n_known, due = now, now + max(1, now // 10)
            frequency = {term: sum(term in some for some in past) for some in past for term in some}

        def vector(some, frequency=frequency, n_known=n_known):
            weight = {t: some.count(t) * (1 + log((1 + n_known) / (1 + frequency.get(t, 0)))) for t in some}
            length = sqrt(sum(w * w for w in weight.values()))
            return {t: w / length for t, w in weight.items()}

        this = vector(terms)
        found.append([sum(w * this.get(t, 0.0) for t, w in vector(some).items()) for some in past])
    return found
