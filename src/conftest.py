"""Use a non-interactive backend."""

import importlib.util
import os
import sys
from collections.abc import Iterator

import pytest

import dendrometry

if importlib.util.find_spec("triton") is None:  # modules that only a GPU needs
    collect_ignore_glob = ["dendrometry/cluster/gpu/triton/*.py"]

# pytest puts a module that it loads itself in place of a function of the same name: load them all before.
for _name in dendrometry.__all__:
    getattr(dendrometry, _name)

os.environ["MPLBACKEND"] = "Agg"


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close all figures after each example, if any were drawn."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
