"""Pages opened in a browser that watch for errors and for anything asked of a network."""

import shutil
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest


@pytest.fixture
def few_relabellings(monkeypatch):
    """Nineteen relabellings whatever the number of items: what p-values say is tested elsewhere."""
    monkeypatch.setattr("dendrometry.comparison.chance._AFFORDED", ((10**6, 19),))


def expect_width(page, width):
    """Wait until a page is no wider than the screen that it has."""
    page.wait_for_function("width => innerWidth === width && document.documentElement.scrollWidth === width", arg=width)


def expect_to_fit_paper(page):
    """Print a page on A4 paper, which is 703 wide between its margins, and wait until it fits."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1030})
    expect_width(page, 703)


def n_blocks(browser, path):
    """Open a file; return how often blocks of its scripts, such as bodies of loops, were run until it was ready."""
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
    page.goto(path.as_uri(), wait_until="commit")
    page.wait_for_selector("html[data-ready]")
    scripts = session.send("Profiler.takePreciseCoverage")["result"]
    page.close()
    functions = [function for script in scripts for function in script["functions"]]
    return sum(block["count"] for function in functions for block in function["ranges"])


class Tab(NamedTuple):
    """A page of the browser, and the file that it shows, again and again.

    Compiling Plotly takes most of the time until a page is ready; a browser that comes back to a file need not do so.
    """

    page: Any
    file: Path

    def show(self, path, viewport=None, color_scheme="light"):
        """Show a copy of a file, and wait until it is ready."""
        self.page.set_viewport_size(viewport or {"width": 1200, "height": 900})
        self.page.emulate_media(media="null", color_scheme=color_scheme)
        shutil.copy(path, self.file)
        self.page.goto(self.file.as_uri(), wait_until="commit")
        self.page.wait_for_selector("html[data-ready]")
        return self.page


_idle: list[Tab] = []
_numbers = count()


@contextmanager
def watched(browser):
    """Give a function that opens a file and waits until it is ready; nothing bad may have happened by the end."""
    complaints, tabs = [], []
    listeners = {
        "console": lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None,
        "pageerror": lambda error: complaints.append(str(error)),
        "dialog": lambda dialog: (complaints.append(f"dialog {dialog.message}"), dialog.dismiss()),
        "request": lambda request: asked(request.url),
    }

    def asked(url):
        if not url.startswith(("file:", "data:", "blob:")):
            complaints.append(f"asked for {url}")

    def call(path, viewport=None, color_scheme="light", **device):
        idle = [] if device else _idle
        tab = (
            idle.pop() if idle else Tab(browser.new_page(**device), Path(path).with_name(f"tab {next(_numbers)}.html"))
        )
        tabs.append((tab, idle))
        for event, listener in listeners.items():
            tab.page.on(event, listener)
        return tab.show(path, viewport, color_scheme)

    yield call
    for tab, idle in tabs:
        for event, listener in listeners.items():
            tab.page.remove_listener(event, listener)
        idle.append(tab)
    assert complaints == []


@pytest.fixture
def opened(browser):
    with watched(browser) as call:
        yield call
