"""Where numba cannot be installed, and where no threads start, as in a browser: the same results, interpreted."""

import subprocess
import sys

import pytest

import dendrometry as dm

pytestmark = pytest.mark.compiled

NO_NUMBA = "import sys; sys.modules['numba'] = None"
NO_THREADS = """
import _thread, threading
def refuse(*args, **kwargs):
    raise RuntimeError("can't start new thread")
_thread.start_new_thread = threading._start_new_thread = refuse
"""
CALLS = """
import warnings
import numpy as np
import dendrometry as dm
points = np.random.default_rng(0).normal(size=(200, 3))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    ward, average = (dm.agglomerate(points, linkage=linkage).hierarchy for linkage in ("ward", "average"))
    result = dm.compare(ward, average)
    dm.stages(ward, average)
    dm.diff(ward, average)
    assert set(dm.from_newick(dm.to_newick(ward)).items) == set(ward.items)
print([line.value for line in result.lines])
print([str(warning.message) for warning in caught])
"""
TOO_MANY = "import dendrometry as dm; dm.stages(*(dm.generate.random_tree(2**20, rng=seed) for seed in (0, 1)))"


def run(*parts):
    return subprocess.run([sys.executable, "-c", "\n".join(parts)], capture_output=True, text=True)


@pytest.mark.further
@pytest.mark.parametrize("parts", [(NO_NUMBA,), (NO_THREADS,), (NO_NUMBA, NO_THREADS)])
def test_two_hundred_items_are_built_and_compared(parts):
    values, said = (run(*some, CALLS).stdout.splitlines() for some in (parts, ()))
    assert len(values) == 2
    assert values[0] == said[0]
    assert said[1] == "[]"
    interpreted = "['numba should be installed: without it, loops are interpreted, about 100 times slower"
    assert values[1].startswith(interpreted if NO_NUMBA in parts else "[]")


def test_too_much_to_interpret_is_refused():
    refused = run(NO_NUMBA, TOO_MANY)
    assert "more than 262,144 numbers or 1,024 points at once need numba: pip install numba; got " in refused.stderr
    assert dm.errors.MissingExtraError.__name__ in refused.stderr
