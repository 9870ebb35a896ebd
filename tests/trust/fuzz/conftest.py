"""Limits on the memory that mutated input takes."""

import resource
import tracemalloc

import numpy as np
import pytest
from tests.strategies import random_linkage

from dendrometry import from_linkage, from_newick, from_parents

PEAK_BYTES = 50_000_000
GROWTH_BYTES = 200_000_000  # of the process, compiled loops and loading included


@pytest.fixture(scope="module")
def compiled():
    """Go once through the kernels of all doors, so that compiling takes no part of the memory."""
    trees = [from_newick("((a:1,b:2):1,c:3);"), from_newick("((a:1,b:1):1,c:2);"), from_newick("(a,b);")]
    trees += [from_linkage(random_linkage(4, np.random.default_rng(0)))]
    trees += [from_parents([-1, 0, 0], [1, 2, 0], heights) for heights in (None, [1.0, 0.0, 0.5])]
    assert all(tree.sizes[tree.root] == tree.n_items for tree in trees)


@pytest.fixture
def limits(compiled):
    """Watch the memory of all cases, in Python and in kernels."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < PEAK_BYTES
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - kilobytes) * 1000 < GROWTH_BYTES
