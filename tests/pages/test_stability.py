"""The page of a stability as text: its verdicts, its tables, and names that are not markup."""

import re

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.pages.stability import stability_page
from dendrometry.resampling import MULTISCALE, Resampling, stability_of_trees

POINTS = np.repeat([[0, 0], [9, 0], [0, 9]], 10, axis=0) + np.random.default_rng(0).normal(size=(30, 2))


def text_of(page):
    return re.sub(r"<(script|style).*?</\1>|<img[^>]*>", "", page.html(), flags=re.DOTALL)


def test_it_says_that_there_are_clusters_how_many_and_which():
    page = stability_page(dm.stability(POINTS, n_replicates=10))
    text = text_of(page)
    assert "3 clusters are most stable: replicates agree by 1.00" in text
    assert "(p = 0.025 from 39 reference sets)" in text
    assert "No procedure proves a number of clusters" in text
    assert re.search(r"<td>10</td><td>1.00 ± 0.00</td><td>1.00 ± 0.00</td><td>yes</td>", text)
    assert '<td class="members">' in text  # which has several lines on a wide screen
    assert "With 3 clusters, 0 items of 30 are with less than half" in text
    assert page.html().count("<img ") == 3


def test_it_says_that_there_are_none():
    flat = dm.stability(np.random.default_rng(5).normal(size=(30, 3)), n_replicates=6, n_references=5)
    assert "stability gives no evidence of clusters" in text_of(stability_page(flat))


def test_trees_without_heights_and_scales_have_a_page():
    tree = dm.from_newick("((a,b),(c,'<script>d'));")
    text = text_of(stability_page(stability_of_trees(tree, [tree, tree])))
    assert "The replicates have no heights, or share too few items" in text
    assert "&lt;script&gt;d" in text
    points = np.random.default_rng(0).normal(size=(8, 6))
    plan = Resampling("columns", scales=MULTISCALE)
    found = dm.stability(points, resample=plan, n_replicates=2, n_references=0)
    assert "approximately unbiased" in text_of(stability_page(found))


def test_the_report_writes_it(tmp_path):
    found = dm.stability(POINTS, n_replicates=6, n_references=2)
    dm.report(found, tmp_path / "page.html")
    assert "How stable is the tree?" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert stability_page(found).html() == stability_page(found).html()
    with pytest.raises(dm.errors.InvalidInputError, match="names are for a comparison"):
        dm.report(found, tmp_path / "other.html", names=("a", "b"))
