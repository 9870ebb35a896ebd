"""Enrichment of classes in clusters by definition: every cluster, every class, every draw counted."""

from tests.oracles.sets.trees import clusters
from tests.oracles.significance.hypergeometric import holm, upper_tail


def enrichment(tree, labels):
    """Return the p-value and the adjusted one of each cluster and class; ``labels`` is a set for each item."""
    labelled = frozenset(i for i, held in enumerate(labels) if held)
    sets = {cluster & labelled for cluster in clusters(tree)}
    tested = sorted((sorted(s) for s in sets if 1 < len(s) < len(labelled)), key=lambda s: (len(s), s))
    found = {}
    for name in sorted(set().union(*labels)):
        own = {i for i in labelled if name in labels[i]}
        for s in tested:
            found[tuple(s), name] = upper_tail(len(own.intersection(s)), len(s), len(own), len(labelled))
    return dict(zip(found, zip(found.values(), holm(list(found.values())), strict=True), strict=True))
