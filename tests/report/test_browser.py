"""The page in a browser: it loads without complaint, answers, and shows any label as text."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.cluster.hierarchy import linkage

import dendrometry as dm
from dendrometry.report.packed import json_text
from tests.report.conftest import expect_to_fit_paper, watched
from tests.report.large import alike_pair
from tests.zoo import ZOO

pytestmark = [
    pytest.mark.compiled,  # once is enough: the page is the same without compilation
    pytest.mark.usefixtures("few_relabellings"),
]

HOSTILE = [
    "</script><script>alert(1)</script>",
    '<img src=x onerror="alert(2)">',
    "<!--<script>",
    "\u202egnirts desrever",
    "שלום עולם",
    "مرحبا بالعالم",
    "🦉👩‍👩‍👧 owls",
    "bell\x07 tab\t line\n nul\x00 escape\x1b[31m",
    "\u2028 separators \u2029",
    "long " * 200,
    "=cmd|' /C calc'!A0",
    "{{data}} ${alert(3)} &lt; &amp;amp; ' \" `",
    "__proto__",
    "plain",
]


@pytest.fixture(scope="module")
def animals():
    """The animals' classification beside average linkage of their traits."""
    zoo = dm.datasets.zoo()
    return dm.compare(zoo.taxonomy, dm.from_linkage(linkage(zoo.traits, "average"), zoo.items))


@pytest.fixture(scope="module")
def page(animals, browser, tmp_path_factory):
    """The report of the animals, opened once; every test leaves the trees as it found them."""
    path = tmp_path_factory.mktemp("animals") / "report.html"
    dm.report(animals, path, names=("classification", "traits"))
    with watched(browser) as call:
        yield call(path)


def test_recurring_clusters_are_ringed_in_both_trees_with_their_p_values(page, animals):
    found, tree = animals.recurrence, page.locator("#trees .tree")
    rings = [tree.nth(side).locator(".part:has(.ring)") for side in (0, 1)]
    matches = set(found.matches.match[found.recurs()].tolist())
    assert [ring.count() for ring in rings] == [found.recurs().sum(), len(matches)]
    numbers = [text for text in tree.first.locator("text.inner").all_text_contents() if text[0] in "≤0"]
    assert len(numbers) > found.recurs().sum() / 2
    assert all("recurs, p" in text for text in (ring.get_attribute("aria-label") for ring in rings[0].all()))
    assert "A ring marks a cluster of classification that recurs in traits" in page.inner_text("#where")
    rings[1].first.locator(".dot").hover(force=True)
    assert "in classification, which recurs: p" in page.inner_text("#node-details")


def test_a_tap_shows_the_p_value_of_a_cluster(page, browser):
    phone = browser.new_page(viewport={"width": 390, "height": 800}, has_touch=True)
    phone.goto(page.url)
    phone.locator("#trees .ring").first.wait_for()
    phone.locator("#trees .tree").first.locator(".part.node:has(.ring) .dot").first.tap(force=True)
    expect(phone.locator("#node-details")).to_contain_text("by chance: p")
    phone.close()


def test_support_is_shown_with_the_clusters(browser, tmp_path):
    first, second = dm.from_newick("(((a:1,b:1):1,c:2):1,d:3);"), dm.from_newick("((a:1,b:1):2,(c:1,d:1):2);")
    support = np.full(first.n_nodes, np.nan)
    support[first.parent[first.item_node[0]]] = 0.87
    path = tmp_path / "report.html"
    dm.report(dm.compare(first, second), path, support=(support, None))
    with watched(browser) as call:
        page = call(path)
        page.locator("#clusters-differ").uncheck()
        rows = page.locator("#clusters tbody tr")
        expect(rows).to_have_count(3)
        assert [text.endswith("87%") for text in rows.all_inner_texts()].count(True) == 1
        assert page.locator("#clusters th[scope=col]").last.inner_text() == "Support"
        page.locator(".part.node[aria-label*='support 87%'] .dot").hover()
        expect(page.locator("#node-details")).to_contain_text("support 87%")


def forest(page, script):
    """Evaluate a script with both trees of the page as ``f``."""
    return page.evaluate(f"async () => {{ const f = await Forest.unpacked(Report.data.trees); {script} }}")


