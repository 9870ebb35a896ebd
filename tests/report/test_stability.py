"""The page of a stability as text: its verdicts, its tables, and names that are not markup."""

import base64
import re

import numpy as np
import pandas as pd
import pytest

import dendrometry as dm
from dendrometry import plot
from dendrometry.report.stability import stability_page
from dendrometry.resampling import MULTISCALE, Agreement, Resampling, stability_of_trees
from dendrometry.resampling.words import agreement_sentence, clusters_sentence
from tests.report.conftest import expect_to_fit_paper, expect_width
from tests.report.test_browser import HOSTILE

POINTS = np.repeat([[0, 0], [9, 0], [0, 9]], 10, axis=0) + np.random.default_rng(0).normal(size=(30, 2))


def text_of(page):
    return re.sub(r"<(script|style).*?</\1>|<img[^>]*>", "", page.html(), flags=re.DOTALL)


@pytest.mark.further
def test_it_says_that_there_are_clusters_how_many_and_which():
    page = stability_page(dm.stability(POINTS, n_replicates=30))
    text = text_of(page)
    assert "3 clusters are most stable: replicates agree by 1.00" in text
    assert "(p = 0.025 from 39 reference sets)" in text
    assert "No procedure proves a number of clusters" in text
    assert "All 3 clusters are stable: the mean best Jaccard indices are 1.00, and 0.75 or more is stable." in text
    assert "which of the 3" in text
    assert "The numbers at the branches are the mean best Jaccard index in percent" in text
    listed = re.findall(r"<tr><td>(\d+)</td><td>(\d?)</td>", text.partition("which of the 3")[2])
    assert [size for size, _ in listed[:4]] == ["10", "10", "10", "20"]  # the chosen ones first, then the largest
    assert sorted(number for _, number in listed[:4]) == ["", "1", "2", "3"]
    assert '<td class="members">' in text  # which has several lines on a wide screen
    assert "With 3 clusters, 0 items of 30 are with less than half" in text
    assert page.html().count("<img ") == 3


def test_it_says_that_there_are_none():
    flat = dm.stability(np.random.default_rng(5).normal(size=(30, 3)), n_replicates=6, n_references=19)
    text = text_of(stability_page(flat))
    assert "stability gives no evidence of clusters" in text
    assert "In data without clusters, some groups come back too" in text
    assert "No number of clusters stands out. With 2 clusters" in text
    assert "which of the" not in text


def test_it_says_how_many_of_the_clusters_are_stable():
    tree = dm.from_newick("((a:1,b:1,c:1):1,(d:1,e:1,f:1):1);")
    moved = dm.from_newick("((a:1,d:1,c:1):1,(b:1,e:1,f:1):1);")
    assert clusters_sentence(stability_of_trees(tree, [tree, tree], max_clusters=2)).startswith("Both clusters are")
    found = stability_of_trees(tree, [tree, moved, moved], max_clusters=2)
    assert clusters_sentence(found).startswith(
        "0 of the 2 clusters are stable: the mean best Jaccard indices are 0.67,"
    )


def test_it_says_if_reference_sets_are_too_few():
    values = np.full((6, 2), 0.9)
    few = Agreement(np.array([2, 3]), values, np.linspace(0.1, 0.5, 10).reshape(5, 2), values[0])
    assert "5 reference sets, normal data of the same covariance. The p-value is (1 + r) / (1 + 5)" in few.methods
    assert agreement_sentence(few).startswith("Replicates agree better than those of all 5 reference sets, normal")
    assert agreement_sentence(few).endswith("which are too few to tell at the level 0.05 (p = 0.17): draw 19 or more.")
    assert plot.stability_curve(few).get_title(loc="right") == "too few reference sets to tell"
    assert few.choose(0.2).n_clusters == 2
    assert not few.is_undecided(0.2)


def test_trees_without_heights_and_scales_have_a_page():
    tree = dm.from_newick("((a,b),(c,'<script>d'));")
    text = text_of(stability_page(stability_of_trees(tree, [tree, tree])))
    assert "The replicates have no heights, or share too few items" in text
    assert "&lt;script&gt;d" in text
    split = dm.from_newick("((a:1,b:1):1,(c:1,d:1):1,(e:1,f:1):1);")  # which cannot be cut into two
    text = text_of(stability_page(stability_of_trees(split, [split, split])))
    assert "3 disjoint clusters with a mean best Jaccard index of at least 0.75 hold 6 of 6 items." in text
    assert "cannot be cut into every number of clusters" in text
    points = np.random.default_rng(0).normal(size=(8, 6))
    plan = Resampling("columns", scales=MULTISCALE)
    found = dm.stability(points, resample=plan, n_replicates=2, n_references=0)
    assert "approximately unbiased" in text_of(stability_page(found))


@pytest.mark.further
def test_the_report_writes_it(tmp_path):
    found = dm.stability(POINTS, n_replicates=6, n_references=2)
    dm.report(found, tmp_path / "page.html")
    assert "How stable is the tree?" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert stability_page(found).html() == stability_page(found).html()
    with pytest.raises(dm.errors.InvalidInputError, match="names are for a comparison"):
        dm.report(found, tmp_path / "other.html", names=("a", "b"))


@pytest.mark.compiled  # once is enough: the page is the same without compilation
@pytest.mark.filterwarnings("ignore:Glyph")  # matplotlib's font lacks some letters, a browser finds others
def test_it_fits_a_narrow_screen_and_paper_with_any_names(tmp_path, browser):
    names = [*HOSTILE, *(f"item {i}" for i in range(30 - len(HOSTILE)))]
    path = tmp_path / "page.html"
    dm.report(dm.stability(pd.DataFrame(POINTS, index=names), n_replicates=6, n_references=2), path)
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page.goto(path.as_uri())
    expect_width(page, 390)
    sources = [image.get_attribute("src") for image in page.locator("img").all()]
    assert len(sources) == 3
    assert ">שלום עולם" in base64.b64decode(sources[1].partition(",")[2]).decode()
    assert page.locator(".drawn").first.evaluate("(drawing) => drawing.clientWidth") > 390  # it scrolls by itself
    assert "</script><script>alert(1)</script>" in page.inner_text("#clusters")
    expect_to_fit_paper(page)
    page.close()
