"""Hypothesis draws the same examples in every run, and compiling may take its time; figures need no screen."""

import os
import shutil
import sys
from pathlib import Path

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
    """Compile every kernel, so that small examples test what large ones run; make test-slow tests plain ones."""
    with always_compiling():
        yield


@pytest.fixture(autouse=True)
def closed_figures():
    """Close all figures after each test, if any were drawn."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


_BROWSER = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="session")
def browser():
    """A browser without a screen, one for all pages of a process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = shutil.which("chromium") or playwright.chromium.executable_path
        if not Path(path).exists():
            missing = "no chromium on this machine; apt-get install chromium (make test does, as root)"
            pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
        started = playwright.chromium.launch(executable_path=path, args=_BROWSER)
        yield started
        started.close()
