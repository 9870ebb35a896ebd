"""Pages opened in a browser that watch for errors and for anything asked of a network."""

from contextlib import contextmanager
from pathlib import Path

import pytest


@pytest.fixture
def few_relabellings(monkeypatch):
    """Nineteen relabellings whatever the number of items: what p-values say is tested elsewhere."""
    monkeypatch.setattr("dendrometry.comparison.result.chance._AFFORDED", ((10**6, 19),))


def printed_width(page):
    """Return how wide a page is on A4 paper, which is 703 wide between its margins."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1030})
    return page.evaluate("document.documentElement.scrollWidth")


@contextmanager
def watched(browser):
    """Give a function that opens a file and waits until it is ready; nothing bad may have happened by the end."""
    complaints, pages = [], []

    def asked(url):
        if not url.startswith(("file:", "data:", "blob:")):
            complaints.append(f"asked for {url}")

    def call(path, **options):
        page = browser.new_page(**{"viewport": {"width": 1200, "height": 900}, **options})
        pages.append(page)
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: asked(request.url))
        page.goto(Path(path).as_uri(), wait_until="commit", timeout=120_000)
        page.wait_for_selector("html[data-ready]", timeout=120_000)
        return page

    yield call
    for page in pages:
        page.close()
    assert complaints == []


@pytest.fixture
def opened(browser):
    with watched(browser) as call:
        yield call
