"""What must hold of a new measure; run by test_registry.py in a copy of the project that has two more."""

import os
import runpy
import sys
from pathlib import Path

import pytest

import dendrometry as dm
from dendrometry.cli import main

DOCS = Path(__file__).parents[3] / "docs"
TREES = ("(((ape:1,cat:1):1,elk:2):1,owl:3);", "((ape:1,cat:1):2,(elk:2,owl:2):1);")
LABELS = ("item,label\nape,1\ncat,1\nelk,2\nowl,2\n", "item,label\nape,1\ncat,2\nelk,3\nowl,3\n")


@pytest.fixture
def run(monkeypatch, capsys):
    """What the command line prints."""

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["dendrometry", *map(os.fspath, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        told = capsys.readouterr()
        assert end.value.code == 0, told.err
        return told.out

    return command


@pytest.fixture
def trees(tmp_path):
    return written(tmp_path, TREES, "nwk")


@pytest.fixture
def clusterings(tmp_path):
    return written(tmp_path, LABELS, "csv")


def written(folder, texts, ending):
    paths = [folder / f"{name}.{ending}" for name in "ab"]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_same_pairs_and_same_share_are_in_the_tables_of_the_docs():
    runpy.run_path(str(DOCS / "_make" / "registry.py"), run_name="__main__")
    text = (DOCS / "measures.md").read_text(encoding="utf-8")
    assert "A dummy of a measure." in text
    assert "A dummy of a share." in text
    for name in ("same_pairs", "same_share"):
        assert f"[`{name}`](measures.md#{name})" in text


def test_same_pairs_and_same_share_are_listed(run):
    listed = run("measures")
    assert "same_pairs" in listed
    assert "same_share" in listed


def test_same_pairs_is_on_the_command_line_and_in_the_report(trees, tmp_path, run):
    page = tmp_path / "report.html"
    told = run("compare", *trees, "--report", page)
    assert "same_pairs: A dummy of a measure: 0.875" in told
    assert "same_pairs" in page.read_text(encoding="utf-8")


def test_same_pairs_says_its_variant_and_locates_clusters_and_items(trees):
    result = dm.compare(*map(dm.read, trees), names=("traits", "genes"), measures=["same_pairs"])
    assert "pairs of same_pairs: 4 items of genes" in str(result)
    assert "most disagreement about: elk" in str(result)
    assert "clusters" in result.verdict
    assert "pairs of same_pairs" not in str(dm.compare(*map(dm.read, trees), measures=["hierarchy_agreement"]))


def test_same_pairs_has_a_value_and_a_p_value(trees):
    a, b = map(dm.read, trees)
    assert dm.measures.same_pairs(a, b) == 0.875
    tests = [dm.permutation_test(a, b, name, 19, rng=0) for name in ("same_pairs", "hierarchy_agreement")]
    assert tests[0].p_value == tests[1].p_value


def test_same_share_is_on_the_command_line_and_in_the_report(clusterings, tmp_path, run):
    page = tmp_path / "report.html"
    told = run("compare", *clusterings, "--report", page)
    assert "same_share: A dummy of a share: 0.8333" in told
    assert "same_share" in page.read_text(encoding="utf-8")
    assert "Same share" in page.read_text(encoding="utf-8")


def test_same_share_has_a_value_a_p_value_and_a_decomposition(clusterings):
    result = dm.compare(*map(dm.read, clusterings))
    tests = result.test().chance
    assert result["same_share"].value == pytest.approx(5 / 6)
    assert tests.p_value["same_share"] == tests.p_value["rand"]
    parts = [dm.partition.decompose(result.partition.table, measure=name) for name in ("same_share", "rand")]
    assert parts[0].value == parts[1].value
    assert parts[0].loss.tolist() == parts[1].loss.tolist()


def test_same_share_has_a_profile(trees):
    a, b = map(dm.read, trees)
    assert dm.levels.profile(a, b, "same_share").value.tolist() == dm.levels.profile(a, b, "rand").value.tolist()