@pytest.mark.page
def test_the_animals_page_answers_in_order(animals, page):
    assert page.locator("h2").all_inner_texts() == ["How alike", "At which level", "Where", "How it was made"]
    assert page.locator(".measures tbody tr").count() == len(animals.table.rows()) == 2
    assert "39% of the way from chance to identical" in page.inner_text(".verdict")
    assert page.locator("#curves .scatterlayer .trace").count() >= 3
    assert page.locator("main, nav, header").count() == 3


def test_moving_over_levels_shows_both_cuts(page):
    page.focus("#step")
    page.keyboard.press("Home")
    expect(page.locator("#step-says")).to_contain_text("depth 1:")
    expect(page.locator("#overlap")).to_contain_text("Chordata")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#step-says")).to_contain_text("depth 2:")
    expect(page.locator("#overlap")).to_contain_text("Mammalia")
    expect(page.locator("#step")).to_have_attribute("aria-valuetext", re.compile("depth 2"))
    counted = page.locator("#overlap td.cell:not(.none)").all_inner_texts()
    assert sum(int(cell.replace(",", "")) for cell in counted) == 101
    page.select_option("#series", "fowlkes_mallows")
    expect(page.locator("#step-says")).to_contain_text("Mallows")


def test_the_trees_open_close_and_tell(page):
    rows = page.locator("#trees .leaf")
    all_rows = rows.count()
    mammals = page.locator("#trees [role=treeitem][aria-label^='Mammalia']")
    mammals.locator(".dot").hover()
    expect(page.locator("#node-details")).to_contain_text("41 items")
    expect(page.locator("#node-details")).to_contain_text("Best match")
    mammals.locator(".dot").click()
    expect(page.locator("#trees [aria-label^='Mammalia']")).to_have_attribute("aria-expanded", "false")
    assert rows.count() < all_rows
    page.keyboard.press("Enter")  # the cluster keeps the focus
    expect(rows).to_have_count(all_rows)
    page.keyboard.press("f")
    expect(page.locator("#trees-says")).to_contain_text("Mammalia")
    assert rows.count() < all_rows
    page.keyboard.press("Escape")
    expect(rows).to_have_count(all_rows)
    drawing = page.locator("#trees svg")
    before = drawing.get_attribute("height")
    page.click("#zoom-in")
    expect(drawing).not_to_have_attribute("height", before)
    assert float(drawing.get_attribute("height")) > float(before)


def test_one_cluster_is_looked_at_alone_by_mouse_and_by_keyboard(page):
    says, all_rows = page.locator("#trees-says"), page.locator("#trees .leaf").count()
    insects = page.locator("#trees [role=treeitem][aria-label^='Insecta']")
    insects.locator(".dot").dblclick()  # the first click closes the cluster, so that the second meets another
    expect(says).to_contain_text("Looking at Insecta")
    page.click("#whole")
    expect(says).to_have_text("Every cluster is open.")
    insects.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("f")  # the closed cluster is gone from the picture, and keys still reach it
    expect(says).to_contain_text("Looking at Insecta")
    page.keyboard.press("Escape")
    expect(says).to_have_text("Every cluster is open.")
    expect(page.locator("#trees .leaf")).to_have_count(all_rows)


def test_tables_sort_search_and_open(animals, page):
    page.fill("#items-find", "scorp")
    expect(page.locator("#items tbody tr")).to_have_count(1)
    expect(page.locator("#items tbody")).to_contain_text("scorpion")
    page.click("#items tbody button")
    expect(page.locator("#trees .marked")).to_have_count(3)  # the link, and both names
    page.fill("#clusters-find", "Mammalia")
    expect(page.locator("#clusters tbody tr")).to_have_count(1)  # the list is shown anew, then it is clicked
    page.click("#clusters tbody .open >> text=Mammalia")
    detail = page.inner_text("#clusters .detail")
    row = next(i for i in range(len(animals.matches)) if animals.matches.size[i] == 41)
    assert all(name in detail for name in animals.matches.missing_items(row) + animals.matches.extra_items(row))
    assert page.get_attribute("#items th:nth-child(2)", "aria-sort") == "descending"
    shares = page.evaluate("async () => (await Report.unpack(Report.data.trees.moved)).reduce((x, y) => x + y, 0)")
    assert abs(shares - 1) < 1e-5


