"""``dendrometry splits``."""

import json

import numpy as np
import pandas as pd
import pytest

from dendrometry import agglomerate, read, to_newick
from dendrometry.significance import splits

X = (np.repeat([[0, 0], [9, 0], [0, 9]], 12, axis=0) + np.random.default_rng(0).normal(size=(36, 2))).round(3)
NAMES = [f"i{i}" for i in range(36)]


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    pd.DataFrame(X, columns=["x", "y"], index=pd.Index(NAMES, name="name")).to_csv(path)
    return path


def test_prints_the_splits_the_words_and_the_groups(run, points):
    code, out, err = run("splits", points)
    assert (code, err) == (0, "")
    found = splits(pd.DataFrame(X, index=NAMES))
    table, verdict, groups, methods = out.strip().split("\n\n")
    head, _, *rows = table.splitlines()
    assert head.split() == ["items", "sides", "p", "adjusted", "p", "two", "groups", "first", "item"]
    assert rows[0].split()[:7] == ["36", "12", "+", "24", "0.005", "0.005", "yes"]
    assert len(rows) == found.tested.sum()
    assert (verdict, methods) == (found.verdict, f"For a methods section: {found.methods}")
    assert groups == "3 parts, of 12, 12 and 12 items."


def test_options_are_those_of_the_function(run, points):
    options = {"linkage": "average", "metric": "cosine", "reference": "normal", "alpha": 0.2, "max_depth": 1}
    given = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    code, out, err = run("splits", points, *given, "--references", 49, "--seed", 3, "--json")
    assert (code, err) == (0, "")
    expected = splits(X, n_references=49, rng=3, **options)
    found = json.loads(out)
    assert {row["node"]: row["p_value"] for row in found["splits"]} == dict(
        zip(expected.columns()["node"], expected.columns()["p_value"], strict=True)
    )
    assert [found[name] for name in ("linkage", "metric", "reference", "alpha")] == list(options.values())[:4]
    assert sorted(item for cluster in found["clusters"] for item in cluster["items"]) == sorted(NAMES)


def test_a_given_tree_is_tested_by_the_names_of_its_items(run, points, tmp_path):
    tree = agglomerate(X[::-1], linkage="complete", item_names=NAMES[::-1]).hierarchy
    (tmp_path / "tree.nwk").write_text(to_newick(tree), encoding="utf-8")
    code, out, err = run("splits", points, "--tree", tmp_path / "tree.nwk", "--linkage", "complete", "--json")
    assert (code, err) == (0, "")
    own = read(tmp_path / "tree.nwk")
    expected = splits(pd.DataFrame(X, index=NAMES), own, linkage="complete")
    assert {row["node"]: row["adjusted"] for row in json.loads(out)["splits"]} == {
        v: expected.adjusted[v] for v in np.flatnonzero(expected.tested).tolist()
    }


def test_files_are_written_and_clusters_beside_them(run, points, tmp_path):
    for ending in ("html", "csv", "png", "md"):
        target, clusters = tmp_path / f"out.{ending}", tmp_path / f"clusters-{ending}.csv"
        assert run("splits", points, "--out", target, "--clusters", clusters)[:2] == (0, "")
        assert read(clusters).n_items == 36
        assert len(read(clusters).children.node) == 3
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert "Which splits of the tree are real?" in (tmp_path / "out.html").read_text(encoding="utf-8")
    frame = pd.read_csv(tmp_path / "out.csv")
    assert frame["size"].is_monotonic_decreasing
    assert (frame["first_side"] + frame["second_side"]).tolist() == frame["size"].tolist()
    code, _, err = run("splits", points, "--out", tmp_path / "out.csv")
    assert (code, "exists (--force replaces it)" in err) == (2, True)
    code, _, err = run("splits", points, "--clusters", tmp_path / "clusters.foo")
    assert (code, err.startswith("dendrometry: --clusters must end in")) == (2, True)


def test_points_without_groups_are_one_group(run, tmp_path):
    path = tmp_path / "flat.csv"
    pd.DataFrame(np.random.default_rng(1).normal(size=(40, 2)), columns=["x", "y"]).to_csv(path, index=False)
    code, out, _ = run("splits", path)
    assert code == 0
    assert "No split is shown to be of two groups: one part of 40 items." in out


def test_a_reference_without_shapes_is_not_said_to_show_groups(run, points):
    _, out, _ = run("splits", points, "--reference", "normal")
    assert "adjusted p   rejected   first item" in out
    assert "shown to be not of normal data" in out


def test_what_cannot_be_tested_is_refused(run, points, tmp_path):
    distances = tmp_path / "distances.csv"
    square = np.abs(X[:, None] - X[None, :]).sum(axis=2)
    pd.DataFrame(square, index=NAMES, columns=NAMES).to_csv(distances)
    labels = tmp_path / "labels.csv"
    pd.DataFrame({"item": NAMES, "label": ["a"] * 36}).to_csv(labels, index=False)
    few = tmp_path / "few.csv"
    pd.DataFrame(X[:6]).to_csv(few)
    other = tmp_path / "other.nwk"
    other.write_text("((a,b),c);", encoding="utf-8")
    for arguments, message in (
        ((distances,), "must hold measurements of its items; it is a table of distances"),
        ((labels,), "must be a number; got a"),
        ((few,), "there must be at least 10 points, for two groups; got 6"),
        ((points, "--tree", other), "the tree and the points"),
        ((points, "--linkage", "centroid"), "--linkage must be 'ward', 'average', 'complete' or 'single'"),
        ((points, "--metric", "cityblock"), "--metric must be 'euclidean' or 'cosine'"),
        ((points, "--reference", "x"), "--reference must be"),
        ((points, "--references", 3), "--references must be a whole number from 19 on; got 3"),
        ((points, "--max-depth", 0), "--max-depth must be a whole number from 1 on"),
        ((points, "--alpha", 1), "--alpha must be a number, above 0 and below 1"),
    ):
        code, out, err = run("splits", *arguments)
        assert (code, out) == (2, ""), arguments
        assert message in err
