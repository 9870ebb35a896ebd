"""The page of clusterings at several resolutions: its verdict, its tables, and names that are not markup."""

import re

import numpy as np
import pytest
from sklearn.cluster import KMeans

import dendrometry as dm
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.partition import resolutions
from dendrometry.report.resolutions import resolutions_page
from tests.report.conftest import expect_to_fit_paper, expect_width

X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
LEVELS = {f"k{k}": KMeans(k, n_init=5, random_state=0).fit_predict(X) for k in range(2, 8)}
KIND = np.repeat(["<b>ape", "bat", "cat"], 20)


def text_of(page):
    return re.sub(r"<(script|style).*?</\1>|<img[^>]*>", "", page.html(), flags=re.DOTALL)


def test_it_says_which_level_stands_out_and_why():
    page = resolutions_page(resolutions(LEVELS))
    text = text_of(page)
    assert "Level k3 with 3 clusters stands out" in text
    assert ">k3</bdi></td><td>3</td><td>1.00</td>" in text
    assert text.count("<td>yes</td>") == 1
    assert page.html().count("<img ") == 2
    assert "Red ribbons are items from elsewhere" in text
    assert resolutions_page(resolutions(LEVELS), KIND).html().count("Ribbons have the colours of the labels") == 2


def test_one_level_and_nested_levels_have_a_page():
    text = text_of(resolutions_page(resolutions({"<script>a": [0, 0, 1]})))
    assert "No level can be judged" in text
    assert "The levels are nested." in text
    assert "&lt;script&gt;a" in text


def test_the_report_writes_it_and_labels_are_for_it_alone(tmp_path):
    found = resolutions(LEVELS)
    dm.report(found, tmp_path / "page.html", labels=KIND)
    assert "Which resolution?" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ItemMismatchError, match="labels must be as many as the items, 60; got 2"):
        dm.report(found, tmp_path / "other.html", labels=["a", "b"])
    tree = dm.from_newick("((a,b),c);")
    with pytest.raises(InvalidInputError, match="labels are for resolutions"):
        dm.report(dm.compare(tree, tree), tmp_path / "other.html", labels=["a", "b", "c"])


@pytest.mark.compiled  # once is enough: the page is the same without compilation
def test_it_fits_a_narrow_screen_and_paper(tmp_path, browser):
    path = tmp_path / "page.html"
    dm.report(resolutions(LEVELS), path, labels=KIND)
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    expect_width(page, 390)
    assert "stands out" in page.inner_text("#which")
    expect_to_fit_paper(page)
    page.close()
