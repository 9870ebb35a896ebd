"""The report as it is read: what stands first, what things are called, on a wide and on a narrow screen."""

import csv
import re

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.cluster.hierarchy import linkage

import dendrometry as dm
from dendrometry.report.comparison import comparison_page
from tests.report.conftest import expect_width, watched

pytestmark = [
    pytest.mark.compiled,  # once is enough: the page is the same without compilation
    pytest.mark.usefixtures("few_relabellings"),
]

NARROW = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def zoo():
    return dm.datasets.zoo()


@pytest.fixture(scope="module")
def built(zoo):
    """Two dendrograms of the animals."""
    return [dm.from_linkage(linkage(zoo.traits, method), zoo.items) for method in ("average", "ward")]


@pytest.fixture(scope="module")
def files(zoo, built, tmp_path_factory):
    """The reports of a classification beside a dendrogram, and of two flat clusterings."""
    folder = tmp_path_factory.mktemp("reader")
    dm.report(dm.compare(zoo.taxonomy, built[0], names=("ranks", "traits")), folder / "trees.html")
    labels = [dm.cut_count(tree, 6).labels for tree in built]
    flat = dm.comparison.compare_partitions(*labels, names=("mine", "yours"), item_names=zoo.items)
    dm.report(flat, folder / "flat.html")
    return folder


@pytest.fixture(scope="module")
def page(browser, files):
    with watched(browser) as call:
        yield call(files / "trees.html")


def test_measures_that_say_nothing_are_folded_below_with_the_reason(page):
    assert page.locator(".measures tbody th code").all_inner_texts() == ["hierarchy_agreement", "hierarchical_f"]
    assert page.get_attribute(".silent", "open") is None
    assert page.inner_text(".silent summary") == "Not informative here: 7 measures"
    page.click(".silent summary")
    expect(page.locator(".silent")).to_contain_text("classic_f, partial_order_f: 0 for any labelling of the items.")


def test_trees_are_called_by_their_names(page, opened, files):
    for shown in (page, opened(files / "flat.html")):
        text = shown.inner_text("#content").lower()
        text = text[: text.index("how it was made")]
        for words in (
            "first tree",
            "second tree",
            "first clustering",
            "second clustering",
            "of the first",
            "in the second",
        ):
            assert words not in text, words
    assert "How well the clusters of ranks are found again in traits." in page.inner_text(".measures")
    assert "Best match in traits" in page.inner_text("#clusters thead")


def test_the_levels_open_where_there_is_most_to_see(page, built, opened, tmp_path):
    assert page.inner_text("#step-value") == "2"  # the classes of animals, not each animal for itself
    names = built[0].items[:43]
    few = [tree.restrict(names).without_unary() for tree in built]
    dm.report(dm.compare(*few), tmp_path / "few.html")
    assert int(opened(tmp_path / "few.html").inner_text("#step-value")) <= 9


def test_items_that_moved_have_other_neighbours_on_either_side(page):
    rows = page.locator("#items tbody tr")
    for i in range(rows.count()):
        first, second = rows.nth(i).locator("td").all_inner_texts()[1:3]
        assert set(first.split(": ")[-1].split(", ")) != set(second.split(", ")), rows.nth(i).inner_text()
    assert rows.nth(0).locator("td").all_inner_texts()[2] == "with porpoise, dolphin"


def test_no_two_clusters_share_a_colour():
    pairs = [(f"a{i}", f"b{i}") for i in range(13)]
    trees = [dm.from_newick(f"({','.join(f'({x},{y})' for x, y in pairs[k:] + pairs[:k])});") for k in (0, 5)]
    page = comparison_page(dm.compare(*trees, measures=dm.measures.TREE_MEASURES))
    codes = [code for _, code in page.data["trees"]["coloured"]]
    assert codes == list(range(10))
    assert "10 common clusters, the largest of 13, coloured." in page.html()


def test_names_of_nodes_are_drawn(page):
    drawn = page.locator("#trees .inner").all_text_contents()
    assert {"Insecta", "Aves", "Arthropoda"} <= set(drawn)


def test_names_do_not_break_inside_words(opened, files):
    shown = opened(files / "trees.html", viewport=NARROW)
    broken = shown.evaluate("""() => {
        const found = [];
        for (const name of document.querySelectorAll("#content bdi")) {
            const walk = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
            for (let node; (node = walk.nextNode());) for (const word of node.data.matchAll(/\\S+/g)) {
                const range = document.createRange();
                range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
                const lines = new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top)));
                if (lines.size > 1) found.push(word[0]);
            }
        }
        return found;
    }""")
    assert broken == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["trees", "flat"])
