"""Hypothesis draws the same examples in every run, and compiling may take its time; figures need no screen."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from dendrometry._kernels._jit import always_compiling

settings.register_profile("dendrometry", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dendrometry")
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
