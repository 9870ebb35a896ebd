"""Hypothesis draws the same examples in every run, and compiling may take its time; figures need no screen."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dendrometry", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dendrometry")
os.environ["MPLBACKEND"] = "Agg"

# What only calls rooms that have tests of their own in both runs: once, compiled, is enough.
_ONCE = (
    "tests/cli/",
    "tests/pages/",
    "tests/study/",
    "tests/plot/trees/",
    "tests/plot/results/",
    "tests/plot/canvas/",
    "tests/plot/test_",
    "tests/measures/test_registry.py",
    "tests/test_docs.py",
    "tests/test_gallery.py",
    "tests/test_package.py",
    "src/dendrometry/pages/",
    "src/dendrometry/study/",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave what is tested once out of the run without compilation."""
    for item in items:
        if item.nodeid.startswith(_ONCE):
            item.add_marker("compiled")


@pytest.fixture(autouse=True)
def closed_figures():
    """Close all figures after each test, if any were drawn."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
