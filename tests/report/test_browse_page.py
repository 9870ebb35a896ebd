"""The page of documents in a browser: walking, searching, by keyboard, with any title as text, at any size."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import dendrometry as dm
from tests.report.conftest import expect_width, n_blocks, watched
from tests.report.large import alike_pair
from tests.report.test_browser import HOSTILE

THEMES = {"sea": ("sail", "beach"), "land": ("grain", "milk"), "sky": ("cloud", "star")}


def stories(n):
    """Documents on three themes with two topics each, and the tree of these."""
    topics = [(theme, topic) for theme, both in THEMES.items() for topic in both]
    texts = {f"Story {i} of {end}": f"{theme} {end} {end}{i % 3} news" for theme, end in topics for i in range(n)}
    found = dm.text.vectorize_documents(texts)
    parent = [6, 6, 7, 7, 8, 8, 9, 9, 9, -1]
    return found, dm.Hierarchy(parent, None, np.repeat(np.arange(6), n), found.items)


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """The stories, opened once; every test starts from the root."""
    found, tree = stories(40)
    path = tmp_path_factory.mktemp("stories") / "stories.html"
    labels = [dm.label.label_nodes(tree, found, method=method) for method in ("centroid", "hierarchical")]
    dm.browse(tree, path, node_labels=labels, name="Stories")
    with watched(browser) as call:
        yield call(path)


@pytest.fixture
def root(page):
    page.evaluate("location.hash = '#node-9'")
    expect(page.locator("#view .says")).to_have_text(re.compile("^240 documents .* node 9$"))
    return page


def rows(page):
    return page.locator("#view [role=treeitem]")


def test_a_node_without_words_is_called_by_its_number_of_documents(opened, tmp_path):
    tree = dm.from_newick("(((one.txt,two.txt),three.txt),four.txt);")
    dm.browse(tree, tmp_path / "bare.html")
    page = opened(tmp_path / "bare.html")
    called = page.locator(".outline .called").all_inner_texts()
    assert called[0] == "3 documents such as one.txt, two.txt"
    assert not [name for name in called if "+" in name]


def test_texts_are_searched_and_shown(opened, tmp_path):
    tree = dm.from_newick("((one,two),three);")
    texts = {"one": "The harbour\nat  night", "two": "x " * 100 + "a lighthouse " + "y " * 100, "three": "<b>corn</b>"}
    dm.browse(tree, tmp_path / "texts.html", texts=texts)
    page = opened(tmp_path / "texts.html")
    page.fill("#find", "lighthouse")
    expect(page.locator("#view .says")).to_contain_text("0 nodes and 1 document found")
    assert page.inner_text("#view mark") == "lighthouse"
    assert page.inner_text("#view .snippet").startswith("… x x")
    page.fill("#find", "one harbour")  # one word of the title, one of the text
    expect(page.locator("#here")).to_have_text("“one harbour”")
    expect(page.locator("#view .says")).to_contain_text("0 nodes and 1 document found")
    page.evaluate(f"location.hash = '#node-{tree.item_node[2]}'")
    expect(page.locator("#view .text")).to_have_text("<b>corn</b>")
    with pytest.raises(dm.errors.ItemMismatchError, match="every item must have a text; 1 item without one: 'three'"):
        dm.browse(tree, tmp_path / "none.html", texts={"one": "", "two": ""})


@pytest.mark.page
def test_walking_down_and_back(root):
    page = root
    assert page.locator("h2").all_text_contents() == ["Browse", "How it was made"]
    expect(page.locator("#here")).to_contain_text("news")
    assert page.locator(".words dt").all_inner_texts() == ["Hierarchical", "Centroid"]
    page.get_by_role("treeitem", name="land").first.click()
    expect(page.locator("#here")).to_have_text("land")
    expect(page).to_have_url(re.compile("#node-7$"))
    expect(page.locator("#here")).to_be_focused()
    expect(page.locator("#view .says")).to_have_text("80 documents · in 2 nodes below · 33% of all · node 7")
    page.get_by_role("treeitem", name="milk").nth(0).click()
    expect(page.locator("#here")).to_contain_text("milk")
    steps = page.locator("#path li").all_inner_texts()
    assert [len(steps), steps[1]] == [3, "land"]
    assert page.locator("#view .documents li").count() == 20
    assert page.locator("#view .documents li").first.inner_text() == "Story 0 of milk"
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#view .documents li").last).to_have_text("Story 39 of milk")
    page.go_back()
    expect(page.locator("#here")).to_have_text("land")
    expect(page.locator(":focus")).to_contain_text("milk")  # where the reader came from
    page.click("#path a")
    expect(page.locator("#here")).to_contain_text("news")


def test_the_outline_speaks_and_obeys_the_keyboard(root):
    page = root
    first = rows(page).first
    first.focus()
    assert first.get_attribute("aria-level") == "1"
    assert first.get_attribute("aria-setsize") == "3"
    assert page.locator("#view [role=treeitem][tabindex='0']").count() == 1
    before = rows(page).count()
    assert first.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowLeft")
    expect(rows(page)).to_have_count(before - 2)
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowRight")
    expect(rows(page)).to_have_count(before)
    page.keyboard.press("ArrowRight")  # into it
    expect(page.locator(":focus")).to_have_attribute("aria-level", "2")
    page.keyboard.press("ArrowRight")  # open a node that holds documents
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_text("Story 0 of sail")
    for _ in range(12):
        page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_text("28 more")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_text("Story 12 of sail")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(rows(page)).to_have_count(before)
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator("#here")).to_contain_text("sea")


def test_search_finds_titles_and_words_and_can_be_gone_back_to(root):
    page = root
    page.keyboard.press("/")
    page.keyboard.type("GRAIN")
    expect(page.locator("#here")).to_have_text("“GRAIN”")  # not what was found for the first letters
    expect(page.locator("#view .says")).to_contain_text("40 documents found")
    expect(page).to_have_url(re.compile("#find-GRAIN$"))
    assert page.locator("#view mark").first.inner_text() == "grain"
    nodes = page.locator("#view .documents").first.locator("li")
    assert "grain" in nodes.first.inner_text()
    page.keyboard.press("Enter")
    expect(nodes.first.locator("a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#view .says")).to_contain_text("· node ")
    expect(page).to_have_url(re.compile("#node-"))
    page.go_back()
    expect(page.locator("#view .says")).to_contain_text("40 documents found")
    expect(page.locator("#find")).to_have_value("GRAIN")
    page.fill("#find", "story 7 milk")
    expect(page.locator("#view .says")).to_contain_text("0 nodes and 4 documents found")  # 7, 17, 27, 37
    page.fill("#find", "no such thing")
    expect(page.locator("#view .says")).to_contain_text("0 nodes and 0 documents found")
    page.press("#find", "Escape")
    expect(page.locator("#view .says")).to_contain_text("· node ")
    expect(page.locator("#find")).to_have_value("")


def test_words_are_links_to_where_else_they_are(root):
    root.click(".words >> text=news >> nth=0")
    expect(root.locator("#here")).to_have_text("“news”")
    expect(root).to_have_url(re.compile("#find-news$"))


def test_addresses_of_nodes_open_them_and_others_do_no_harm(page):
    for fragment, wanted in (("#node-3", "milk"), ("#node-99", "news"), ("#find-%E0%A4%A", "%E0%A4%A")):
        page.evaluate(f"location.hash = {fragment!r}")
        expect(page.locator("#here")).to_contain_text(wanted)
    page.evaluate("location.hash = '#node-99'")
    expect(page.locator("#view [role=alert]")).to_contain_text("There is no node 99")
    page.evaluate("location.hash = '#made'")
    expect(page.locator("#here")).to_contain_text("news")
    page.evaluate("location.hash = '#node-3'")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#here")).to_contain_text("milk")
    assert page.title().endswith(" · Stories")


def test_hostile_titles_and_words_stay_text(tmp_path, opened):
    n = len(HOSTILE)
    tree = dm.from_parents(
        [4, 4, 4, 4, -1], [i % 4 for i in range(n)], item_names=HOSTILE, node_names=[*HOSTILE[:4], ""]
    )
    words = tuple((text, text) for text in HOSTILE[:5])
    scores = ((1.0, 1.0),) * 5
    labels = dm.label.NodeLabels("centroid", np.arange(5), tree.sizes, words, scores, tree.n_items, tree.n_nodes)
    path = tmp_path / "hostile.html"
    dm.browse(tree, path, node_labels=labels, name=HOSTILE[0])
    page = opened(path, color_scheme="dark")
    assert "alert(1)" in page.inner_text(".pair")
    for row in range(4):
        rows(page).nth(row).press("ArrowRight")
    for v in range(5):
        page.evaluate(f"location.hash = '#node-{v}'")
        expect(page.locator("#view .says")).to_contain_text(f"node {v}")
        assert page.locator("img").count() == 0
        assert "\u202e" not in page.inner_text("body")
    page.fill("#find", "</script><script>alert")
    expect(page.locator("#view .says")).to_contain_text("1 node and 1 document found")
    assert "alert(1)" in page.inner_text("#view")
    assert page.locator("script:not([type])").count() == 5


SPELLINGS = [
    "Caf\u00e9 society",
    "Cafe\u0301 noir",
    "\u0130stanbul",
    "\ufb01ne print",
    "\u30c7\u30fc\u30bf",
    "\ud55c\uad6d \uc2e0\ubb38",
]


def test_a_search_finds_other_ways_to_write_the_same_letters(tmp_path, opened):
    dm.browse(dm.from_labels(range(6), item_names=SPELLINGS), tmp_path / "spelt.html")
    page = opened(tmp_path / "spelt.html")
    for text, marks in (
        ("cafe", ["Caf\u00e9", "Caf\u00e9"]),
        ("CAF\u00c9 noir", ["Caf\u00e9", "noir"]),
        ("istanbul", ["\u0130stanbul"]),
        ("fine", ["\ufb01ne"]),
        ("\u30c7\u30fc", ["\u30c7\u30fc"]),
        ("\uc2e0\ubb38", ["\uc2e0\ubb38"]),
    ):
        page.fill("#find", text)
        expect(page.locator("#here")).to_have_text(f"\u201c{text}\u201d")
        assert page.locator("#view mark").all_inner_texts() == marks


def test_a_search_without_success_says_what_was_searched(root):
    root.fill("#find", "no such thing")
    expect(root.locator("#view .reason")).to_contain_text("not the texts of the documents")
    root.fill("#find", "grain")
    expect(root.locator("#view .reason")).to_have_count(0)


def test_the_root_is_not_called_by_a_single_document(tmp_path, opened):
    found, tree = stories(4)
    labels = [dm.label.label_nodes(tree, found, nodes=range(9)), dm.label.label_nodes(tree, found, method="title")]
    dm.browse(tree, tmp_path / "titles.html", node_labels=labels)
    page = opened(tmp_path / "titles.html")
    assert page.inner_text("#here") == "All documents"
    assert page.locator(".words dt").all_inner_texts() == ["Nearest title"]


def test_joiners_and_wide_spaces_of_titles_stay(tmp_path, opened):
    titles = [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467",
        "\u6771\u4eac\u3000\u5927\u962a",
        "bell\x07 \u202edne",
    ]
    dm.browse(dm.from_labels(range(4), item_names=titles), tmp_path / "joined.html", name=titles[2])
    page = opened(tmp_path / "joined.html")
    assert [row.strip() for row in page.locator("#view .called").all_text_contents()] == [
        *titles[:3],
        "bell\\x07 \\u202edne",
    ]
    assert page.locator(".pair bdi").text_content() == titles[2]


def test_fingers_hit_the_triangles(tmp_path, opened):
    dm.browse(stories(4)[1], tmp_path / "touch.html")
    page = opened(tmp_path / "touch.html", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    box = page.locator("#view .turn").first.bounding_box()
    assert min(box["width"], box["height"]) >= 32
    before = rows(page).count()
    page.locator("#view .turn").first.tap()
    expect(rows(page)).not_to_have_count(before)
    assert "#node" not in page.url
    expect_width(page, 360)


def test_one_document_and_a_file_alone(tmp_path, opened):
    dm.browse(dm.from_newick("lonely;"), tmp_path / "one.html")
    page = opened(tmp_path / "one.html")
    assert page.inner_text("#here") == "lonely"
    assert "1 document" in page.inner_text("#view .says")
    dm.write(stories(2)[1], tmp_path / "tree.json")
    dm.browse(dm.read(tmp_path / "tree.json"), tmp_path / "two.html")
    page = opened(tmp_path / "two.html")
    assert page.inner_text("#here") == "All documents"
    assert rows(page).count() == 9 + 12
    assert page.locator("#view .documents").count() == 0  # all are in the outline
    page.get_by_role("treeitem", name="Story 1 of star", exact=True).click()
    expect(page.locator("#path")).to_contain_text("All documents")


def tree_of(shape, n):
    names = [f"item {i}" for i in range(n)]
    if shape == "random":
        return alike_pair(n)[0]
    if shape == "star":
        return dm.from_labels(names, item_names=names)
    below, beside = np.r_[0, np.arange(n, 2 * n - 2)], np.arange(1, n)
    return dm.from_linkage(np.column_stack([below, beside, beside, beside + 1]), names)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["random", "star", "chain"])
def test_twenty_thousand_documents(tmp_path, opened, browser, shape):
    path, fewer = tmp_path / "large.html", tmp_path / "fewer.html"
    dm.browse(tree_of(shape, 20_000), path)
    dm.browse(tree_of(shape, 5_000), fewer)
    assert path.stat().st_size < 3_000_000
    assert 50_000 < n_blocks(browser, path) < 6 * n_blocks(browser, fewer)
    page = opened(path)
    assert rows(page).count() <= 30
    page.fill("#find", "item 19999")
    expect(page.locator("#view .says")).to_contain_text("1 document found")
    page.click("#view .documents a")
    expect(page.locator("#here")).to_have_text("item 19999")
    assert page.locator("#path li").count() <= 8 or shape == "random"
    page.fill("#find", "item")
    expect(page.locator("#view .says")).to_contain_text("20,000 documents found")
    page.get_by_role("button", name="Next").last.click()
    expect(page.locator("#view .pager")).to_contain_text("21 to 40 of 20,000")