def test_rows_are_cards_on_a_narrow_screen(opened, files, name, scheme):
    shown = opened(files / f"{name}.html", viewport=NARROW, color_scheme=scheme)
    expect_width(shown, 390)
    for cell in shown.locator(".measures tbody td").all():
        box = cell.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    titles = shown.locator(".measures tbody tr").first.locator("td")
    assert [cell.get_attribute("data-title") for cell in titles.all()][:3] == ["Value", "By chance", "Adjusted"]
    shown.set_viewport_size({"width": 1200, "height": 900})
    expect(shown.locator(".measures tr").first).to_have_css("display", "table-row")


def test_both_trees_fit_a_narrow_screen(opened, files):
    shown = opened(files / "trees.html", viewport=NARROW)
    assert shown.evaluate("document.querySelector('#trees').scrollWidth") <= 390
    assert shown.locator("#trees .tree").nth(1).bounding_box()["x"] < 390


def test_long_names_stay_different_on_a_narrow_screen(opened, tmp_path):
    names = [f"Dendrobates variata {i}" for i in range(12)] + [
        f"Dendrobates {kind} of Peru" for kind in ("alba", "rubra")
    ]
    X = np.random.default_rng(0).normal(size=(14, 3))
    a, b = (dm.from_linkage(linkage(X, method), names) for method in ("average", "single"))
    dm.report(dm.compare(a, b), tmp_path / "x.html")
    shown = opened(tmp_path / "x.html", viewport=NARROW)
    for side in (0, 1):
        texts = shown.locator("#trees .tree").nth(side).locator(".leaf text").all_text_contents()
        assert len(texts) == len(set(texts)) == 14
        assert all("…" in text for text in texts)
        assert any(text.startswith("Den") and text.endswith("…a 11") for text in texts)


def test_clusters_without_a_name_are_called_by_size_and_example(opened, built, tmp_path):
    dm.report(dm.compare(*built, names=("mine", "yours")), tmp_path / "x.html")
    shown = opened(tmp_path / "x.html")
    called = [*shown.locator("#clusters tbody th").all_text_contents()]
    called += shown.locator("#clusters tbody td[data-title='Best match in yours']").all_text_contents()
    assert called
    assert all(re.fullmatch(r"\d+ items, such as \w+|all items|\w+", name) for name in called)
    assert any("such as" in name for name in called)
    heads = shown.locator("#overlap thead th:not(.quiet)").all_text_contents()
    assert all(re.fullmatch(r"\d+ itemssuch as \w+|\w+1", head) for head in heads)
    shown.click("#close-all")
    closed = shown.locator("#trees .closed")
    text, spoken = closed.first.locator("text").text_content(), closed.first.get_attribute("aria-label")
    assert re.fullmatch(r"\d+, e\.g\. \w+", text)
    assert re.fullmatch(r"\d+ items, such as \w+(, recurs, p ≤ [\de-]+)?", spoken)


def saved(page, button):
    """Download a table and return its rows."""
    with page.expect_download() as given:
        button.click()
    with open(given.value.path(), encoding="utf-8-sig", newline="") as file:
        return given.value.suggested_filename, list(csv.reader(file))


def test_tables_are_downloaded(page, zoo):
    name, rows = saved(page, page.locator("#alike .download"))
    assert (name, rows[0][:4], rows[1][0]) == (
        "measures.csv",
        ["Measure", "Value", "By chance", "Adjusted"],
        "hierarchy_agreement",
    )
    name, rows = saved(page, page.locator("#items .download"))
    assert (name, len(rows)) == ("items.csv", 102)
    assert rows[0] == ["Item", "Share of the disagreement", "Neighbours in ranks", "Neighbours in traits"]
    assert {row[0] for row in rows[1:]} == set(zoo.items)
    name, rows = saved(page, page.locator("#overlap .download"))
    assert name == "overlap-2.csv"
    assert np.array([row[1:] for row in rows[1:]], dtype=float).sum() == 101


def test_no_cell_of_a_download_is_a_formula(opened, tmp_path):
    names = ["=cmd|' /C calc'!A0", "+1+1", "-2", "@x", "'=y", "\t=z", "＝1", 'say "hi", you']
    a, b = (dm.from_linkage(linkage(np.arange(8.0)[:, None] ** power), names) for power in (1, 3))
    dm.report(dm.compare(a, b), tmp_path / "x.html")
    _, rows = saved(shown := opened(tmp_path / "x.html"), shown.locator("#items .download"))
    assert sorted(row[0] for row in rows[1:]) == sorted(
        ["'=cmd|' /C calc'!A0", "'+1+1", "-2", "'@x", "''=y", "\\t=z", "'＝1", names[-1]]
    )