def test_hostile_labels_stay_text(tmp_path, opened):
    n = len(HOSTILE)
    rng = np.random.default_rng(0)
    first, second = (dm.from_linkage(linkage(rng.random((n, 3)), "average"), HOSTILE) for _ in range(2))
    nested = dm.from_parents(
        [4, 4, 4, 4, -1], [i % 4 for i in range(n)], item_names=HOSTILE, node_names=[*HOSTILE[:4], ""]
    )
    for i, (a, b) in enumerate(((first, second), (nested, first))):
        path = tmp_path / f"{i}.html"
        dm.report(dm.compare(a, b), path, names=(HOSTILE[0], HOSTILE[1]))
        page = opened(path)
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == page.evaluate("document.scripts.length")
        assert "alert(1)" in page.inner_text(".pair")
        assert "alert(1)" in page.inner_text("#items")
        assert page.evaluate("Report.data.names[0]") == HOSTILE[0]
        assert "escape\\x1b[31m" in page.inner_text("#items")
        assert "\u202e" not in page.inner_text("body")
        for key in ("ArrowDown", "ArrowRight", "Enter"):
            page.locator("#trees [tabindex='0']").first.press(key)


def test_paper_is_light_and_wide_enough(animals, tmp_path, opened):
    path = tmp_path / "report.html"
    dm.report(animals, path)
    page = opened(path, color_scheme="dark")
    assert page.evaluate("Report.theme().ink") == "#e6eaee"
    expect_to_fit_paper(page)
    assert page.evaluate("Report.theme().ink") == "#1c2126"
    expect(page.locator("#curves .main-svg").first).to_have_attribute("width", "690")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    page.wait_for_function("Report.theme().ink === '#e6eaee'")


def test_no_text_can_end_the_data(tmp_path):
    text = json_text(HOSTILE)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == HOSTILE


def test_the_longest_names_of_measures_leave_room_for_what_they_say(tmp_path, opened):
    a, b = (dm.generate.random_tree(8, rng=seed) for seed in (1, 2))
    names = sorted(dm.measures.TREE_MEASURES, key=len)[-3:]
    dm.report(dm.compare(a, b, measures=names), tmp_path / "long.html")
    page = opened(tmp_path / "long.html", viewport={"width": 1400, "height": 900})
    held, wide = page.eval_on_selector(".wide:has(#measures)", "e => [e.clientWidth, e.scrollWidth]")
    assert wide <= held


def test_three_items_and_fewer(tmp_path, opened):
    a, b = dm.from_newick("((ape:1,cat:1):2,owl:3);"), dm.from_newick("((ape:2,owl:2):1,cat:3);")
    for i, keep in enumerate((["ape"], ["ape", "owl"], ["ape", "cat", "owl"])):
        path = tmp_path / f"{i}.html"
        dm.report(dm.compare(a.restrict(keep), b.restrict(keep)), path)
        page = opened(path)
        assert page.locator("#trees .leaf").count() == 2 * len(keep)
        assert page.locator("#curves").count() == (len(keep) == 3)


def test_counts_without_names_say_so(tmp_path, opened):
    overlap = dm.Overlap.from_triples(
        [3, 3, 4, 4, -1], [2, 2, -1], [(0, 0, 600), (0, 1, 10), (1, 1, 390), (2, 0, 5), (3, 1, 2_000)]
    )
    path = tmp_path / "counts.html"
    dm.report(dm.comparison.compare_overlap(overlap), path)
    page = opened(path)
    assert "their names not kept" in page.inner_text("#where")
    assert "3,005" in page.inner_text(".figures")
    assert page.locator("#clusters tbody tr").count() > 0
    page.locator("#clusters .open").first.click()
    expect(page.locator("#clusters .detail")).to_contain_text("2,010 items, which the page does not list")
    page.fill("#step", "0")
    expect(page.locator("#overlap")).to_contain_text("2,400")


