"""The page of splits: what was found, the tree with its p-values, the groups, and how they were tested."""

import base64
import re

import numpy as np
import pandas as pd
import pytest

import dendrometry as dm
from dendrometry.report.splits import splits_page
from dendrometry.significance import splits
from tests.report.conftest import expect_to_fit_paper, expect_width
from tests.report.test_browser import HOSTILE

POINTS = np.repeat([[0, 0], [9, 0], [0, 9]], 15, axis=0) + np.random.default_rng(0).normal(size=(45, 2))


def text_of(page):
    return re.sub(r"<(script|style).*?</\1>|<img[^>]*>", "", page.html(), flags=re.DOTALL)


def drawing_of(page):
    (data,) = re.findall(r"data:image/svg\+xml;base64,([^\"]*)", page.html())
    return base64.b64decode(data).decode()


def test_it_says_which_splits_are_real_and_which_groups_there_are():
    found = splits(np.vstack([POINTS, [[70.0, 70.0]]]))
    page = splits_page(found)
    text = text_of(page)
    assert f"At the level 0.05, 2 of {found.tested.sum()} tested splits are shown to be of two groups" in text
    assert "A split that is not named may still be of two groups" in text
    rows = re.findall(r"<tr><td>(\d+)</td><td>(\d+ \+ \d+)</td><td>([^<]*)</td><td>([^<]*)</td><td>(yes)?</td>", text)
    assert len(rows) == found.tested.sum()
    assert [row[0] for row in rows[:2]] == ["45", "30"]
    assert [row[4] for row in rows] == ["yes", "yes"] + [""] * (len(rows) - 2)
    assert "3 parts, of 15, 15 and 15 items; no tested split sets 1 item apart." in text
    assert [name in text for name in ("part 1", "part 3", "part 4", "not tested")] == [True, True, False, True]
    assert found.methods in text
    assert found.null in text
    drawn = drawing_of(page)
    for shown in ("adjusted p ≤ 0.05", "adjusted p &gt; 0.05", ">0.005<", "part 2", "not tested"):
        assert shown in drawn, shown


def test_it_says_that_there_are_none_and_that_nothing_could_be_tested():
    flat = splits_page(splits(np.random.default_rng(1).normal(size=(40, 2))))
    assert "No split is shown to be of two groups: one part of 40 items." in text_of(flat)
    chain = dm.from_newick("(" * 11 + "a" + "".join(f",b{i})" for i in range(11)) + ";")
    untested = splits(np.random.default_rng(0).normal(size=(12, 2)), chain, linkage="single")
    text = text_of(splits_page(untested))
    assert "No split has enough items on both sides to be tested." in text
    assert "decided by" not in text
    assert "No split is shown to be of two groups: one part of 12 items." in text


def test_it_claims_no_groups_where_no_error_is_held_for_them():
    text = text_of(splits_page(splits(POINTS, reference="normal")))
    assert "2 of 5 tested splits are shown to be not of normal data of the same mean and shrunken covariance" in text
    assert "A full dot is a split not of normal data" in text
    assert re.search(r"<th[^>]*>adjusted p</th><th[^>]*>rejected</th>", text)


def test_the_report_writes_it(tmp_path):
    found = splits(POINTS)
    dm.report(found, tmp_path / "page.html")
    assert "Which splits of the tree are real?" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert splits_page(found).html() == splits_page(found).html()
    with pytest.raises(dm.errors.InvalidInputError, match="names are for a comparison; a Splits has its own"):
        dm.report(found, tmp_path / "other.html", names=("a", "b"))


@pytest.mark.compiled  # once is enough: the page is the same without compilation
@pytest.mark.filterwarnings("ignore:Glyph")  # matplotlib's font lacks some letters, a browser finds others
def test_it_fits_a_narrow_screen_and_paper_with_any_names(tmp_path, browser):
    names = [*HOSTILE, *(f"item {i}" for i in range(len(POINTS) - len(HOSTILE)))]
    path = tmp_path / "page.html"
    dm.report(splits(pd.DataFrame(POINTS, index=names)), path)
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page.goto(path.as_uri())
    expect_width(page, 390)
    assert page.locator(".drawn").first.evaluate("(drawing) => drawing.clientWidth") > 390  # it scrolls by itself
    assert "</script><script>alert(1)</script>" in page.inner_text("#groups")
    expect_to_fit_paper(page)
    page.close()
