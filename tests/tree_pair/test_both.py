"""Work for both trees on two threads gives the same as on one."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.tree_pair import pair


def results():
    a, b = (random_tree(300, shape="merges", rng=seed) for seed in (1, 2))
    found = dm.stages(a, b)
    return dm.hierarchy_agreement(a, b), *(column.tobytes() for column in (found.p, found.q, found.t))


@pytest.mark.parametrize("n_cores", [1, 2])
def test_threads_do_not_matter(monkeypatch, n_cores):
    before = results()
    monkeypatch.setattr(pair, "_MANY", 0)
    monkeypatch.setattr(pair, "n_cores", lambda: n_cores)
    assert results() == before


def test_an_error_of_either_side_is_raised(monkeypatch):
    monkeypatch.setattr(pair, "_MANY", 0)
    monkeypatch.setattr(pair, "n_cores", lambda: 2)
    with pytest.raises(ZeroDivisionError):
        pair.both(lambda x: 1 // x, [1, 0], 2)
    assert pair.both(np.sqrt, [4.0, 9.0], 2) == (2.0, 3.0)
