"""Print the numbers of genieclust 1.3.0 for a few tables: ``python of_genieclust.py > genieclust.json``."""

import json
import sys

import genieclust.compare_partitions as peer
import numpy as np


def tables():
    """Tables of counts without empty rows and columns, most of them square."""
    rng = np.random.default_rng(0)
    for i in range(12):
        n_a = int(rng.integers(2, 7))
        n_b = n_a if i < 8 else int(rng.integers(2, 7))
        counts = rng.integers(0, 9, (n_a, n_b)) * (rng.random((n_a, n_b)) < 0.7) + np.eye(n_a, n_b, dtype=int)
        yield counts if counts.any(0).all() and counts.any(1).all() else counts + 1


def row(counts):
    """What genieclust says of a table; it refuses the accuracy of unequal numbers of clusters."""
    told = {"counts": counts.tolist(), "pair_sets_index": peer.pair_sets_index(counts.astype(float))}
    if len(set(counts.shape)) == 1:
        told["normalized_clustering_accuracy"] = peer.normalized_clustering_accuracy(counts.astype(float))
    return told


json.dump([row(counts) for counts in tables()], sys.stdout)
