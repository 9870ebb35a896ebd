"""Hypothesis draws the same examples in every run, and compiling may take its time; figures need no screen."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from dendrometry._kernels._jit import always_compiling

TESTS = Path(__file__).parent

# Few examples in make test, and where loops are interpreted; more in make test-all, and most in make test-slow.
for profile, examples in (("few", 10), ("more", 40), ("thorough", 100)):
    settings.register_profile(
        profile, deadline=None, derandomize=True, max_examples=examples, suppress_health_check=[HealthCheck.too_slow]
    )
# Scripts that made files of test data need the programs that wrote them.
collect_ignore_glob = ["*/data/*.py", "*/peers/*.py"]
os.environ["MPLBACKEND"] = "Agg"

# What make test leaves to make test-all, which is pytest --all: it proves no measure, and takes long.
FURTHER = {
    "app": "the local page and its server",
    "_studies": "recomputes parts of the studies",
    "changes": "what changed from one taxonomy to the next",
    "cli": "each command; what all of them share stays",
    "cluster": "trees of points by every algorithm, on the CPU and as on a GPU; all linkages beside SciPy stay",
    "comparison/test_duration.py": "trees of 200,000 items",
    "engine": "tables in files and databases",
    "generate/test_stick_breaking.py": "means of many draws",
    "io": "files of every format, and what is refused; Newick, and all formats there and back, stay",
    "label": "labels of nodes",
    "measures/test_registry.py": "runs the tests of a copy of the project",
    "plot": "drawings without overlaps, of all shapes; layouts and one drawing of each kind stay",
    "quality": "indices of a tree and its points, beside scikit-learn",
    "report": "pages in a browser, of every kind of report; one stays",
    "resampling": "trees of many draws",
    "significance": "p-values of splits and nodes, against drawn references",
    "test_gallery.py": "the scripts of the gallery",
    "test_interrupt.py": "processes that are stopped in the middle of their work",
    "text": "trees of documents",
    "trust": "fuzzed files and arguments, memory, streams, threads and processes",
}
STAY = (
    "cli/test_cli.py",
    "cli/test_commands.py",
    "cluster/test_agglomerate.py",
    "cluster/test_figures.py",
    "io/formats/test_newick.py",
    "io/test_files.py",
    "plot/_layout",
    "plot/test_images.py",
    "report/test_browser.py",
    "report/test_comparison.py",
    "trust/test_extreme_numbers.py",
    "trust/test_odd_arguments.py",
)


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run what make test leaves out, with more examples")


def pytest_configure(config):
    chosen = os.environ.get("HYPOTHESIS_PROFILE")
    settings.load_profile(chosen or ("more" if config.getoption("all") else "few"))


def pytest_ignore_collect(collection_path, config):
    """Leave files to make test-all, unless they are asked for by their names."""
    path = collection_path.relative_to(TESTS).as_posix()
    asked = {Path(arg.partition("::")[0]).resolve() for arg in config.args} - {TESTS, TESTS.parent}
    if config.getoption("all") or any(map(collection_path.is_relative_to, asked)):
        return None
    under = [folder for folder in FURTHER if f"{path}/".startswith(f"{folder}/")]
    stays = any(f"{path}/".startswith(f"{folder}/") or folder.startswith(f"{path}/") for folder in STAY)
    return True if under and not stays else None


def pytest_collection_modifyitems(config, items):
    """Leave tests to make test-all that are marked so, and all pages in a browser but a few."""
    if config.getoption("all"):
        return
    left = {item for item in items if item.get_closest_marker("further") or _opens_a_further_page(item)}
    if len(left) < len(items):  # not if they are asked for by name
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


def _opens_a_further_page(item):
    return "browser" in item.fixturenames and not item.get_closest_marker("page")


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
_PATIENCE = 180_000  # milliseconds for a page to do what is expected of it: a busy machine may take long


class _Browser(NamedTuple):
    """A browser whose pages have as much patience as the tests."""

    started: Any

    def new_page(self, **options):
        page = self.started.new_page(**options)
        page.set_default_timeout(_PATIENCE)
        return page


@pytest.fixture(scope="session")
def browser():
    """A browser without a screen, one for all pages of a process; tests wait for conditions, not for a time."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or playwright.chromium.executable_path
        if not Path(path).exists():
            missing = "no chromium on this machine; apt-get install chromium (make test does, as root)"
            pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
        started = playwright.chromium.launch(executable_path=path, args=_BROWSER, timeout=_PATIENCE)
        yield _Browser(started)
        started.close()
