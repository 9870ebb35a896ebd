"""Import the package before its rooms are collected, so that ``dendrometry.compare`` is the function; draw unseen."""

import os
import sys
from collections.abc import Iterator

import pytest

import dendrometry  # noqa: F401 - imported for what it does

os.environ["MPLBACKEND"] = "Agg"


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close all figures after each example, if any were drawn."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
