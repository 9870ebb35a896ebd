"""Take the pictures of a report, in a browser without a screen: ``python docs/_make/report.py``."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from dendrometry.cli.demo import demo

IMAGES = Path(__file__).parents[1] / "images"


def main() -> None:
    """Write the report of the animals, as the demo does, and take how alike they are, and both trees."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        demo(out=folder, force=True)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 1000}, color_scheme="light")
        page.goto(Path(folder, "report.html").as_uri())
        page.wait_for_selector("html[data-ready]")
        page.screenshot(path=IMAGES / "report.png")
        page.locator("#trees").evaluate("(trees) => { trees.style.maxHeight = '640px'; }")
        page.locator("#trees").screenshot(path=IMAGES / "report_trees.png")
        browser.close()


if __name__ == "__main__":
    main()
