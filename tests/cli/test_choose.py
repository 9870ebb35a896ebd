"""``dendrometry choose``."""

import json

import numpy as np
import pytest

from dendrometry import agglomerate, to_newick
from dendrometry.quality import gap_statistic, score_cuts

X = (np.repeat([[0, 0], [9, 0], [0, 9]], 8, axis=0) + np.random.default_rng(0).normal(size=(24, 2))).round(3)
NAMES = [f"i{i}" for i in range(24)]


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    rows = [",".join([name, *map(repr, row)]) for name, row in zip(NAMES, X.tolist(), strict=True)]
    path.write_text("\n".join(["item,x,y", *rows]), encoding="utf-8")
    return path


def test_prints_a_row_for_each_number_of_clusters_and_the_best(run, points):
    code, out, err = run("choose", points, "--max-clusters", 6, "--references", 5)
    assert (code, err) == (0, "")
    head, _, *rows = out.split("\n\n")[0].splitlines()
    assert head.split()[:3] == ["clusters", "within_squares", "calinski_harabasz"]
    tree = agglomerate(X).hierarchy
    expected = score_cuts(tree, X, max_clusters=6)
    gap = gap_statistic(X, lambda points: agglomerate(points).hierarchy, max_clusters=6, n_references=5)
    assert [int(row.split()[0]) for row in rows] == [2, 3, 4, 5, 6]
    assert [float(row.split()[4]) for row in rows] == pytest.approx(expected.simplified_silhouette, rel=1e-3)
    assert [float(row.split()[5]) for row in rows] == pytest.approx(gap.gap[1:], rel=1e-3)
    assert out.endswith(
        "best number of clusters: 3 by calinski_harabasz, 3 by davies_bouldin, 3 by simplified_silhouette, 3 by gap\n"
        "ward with 3 clusters is recommended, as all 4 rules say. No rule proves a number of"
        " clusters.\n"
    )


def test_without_reference_sets_nothing_is_recommended(run, tmp_path):
    rows = np.random.default_rng(0).normal(size=(20, 2)).round(3).tolist()
    (tmp_path / "cloud.csv").write_text("x,y\n" + "\n".join(f"{x},{y}" for x, y in rows))
    out = run("choose", tmp_path / "cloud.csv", "--references", 0)[1]
    assert out.endswith("The indices disagree, and without reference sets none of these numbers is recommended.\n")


def test_cuts_a_given_tree_whose_items_are_matched_by_name(run, points, tmp_path):
    tree = agglomerate(X[::-1], linkage="average", item_names=NAMES[::-1]).hierarchy
    (tmp_path / "tree.nwk").write_text(to_newick(tree), encoding="utf-8")
    options = ("--tree", tmp_path / "tree.nwk", "--max-clusters", 5, "--json")
    code, out, err = run("choose", points, *options)
    assert (code, err) == (0, "")
    expected = score_cuts(tree, X[::-1], max_clusters=5)
    assert [cut["davies_bouldin"] for cut in json.loads(out)["cuts"]] == pytest.approx(expected.davies_bouldin)
    code, _, err = run("choose", points, *options, "--references", 5)
    assert (code, err) == (2, "dendrometry: --references builds trees of other points, and must be 0 with --tree\n")


def test_marks_ties_and_writes_infinite_scores_as_null(run, tmp_path):
    path = tmp_path / "equal.csv"
    path.write_text("x\n0\n0\n4\n4\n9\n", encoding="utf-8")
    code, out, _ = run("choose", path, "--linkage", "single")
    assert code == 0
    assert "4 * " in out
    assert out.endswith("* a tie decides which merges this cut undoes\n")
    cuts = json.loads(run("choose", path, "--linkage", "single", "--json")[1])["cuts"]
    assert [cut["calinski_harabasz"] is None for cut in cuts] == [False, True, True]
    assert [cut["is_reached"] for cut in cuts] == [True, True, False]


def test_writes_tables_and_pictures(run, points, tmp_path):
    for ending in ("csv", "json", "png"):
        assert run("choose", points, "--out", tmp_path / f"scores.{ending}")[0] == 0
    head = (tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()[0]
    names = "calinski_harabasz,davies_bouldin,simplified_silhouette,gap,gap_standard_error"
    assert head == f"n_clusters,is_reached,within_squares,{names}"
    assert json.loads((tmp_path / "scores.json").read_text())["recommended"] == 3
    assert json.loads((tmp_path / "scores.json").read_text())["best"]["davies_bouldin"] == 3


def test_names_the_option_of_a_bad_number(run, points):
    code, _, err = run("choose", points, "--max-clusters", 1)
    assert (code, err) == (2, "dendrometry: --max-clusters must be a whole number from 2 on; got 1\n")


def test_tested_splits_are_named_beside_the_indices(run, points, tmp_path):
    code, out, err = run("choose", points, "--splits", "--references", 0, "--max-clusters", 4)
    assert (code, err) == (0, "")
    assert "3 by simplified_silhouette, 3 by splits\ntested splits: 3 parts, of 8, 8 and 8 items." in out
    tree = agglomerate(X[::-1], linkage="average", item_names=NAMES[::-1]).hierarchy
    (tmp_path / "tree.nwk").write_text(to_newick(tree), encoding="utf-8")
    options = ("--splits", "--tree", tmp_path / "tree.nwk", "--linkage", "average", "--json")
    assert json.loads(run("choose", points, *options)[1])["best"]["splits"] == 3
    assert "--linkage must be 'ward', 'average'" in run("choose", points, "--splits", "--linkage", "centroid")[2]
