"""Draw unseen."""

import importlib.util
import os
import sys
from collections.abc import Iterator

import pytest

if importlib.util.find_spec("triton") is None:  # modules that only a GPU needs
    collect_ignore = ["dendrometry/cluster/device/fused.py", "dendrometry/cluster/device/triton_kernels.py"]

os.environ["MPLBACKEND"] = "Agg"


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close all figures after each example, if any were drawn."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
