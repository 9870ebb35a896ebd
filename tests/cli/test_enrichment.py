"""``dendrometry enrichment``, and the clusters that ``dendrometry compare --nodes`` writes."""

import csv
import json

import pytest

from dendrometry import from_newick
from dendrometry.significance import enrichment, recurrence

TREE = "((ape,bat,cow,dog,elk,fox),(gull,hawk,ibis,jay,kite,lark)birds);"
OTHER = "((ape,bat,cow,dog,elk),((gull,hawk,ibis,jay,kite,lark),fox));"
BIRDS = ("gull", "hawk", "ibis", "jay", "kite")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "tree.nwk").write_text(TREE, encoding="utf-8")
    (tmp_path / "other.nwk").write_text(OTHER, encoding="utf-8")
    rows = [f"{item},{'bird' if item in BIRDS else 'mammal'}" for item in from_newick(TREE).items if item != "lark"]
    (tmp_path / "labels.csv").write_text("\n".join(["item,class", *rows]), encoding="utf-8")
    return tmp_path / "tree.nwk", tmp_path / "labels.csv"


def labels():
    return {item: "bird" if item in BIRDS else "mammal" for item in from_newick(TREE).items if item != "lark"}


def test_prints_the_peaks_and_leaves_out_items_without_a_label(run, files):
    code, out, _ = run("enrichment", *files)
    expected = enrichment(from_newick(TREE), labels())
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[2:4]] == ["bird", "mammal"]
    assert out.splitlines()[2].split() == ["bird", "birds", "5", "of", "5", "5", "2.27", "0.0087"]
    assert repr(expected) in out
    assert expected.methods in out


def test_prints_and_writes_all_rows(run, files, tmp_path):
    expected = enrichment(from_newick(TREE), labels())
    content = json.loads(run("enrichment", *files, "--json")[1])
    assert content["n_tests"] == expected.n_tests
    assert [row["adjusted"] for row in content["nodes"]] == expected.adjusted.tolist()
    assert run("enrichment", *files, "--out", tmp_path / "out.csv")[0] == 0
    with open(tmp_path / "out.csv", encoding="utf-8", newline="") as file:
        assert [row["class"] for row in csv.DictReader(file)] == expected.columns()["class"]


def test_refuses_a_level_of_0(run, files):
    code, _, err = run("enrichment", *files, "--alpha", 0)
    assert code == 2
    assert "--alpha must be a number, above 0 and at most 1; got 0" in err


def test_compare_writes_the_clusters_that_recur(run, files, tmp_path):
    tree, _ = files
    code, _, err = run("compare", tree, tmp_path / "other.nwk", "--nodes", tmp_path / "nodes.csv")
    expected = recurrence(from_newick(TREE), from_newick(OTHER))
    assert code == 0
    assert "2 of 2 clusters of tree.nwk recur more closely than by chance (family-wise error 0.05)" in err
    with open(tmp_path / "nodes.csv", encoding="utf-8", newline="") as file:
        assert [float(row["adjusted"]) for row in csv.DictReader(file)] == expected.adjusted.tolist()
    assert run("compare", tree, tmp_path / "other.nwk", "--nodes", tmp_path / "nodes.json")[0] == 0
    assert json.loads((tmp_path / "nodes.json").read_text(encoding="utf-8"))["methods"] == expected.methods
