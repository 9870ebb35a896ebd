"""Reports of two trees, of two flat clusterings and of one tree: seconds to write, size, seconds until it is ready."""

import shutil
import tempfile
from itertools import product
from pathlib import Path
from time import perf_counter

import numpy as np

import dendrometry as dm
from shapes import SHAPES
from timing import fresh

LIMITS = {
    5_000: (6.0, 10.0, 3.0),
    20_000: (6.0, 10.0, 3.0),
    50_000: (6.0, 15.0, 5.0),
    100_000: (6.0, 15.0, 5.0),
    200_000: (6.0, 20.0, 10.0),
}  # items: seconds of a core to compare and write, megabytes, seconds to be ready
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()


def pair(shape, n):
    """Two trees of a shape; in the second a third of the items have changed places."""
    rng = np.random.default_rng(0)
    names = np.array([f"item {i}" for i in range(n)])
    moved = rng.choice(n, n // 3, replace=False)
    others = names.copy()
    others[moved] = names[rng.permutation(moved)]
    return dm.from_linkage(SHAPES[shape](n, 1), names.tolist()), dm.from_linkage(SHAPES[shape](n, 1), others.tolist())


def prepared(shape, n, path):
    return *pair(shape, n), path


def write(given):
    a, b, path = given
    dm.report(dm.compare(a, b), path, force=True)


def nothing():
    """Load nothing before the clock starts: imports and compiled loops count, as in any new process."""


def ready(path):
    """Return the seconds from opening a page until it can be used, and until its curves are drawn too."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector("html[data-ready]", timeout=300_000)
        found = [int(page.get_attribute("html", f"data-{name}")) / 1000 for name in ("usable", "ready")]
        browser.close()
    return found


def line(what, value, unit, limit):
    verdict = "" if limit is None else f"   limit {limit:g} {unit}: {'kept' if value < limit else 'MISSED'}"
    print(f"{what:<74}{value:8.2f} {unit}{verdict}")


def flat(n, n_clusters, path):
    """Compare two clusterings, in the second a fifth of the items moved, and return the seconds with the report."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, n_clusters, n)
    b = np.where(rng.random(n) < 0.2, rng.integers(0, n_clusters, n), a)
    names = [f"item {i}" for i in range(n)]
    start = perf_counter()
    dm.report(dm.comparison.compare_partitions(a, b, item_names=names), path, force=True)
    return perf_counter() - start


def browsed(shape, n, path):
    """Print what a page of one tree takes."""
    what = f"browse, {shape}, {n:,} documents"
    tree = pair(shape, n)[0]
    start = perf_counter()
    dm.browse(tree, path, force=True)
    line(f"{what}: written", perf_counter() - start, "s ", None)
    line(f"{what}: file", path.stat().st_size / 1e6, "MB", None)
    if shutil.which("chromium"):
        line(f"{what}: page can be used", ready(path)[1], "s ", None)


def main():
    folder = Path(tempfile.mkdtemp())
    for shape in SHAPES:  # compile first
        write(prepared(shape, 50_000, folder / "warm.html"))
    for n, (most_seconds, most_megabytes, soon) in LIMITS.items():
        for shape in SHAPES:
            path = folder / f"{shape}.html"
            what = f"report, {shape}, {n:,} items"
            figure = fresh(prepared, write, shape, n, path, warm=nothing)
            line(f"{what}: compared and written, of a core", figure.core_seconds, "s ", most_seconds)
            line(f"{what}: file", path.stat().st_size / 1e6, "MB", most_megabytes)
            if shutil.which("chromium"):
                usable, drawn = ready(path)
                line(f"{what}: page can be used", usable, "s ", soon)
                line(f"{what}: curves drawn too", drawn, "s ", soon)
    for n, n_clusters in ((5_000, 50), (1_000_000, 100_000)):
        path = folder / "flat.html"
        what = f"report, flat, {n:,} items in {n_clusters:,} clusters"
        line(f"{what}: written", flat(n, n_clusters, path), "s ", None)
        line(f"{what}: file", path.stat().st_size / 1e6, "MB", None)
        if shutil.which("chromium"):
            usable, drawn = ready(path)
            line(f"{what}: page can be used", usable, "s ", None)
            line(f"{what}: flow drawn too", drawn, "s ", None)
    for n, shape in product((20_000, 200_000), SHAPES):
        browsed(shape, n, folder / "browse.html")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
