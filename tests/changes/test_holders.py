"""The climb from the majority of a node past nodes that only took its items along: the same nodes, in few steps."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.changes.edits import _first_outside
from tests.work import n_lines


def climb(parent, place, start, low, high):
    """Return the first node outside, one step at a time."""
    node = start
    while low <= place[node] < high:
        node = parent[node]
    return node


@pytest.mark.parametrize("seed", range(30))
def test_finds_the_node_that_single_steps_find(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    reach = n if seed % 2 else 2
    parent = np.array([min(int(v + rng.integers(1, reach + 1)), n - 1) for v in range(n - 1)] + [-1])
    place = rng.integers(-1, 8, n) if seed % 3 else np.arange(n)[::-1].copy()
    place[-1] = 0
    start = rng.integers(0, n, 40)
    low = rng.integers(1, n + 8, 40)
    high = low + rng.integers(0, n + 8, 40)
    found = _first_outside(parent, place, start, low, high)
    expected = [climb(parent, place, *one) for one in zip(start, low, high, strict=True)]
    assert found.tolist() == expected


def chain(n, every):
    """A chain of n items, with a node for each, or for every second one."""
    nodes = n // every
    parent = [*range(1, nodes), -1]
    return dm.from_parents(parent, [i // every for i in range(n)], None, [f"i{i}" for i in range(n)])


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("flat", [False, True])
def test_telling_takes_as_many_steps_for_each_node_of_a_chain(names, flat):
    steps = []
    for n in (300, 1_200):
        items, called = [f"i{i}" for i in range(n)], [f"n{i}" for i in range(n)] if names else ()
        old = dm.from_parents([*range(1, n), -1], range(n), None, items, called)
        new = dm.from_labels(["x"] * n, item_names=items)
        new = new if flat else dm.from_parents([*range(1, n), -1], range(n), None, items[::-1], called)
        steps += [n_lines(dm.diff(old, new).tell, "changes/") + n_lines(dm.diff(new, old).tell, "changes/")]
    assert steps[1] < 5 * steps[0]


def test_chains_take_few_steps():
    n = 4_000
    assert n_lines(lambda: dm.diff(chain(n, 1), chain(n, 2)), "changes/edits.py") < 500
