"""Hypothesis draws the same examples in every run, and compiling may take its time; figures need no screen."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from dendrometry._kernels._jit import always_compiling

# Some of the usual examples in every run, all of them in the slow proofs (make test-slow), and few where loops are
# interpreted to see that they stay within their arrays.
for profile, examples in (("few", 15), ("quick", 40), ("thorough", 100)):
    settings.register_profile(
        profile, deadline=None, derandomize=True, max_examples=examples, suppress_health_check=[HealthCheck.too_slow]
    )
# Scripts that made files of test data need the programs that wrote them.
collect_ignore_glob = ["*/data/*.py"]
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
os.environ["MPLBACKEND"] = "Agg"


@pytest.fixture(autouse=True, scope="session")
def compiled_kernels():
    """Compile every kernel, so that small examples test what large ones run; plain ones are tested in a second pass."""
    with always_compiling():
        yield


@pytest.fixture(autouse=True)
def closed_figures():
    """Close all figures after each test, if any were drawn."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