def test_five_thousand_items_are_collapsed_and_cut_as_stages_say(tmp_path, opened):
    a, b = alike_pair(5_000)
    result = dm.compare(a, b)
    path = tmp_path / "report.html"
    dm.report(result, path)
    assert path.stat().st_size < 10_000_000
    page = opened(path)
    assert page.locator("#trees .closed").count() > 10
    assert page.locator("#trees .part").count() < 200
    page.locator("#trees .closed .reach").first.click()
    expect(page.locator("#live")).to_contain_text("open")
    at = page.evaluate("Report.data.levels.at")
    ks = [at[i] for i in np.linspace(0, len(at) - 1, 7).astype(int)]
    counted = forest(
        page,
        f"""return {ks}.map((k) => {{
          const cuts = [f.a.cut({a.n_items} - k, true), f.b.cut({a.n_items} - k, true)];
          const label = [new Int32Array(f.n), new Int32Array(f.n)];
          cuts.forEach((cut, s) => cut.clusters.forEach((c, j) => {{
            for (let i = c.low; i < c.high; i++) label[s][(s ? f.b : f.a).unitAt(i)] = j;
          }}));
          const cells = new Map();
          label[0].forEach((x, u) => {{
            const key = `${{x}} ${{label[1][u]}}`;
            cells.set(key, (cells.get(key) || 0) + 1);
          }});
          const pairs = (sizes) => sizes.reduce((sum, m) => sum + (m * (m - 1)) / 2, 0);
          const inside = cuts.map((c) => pairs(c.clusters.map((x) => x.size)));
          return [...cuts.map((c) => c.groups), ...inside, pairs([...cells.values()])];
        }})""",
    )
    stages = result.stages
    for k, found in zip(ks, counted, strict=True):
        assert found == [k, k, stages.p[k - 2], stages.q[k - 2], stages.t[k - 2]]


def test_best_matches_and_what_they_lack(tmp_path, opened):
    a, b = alike_pair(60)
    result = dm.compare(a, b)
    path = tmp_path / "report.html"
    dm.report(result, path)
    page = opened(path, color_scheme="dark")
    told = forest(
        page,
        """return Array.from({length: f.a.n}, (_, v) => v).filter((v) => f.a.size(v) > 1).map((v) => {
          const names = (units) => units.map((u) => f.names[u]).sort();
          const apart = [false, true].map((extra) => names(f.apart(v, extra, 1e9)));
          return [f.a.size(v), f.b.size(f.match[v]), f.common[v], ...apart];
        })""",
    )
    matches = result.matches
    wanted = [
        [
            int(matches.size[i]),
            int(matches.match_size[i]),
            int(matches.common[i]),
            sorted(matches.missing_items(i)),
            sorted(matches.extra_items(i)),
        ]
        for i in range(len(matches))
        if matches.size[i] > 1
    ]
    assert sorted(told) == sorted(wanted)


@pytest.mark.slow
def test_a_hundred_thousand_items(tmp_path, opened):
    a, b = alike_pair(100_000)
    path = tmp_path / "report.html"
    dm.report(dm.compare(a, b), path)
    assert path.stat().st_size < 15_000_000
    page = opened(path)
    assert page.locator("#trees .closed").count() > 10
    page.locator("#trees .closed .reach").first.click()
    page.fill("#items-find", "item 99999")
    expect(page.locator("#items tbody tr")).to_have_count(1)
    page.fill("#step", "40")
    expect(page.locator("#step-says")).to_contain_text(f"At {page.evaluate('Report.data.levels.at[40]')} groups")
    assert "not tested" in page.inner_text("#alike")


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["star", "caterpillar"])
def test_trees_of_extreme_shape_do_not_freeze_the_page(tmp_path, opened, shape):
    n = 50_000
    names = [f"item {i}" for i in range(n)]
    star = dm.from_labels(names, item_names=names)
    chain = dm.from_linkage(
        np.column_stack([np.r_[0, np.arange(n, 2 * n - 2)], np.arange(1, n), np.arange(1, n), np.arange(2, n + 1)]),
        names,
    )
    path = tmp_path / "report.html"
    dm.report(dm.compare(*((star, chain) if shape == "star" else (chain, star))), path)
    page = opened(path)
    assert page.locator("#trees .part").count() < 300
    page.locator("#trees .rest").first.click()
    page.click("#open-more")
    assert page.locator("#trees .part").count() < 2_000


@pytest.mark.slow
def test_every_edge_tree_opens(tmp_path, browser):
    for name, tree in ZOO.items():
        flat = dm.from_labels([0] * tree.n_items, item_names=tree.items)
        for i, pair in enumerate(((tree, tree), (tree, flat), (flat, tree))):
            path = tmp_path / f"{name} {i}.html"
            compared = dm.compare(*pair)
            dm.report(compared, path)
            with watched(browser) as call:
                page = call(path)
                if compared.partition is not None:  # both are groups: tables, and no trees
                    assert page.locator("#trees").count() == 0
                    assert page.locator("#where-heading").is_visible()
                    continue
                page.click("#close-all")
                page.click("#open-more", force=True)
                assert page.locator("#trees [role=treeitem]").count() >= 2
