"""The page of a difference as text and in a browser: every change, drawn and listed, and any label as text."""

import re
from importlib import import_module

import pytest
from playwright.sync_api import expect

import dendrometry as dm
from dendrometry.report.changes import changes_page
from tests.report.test_browser import HOSTILE


@pytest.fixture(scope="module")
def found():
    old = dm.from_paths({f"t{i}": "Home/Tools" for i in range(9)} | {"cup": "Home/Kitchen", "tent": "Outdoor"})
    new = dm.from_paths(
        {f"t{i}": "Outdoor/Tools" for i in range(8)} | {"cup": "Home/Cooking", "tent": "Outdoor", "kite": "Outdoor"}
    )
    return dm.diff(old, new, names=("2023", "2024"))


def text_of(page):
    return re.sub(r"<(script|style).*?</\1>", "", page.html(), flags=re.DOTALL)


def test_equal_trees_have_a_page_that_says_so(tmp_path):
    tree = dm.from_paths({"a": "x", "b": "y"})
    assert "old and new are the same tree." in text_of(changes_page(dm.diff(tree, tree)))
    dm.report(dm.diff(tree, tree), tmp_path / "same.html")
    with pytest.raises(dm.DendrometryError, match="a Diff has its own"):
        dm.report(dm.diff(tree, tree), tmp_path / "named.html", names=("a", "b"))


def test_too_many_changes_and_items_are_counted(found, monkeypatch):
    monkeypatch.setattr(import_module("dendrometry.report.changes"), "_MOST_CHANGES", 2)
    monkeypatch.setattr(import_module("dendrometry.report.changes"), "_MOST_ITEMS", 2)
    page = changes_page(found)
    assert "The largest 2 of 4 changes; to_json() holds all." in text_of(page)
    assert "11 items are not where they were. Up to 2 are listed" in text_of(page)
    assert page.data["items"] is None
    assert len(page.data["ends"]) == 2


@pytest.mark.compiled
@pytest.mark.page
def test_changes_are_drawn_filtered_and_listed(found, opened, tmp_path):
    dm.report(found, tmp_path / "changes.html")
    page = opened(tmp_path / "changes.html")
    assert "2023" in page.inner_text(".pair")
    assert page.locator("#changes-table tbody tr").count() == len(found.changes) == 4
    assert page.locator("#changes-trees path.change").count() == 2  # Tools moved, Kitchen renamed
    assert page.locator("#changes-trees circle.change").count() == 2  # t8 removed, kite added
    drawn = page.locator("#changes-trees text").all_text_contents()
    assert {text for text in drawn if "Tools" in text} == {"ToolsTools 9", "ToolsTools 8"}  # the first is a tooltip
    listed = page.locator("#items-table tbody td:last-child").all_text_contents()
    assert listed == ["moved along"] * 8 + ["removed", "added", "path changed"]
    page.fill("#changes-find", "cook")
    expect(page.locator("#changes-says")).to_have_text("1 change")
    expect(page.locator("#changes-trees path.change")).to_have_count(1)
    page.fill("#changes-find", "")
    page.select_option("#changes-kind", label="moved")
    expect(page.locator("#changes-trees path.change title")).to_have_text("Tools, 8 items: from Home to Outdoor")
    expect(page.locator("#changes-table tbody tr")).to_have_count(1)
    page.fill("#items-find", "kite")
    expect(page.locator("#items-table tbody tr")).to_have_count(1)
    with page.expect_download() as download:
        page.click("#items-table .download")
    assert download.value.path().read_text(encoding="utf-8-sig").splitlines()[1] == "kite,,Outdoor,added"


@pytest.mark.compiled
def test_parts_stand_on_the_side_of_the_tree_that_has_them(opened, tmp_path):
    cup = {"cup": "Home/Kitchen"}
    one = dm.from_paths({f"t{i}": "Home/Tools" for i in range(8)} | cup)
    other = dm.from_paths({f"t{i}": f"Home/{'Saws' if i < 4 else 'Drills'}" for i in range(8)} | cup)
    for name, found in (("split", dm.diff(one, other)), ("merged", dm.diff(other, one))):
        dm.report(found, tmp_path / f"{name}.html")
        page = opened(tmp_path / f"{name}.html")
        cells = page.locator("#changes-table tbody td").all_text_contents()
        parts = ["", "Home > Saws, Home > Drills"]
        assert cells == [name, "8", *(parts if name == "split" else parts[::-1])]


@pytest.mark.compiled
@pytest.mark.parametrize("width", [390, 1400])
def test_both_trees_are_seen_and_lines_lead_from_name_to_name(found, opened, tmp_path, width):
    dm.report(found, tmp_path / "changes.html")
    page = opened(tmp_path / "changes.html", viewport={"width": width, "height": 900})
    region = page.locator("#changes-trees")
    assert region.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert [region.locator("text[font-weight]").nth(i).locator("title").text_content() for i in (0, 1)] == [
        "2023",
        "2024",
    ]
    moved = region.locator("path.change", has_text="Tools, 8 items").bounding_box()
    old, new = (region.locator("text", has_text=re.compile(f"Tools {size}$")).bounding_box() for size in (9, 8))
    assert old["x"] + old["width"] <= moved["x"] <= old["x"] + old["width"] + 30
    assert new["x"] - 15 <= moved["x"] + moved["width"] <= new["x"]


@pytest.mark.compiled
def test_hostile_names_stay_text(opened, tmp_path):
    old = dm.from_paths({name: ("a", name) for name in HOSTILE} | {"x": ("b",)}, sep=None)
    new = dm.from_paths({name: ("b", name) for name in HOSTILE} | {"x": ("b",)}, sep=None)
    dm.report(dm.diff(old, new), tmp_path / "changes.html")
    page = opened(tmp_path / "changes.html")
    assert page.locator("#changes-trees path.change").count() == len(HOSTILE) + 2  # b is merged from a and b
