"""Print the numbers of clustering-mi 0.2.2: ``python of_clustering_mi.py > clustering_mi.json``.

Its second labelling is the truth, which is the first one here.
"""

import json
import sys

import numpy as np
from clustering_mi import mutual_information, normalized_mutual_information


def labelings():
    """A true and a found labelling: unrelated, alike, of different numbers of clusters."""
    rng = np.random.default_rng(0)
    for n, n_a, n_b, kept in ((12, 3, 3, 0.5), (40, 4, 9, 0.8), (40, 9, 4, 0.8), (200, 5, 5, 0.0), (200, 5, 20, 0.9)):
        a = rng.integers(0, n_a, n)
        yield a.tolist(), np.where(rng.random(n) < kept, a % n_b, rng.integers(0, n_b, n)).tolist()
    a = np.repeat(np.arange(30), 10)
    yield a.tolist(), (a // 3).tolist()
    yield (a // 3).tolist(), a.tolist()
    yield a.tolist(), np.roll(a, 3).tolist()


def row(a, b):
    """What clustering-mi says, in bits and as a share."""
    return {"a": a, "b": b, "bits": mutual_information(b, a), "share": normalized_mutual_information(b, a)}


json.dump([row(*pair) for pair in labelings()], sys.stdout)
