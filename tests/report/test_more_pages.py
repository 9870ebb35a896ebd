"""The pages of flat clusterings and of many trees in a browser: no complaint, answers, any label as text."""

import numpy as np
import pytest
from playwright.sync_api import expect

import dendrometry as dm
from tests.report.conftest import expect_to_fit_paper, watched
from tests.report.test_browser import HOSTILE

pytestmark = [
    pytest.mark.compiled,  # once is enough: the pages are the same without compilation
    pytest.mark.usefixtures("few_relabellings"),
]


def moved(n, k, share, seed=0):
    """A clustering, and the same with a share of the items moved anywhere."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, k, n)
    return a, np.where(rng.random(n) < share, rng.integers(0, k, n), a)


@pytest.fixture(scope="module")
def flat():
    """Sixty clusters, of which few differ: more than a flow shows at once."""
    a, b = moved(900, 60, 0.03)
    return dm.comparison.compare_partitions(
        [f"group {x}" for x in a], b, item_names=[f"item {i}" for i in range(a.size)]
    )


@pytest.fixture(scope="module")
def page(flat, browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("flat") / "report.html"
    dm.report(flat, path, names=("truth", "found"))
    with watched(browser) as call:
        yield call(path)


@pytest.mark.page
def test_the_flat_page_answers_in_order(flat, page):
    assert page.locator("h2").all_inner_texts() == ["How alike", "Where", "How it was made"]
    assert page.locator(".measures tbody tr").count() == len(flat.lines)
    assert (
        f"Of the {flat.partition.table.n_a} clusters of truth, {flat.partition.n_kept} also occur in found"
        in page.inner_text(".verdict")
    )
    assert f"{flat.partition.n_differing}" in page.inner_text(".figures")


def test_the_flow_holds_every_item_and_takes_the_rest_together(flat, page):
    bars = page.locator("#flow .sankey-node").count()
    assert 30 < bars < 120
    assert "the same in both" in page.inner_text("#flow")
    page.click("#flow-rows summary")
    expect(page.locator("#flow-table tbody tr")).to_have_count(15)
    assert page.evaluate("Flow.look.length") == 1
    items = page.evaluate(
        "() => document.getElementById('flow').data[0].link.customdata.map((t) => Number(/>([\\d,]+) item/.exec(t)[1]"
        ".replaceAll(',', ''))).reduce((x, y) => x + y, 0)"
    )
    assert items == 2 * flat.n_items  # once into the overlaps, once out of them


def test_a_component_is_found_opened_and_shown_alone(flat, page):
    table, graph = flat.partition.table, flat.partition.graph
    split = int(np.argmax(np.bincount(table.row) > 1))
    name, component = str(table.label_a[split]), graph.component_a[split]
    page.fill("#components-find", name)
    holding = np.char.find(table.label_a.astype(str), name) >= 0
    differs = np.bincount(graph.component_a) + np.bincount(graph.component_b) > 2
    n_found = int(differs[np.unique(graph.component_a[holding])].sum())
    expect(page.locator("#components tbody tr")).to_have_count(n_found)  # the list is shown anew, then it is clicked
    page.locator("#components tbody .open").first.click()
    detail = page.inner_text("#components .detail")
    assert name in detail
    assert "split_merge" in detail
    page.click("#components .detail button")
    expect(page.locator("#flow-says")).to_contain_text("One component")
    expect(page.locator("#flow-says")).to_contain_text(f"{graph.sizes[component]} items")
    expect(page.locator("#flow-all")).to_be_focused()  # the way back
    page.keyboard.press("Enter")
    expect(page.locator("#flow-says")).to_contain_text("components")
    page.fill("#components-find", "")


def test_items_that_differ_are_listed_and_found(flat, page):
    table = flat.partition.table
    differing = ~np.isin(table.item_cell, flat.partition.matched)
    expect(page.locator("#items .pager")).to_contain_text(f"of {int(differing.sum())}")
    at = int(np.flatnonzero(differing)[0])
    page.fill("#items-find", flat.items[at])
    expect(page.locator("#items tbody")).to_contain_text(flat.items[at])
    wanted = page.locator("#items tbody tr", has=page.get_by_text(flat.items[at], exact=True))
    cell = table.item_cell[at]
    assert str(table.label_a[table.row[cell]]) in wanted.inner_text()
    page.uncheck("#items-differ")
    page.fill("#items-find", "item 89")
    expect(page.locator("#items tbody tr")).to_have_count(11)


def test_labels_of_clusters_stay_text(tmp_path, opened):
    n = len(HOSTILE)
    path = tmp_path / "report.html"
    others = [*HOSTILE[1:4], *HOSTILE[3:]]
    dm.report(
        dm.comparison.compare_partitions(HOSTILE, others[:n], item_names=HOSTILE), path, names=(HOSTILE[0], HOSTILE[1])
    )
    page = opened(path, color_scheme="dark")
    assert page.locator("img").count() == 0
    assert page.locator("#flow a").count() == 0
    assert "alert(1)" in page.inner_text(".pair")
    assert "</script><scr…(1)</script>" in page.inner_text("#flow")
    assert '<img src=x on…="alert(2)">' in page.inner_text("#flow")
    page.uncheck("#components-differ")
    expect(page.locator("#components")).to_contain_text("</script><script>alert(1)</script>")
    assert "\u202e" not in page.inner_text("body")
    page.locator("#flow .sankey-node rect").first.hover()
    page.locator("#components .open").first.click()
    page.uncheck("#items-differ")
    expect(page.locator("#items")).to_contain_text("</script><script>alert(1)</script>")
    expect_to_fit_paper(page)
    links = page.locator("#flow .sankey-link")
    assert {links.nth(i).evaluate("(link) => link.style.opacity") for i in range(links.count())} == {"1"}  # at once


def test_three_items_and_counts_without_names(tmp_path, opened):
    path = tmp_path / "three.html"
    dm.report(dm.comparison.compare_partitions(["p", "p", "q"], [0, 1, 1]), path)
    page = opened(path)
    assert page.locator("#flow .sankey-link").count() == 6
    table = dm.Contingency.from_triples([("x", 1, 10**12), ("x", 2, 5), ("y", 2, 10**12)])
    dm.report(dm.comparison.compare_partitions(table), tmp_path / "counts.html")
    page = opened(tmp_path / "counts.html")
    assert "1,000,000,000,005" in page.inner_text("#flow")
    assert "their names not kept" in page.inner_text("#where")


def test_many_trees_are_mapped_listed_and_stay_text(tmp_path, opened):
    shapes = ["((((a,b),c),d),((e,f),(g,h)));"] * (len(HOSTILE) - 1) + ["((a,h),(b,g),(c,f),(d,e));"]
    trees = {name: dm.from_newick(shape) for name, shape in zip(HOSTILE, shapes, strict=True)}
    found = dm.pairwise_matrix(trees, "hierarchical_f")
    path = tmp_path / "report.html"
    dm.report(found, path)
    page = opened(path)
    assert page.locator("#heat-map .hm image").count() == 1
    assert "</script><sc…1)</script>" in page.inner_text("#heat-map")
    assert page.locator("img").count() == 0
    page.check("#trees-far")
    expect(page.locator("#each-tree tbody tr")).to_have_count(1)
    assert "plain" in page.inner_text("#each-tree tbody")
    page.click("#each-tree .open")
    expect(page.locator("#each-tree .detail")).to_contain_text("the other way")
    page.click("#all-values summary")
    cells = page.locator("#values td.number").all_inner_texts()
    values = np.array([float(cell) for cell in cells]).reshape(len(trees), -1)
    assert np.sort(values, axis=None) == pytest.approx(np.sort(found.values, axis=None), abs=1e-4)
    page.locator("#heat-map .draglayer .x2y .nsewdrag").click(position={"x": 5, "y": 5})
    expect(page.locator("#map-says")).to_contain_text("hierarchical_f 1")
    page.click("#all-values summary")
    expect_to_fit_paper(page)


@pytest.mark.slow
def test_a_million_items_in_a_hundred_thousand_clusters(tmp_path, opened):
    a, b = moved(1_000_000, 100_000, 0.2)
    path = tmp_path / "report.html"
    dm.report(dm.comparison.compare_partitions(a, b, item_names=[f"item {i}" for i in range(a.size)]), path)
    assert path.stat().st_size < 15_000_000
    page = opened(path)
    assert page.locator("#flow .sankey-node").count() < 120
    page.uncheck("#items-differ")
    page.fill("#items-find", "item 999999")
    expect(page.locator("#items tbody tr")).to_have_count(1)
    page.locator("#items tbody button").click()
    expect(page.locator("#flow-says")).to_contain_text("One component")


@pytest.mark.slow
def test_three_hundred_trees(tmp_path, opened):
    rng = np.random.default_rng(0)
    values = rng.random((300, 300))
    values = (values + values.T) / 2
    np.fill_diagonal(values, 1.0)
    path = tmp_path / "report.html"
    dm.report(dm.comparison.Matrix(tuple(f"tree {i}" for i in range(300)), values, "hierarchy_agreement"), path)
    page = opened(path)
    page.fill("#trees-find", "tree 299")
    expect(page.locator("#each-tree tbody tr")).to_have_count(1)
