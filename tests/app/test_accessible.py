"""The page for everybody: axe-core finds nothing, it fits every width, and the keyboard is enough."""

from importlib.resources import files

import pytest
from playwright.sync_api import expect

from tests.app.conftest import A, B
from tests.app.test_page import drop, opened
from tests.report.conftest import expect_width

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
TABS = ["compare", "diff", "points", "several", "predictions", "texts", "results"]
FIND = """async () => {
  const kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await axe.run(document, { iframes: false, runOnly: kinds });
  return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`);
}"""


def violations(page):
    page.evaluate(AXE)
    return page.evaluate(FIND)


def show(page, tab):
    page.evaluate("tab => { location.hash = tab; }", tab)
    expect(page.locator("nav [aria-current=page]")).to_have_attribute("href", f"#{tab}")


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, server, color_scheme):
    with opened(browser, server, color_scheme=color_scheme) as page:
        for tab in TABS:
            show(page, tab)
            assert violations(page) == [], tab
        show(page, "compare")
        drop(page, 0, "axe.csv", "group,animal,x\ng,ape,1\ng,cat,1\nh,elk,2\nh,owl,2\n")
        drop(page, 1, "axe.nwk", A)
        page.get_by_text("More choices").click()
        expect(page.locator(".repairs button").first).to_be_visible()
        assert violations(page) == []
        page.locator(".repairs button").first.click()
        expect(page.locator("button.main")).to_be_enabled()
        assert violations(page) == []


@pytest.mark.parametrize("width", [390, 768, 2000])
def test_the_page_is_no_wider_than_its_screen(browser, server, width):
    with opened(browser, server, viewport={"width": width, "height": 900}) as page:
        for tab in TABS:
            show(page, tab)
            if tab in ("compare", "several"):
                page.locator(".examples button").first.click()
                expect(page.locator(".mark:not(.wait)").first).to_be_visible()
            expect_width(page, width)


def press_until(page, text, key="Tab"):
    """Press a key until something with a text has the focus."""
    for _ in range(80):
        page.keyboard.press(key)
        found = page.evaluate("(document.activeElement.closest('label') || document.activeElement).textContent")
        if text in found:
            return
    raise AssertionError(f"no way to {text}")


EXAMPLES = {  # the tab, what is wanted, the example, the button
    "diff": ("What changed", "Concepts", "A shop's categories", "Show what changed"),
    "points": ("Points", "Which splits are real?", "101 animals", "Test the splits"),
    "several": ("Several trees", "Each with each", "Four trees", "Compare each with each"),
    "predictions": ("Predictions", "", "Families of animals", "Score the predictions"),
    "texts": ("Texts", "", "30 short news", "Build the tree"),
}


@pytest.mark.parametrize("tab", EXAMPLES)
def test_the_example_of_a_tab_gives_a_result_by_keyboard_alone(browser, server, tab):
    link, wanted, example, button = EXAMPLES[tab]
    dark = list(EXAMPLES).index(tab) % 2 == 1
    with opened(browser, server, color_scheme="dark" if dark else "light") as page:
        press_until(page, link)
        page.keyboard.press("Enter")
        expect(page.locator("nav [aria-current=page]")).to_have_text(link)
        if wanted:
            page.evaluate("document.body.focus()")
            press_until(page, page.locator(".choice").first.inner_text().splitlines()[0])
            while not page.locator(f".choice:has-text('{wanted}') input").is_checked():
                page.keyboard.press("ArrowDown")
            assert page.evaluate("document.activeElement.type") == "radio"  # the focus stays where it was
        press_until(page, example)
        page.keyboard.press("Enter")
        expect(page.locator("button.main")).to_be_enabled()
        press_until(page, button)
        page.keyboard.press("Enter")
        expect(page.locator(".saves")).to_be_visible()
        assert page.locator(".saves", has_text="CSV").count() == 1
        texts = page.locator(".code pre").all_inner_texts()
        assert [texts[0].startswith("dendrometry "), "dm." in texts[1]] == [True, True]
        assert violations(page) == []
        expect_width(page, page.viewport_size["width"])


def test_the_focus_goes_on_when_what_had_it_is_gone(browser, server):
    with opened(browser, server) as page:
        drop(page, 0, "upper.nwk", A.replace("ape", "APE"))
        drop(page, 1, "lower.nwk", B)
        repair = page.get_by_role("button", name="Ignore case")
        repair.focus()
        page.keyboard.press("Enter")
        expect(page.locator("button.main")).to_be_focused()
        press_until(page, "Undo", "Shift+Tab")
        page.keyboard.press("Enter")
        expect(repair).to_be_visible()
        assert page.evaluate("document.activeElement !== document.body")


def test_the_keyboard_is_enough(browser, server):
    with opened(browser, server) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        page.keyboard.press("Enter")
        for text in (A, B):
            page.get_by_role("button", name="Paste text").first.focus()
            page.keyboard.press("Enter")
            page.keyboard.type(text)
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            expect(page.locator("textarea:visible")).to_have_count(0)
        expect(page.locator("button.main")).to_be_enabled()
        page.locator("button.main").focus()
        page.keyboard.press("Enter")
        expect(page.locator("iframe.report")).to_be_visible()
