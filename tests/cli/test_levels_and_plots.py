"""``dendrometry stages`` and ``dendrometry plot``."""

import csv
import json

import pytest

import dendrometry as dm

A, B = "(((ape:1,cat:1):1,elk:2):1,owl:3);", "((ape:1,cat:1):2,(elk:2,owl:2):1);"


@pytest.fixture
def trees(tmp_path):
    for name, text in (("a", A), ("b", B)):
        (tmp_path / f"{name}.nwk").write_text(text)
    return [str(tmp_path / "a.nwk"), str(tmp_path / "b.nwk")]


def test_stages_are_a_table_a_file_and_json(run, trees, tmp_path):
    found = dm.stages(*map(dm.read, trees))
    code, out, err = run("stages", *trees)
    assert (code, err) == (0, "")
    assert out.splitlines()[2].split()[:2] == ["2", f"{found.adjusted_rand[0]:.4g}"]
    assert f"overall_distance {found.distance:.6g}, by chance {found.expected_distance:.6g}" in out
    assert "1 finer cuts not shown" in run("stages", *trees, "--max-clusters", "2")[1]
    content = json.loads(run("stages", *trees, "--json")[1])
    assert [stage["clusters"] for stage in content["stages"]] == found.n_clusters.tolist()
    assert [stage["z"] for stage in content["stages"]] == found.z.tolist()
    run("stages", *trees, "--out", tmp_path / "s.csv")
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [float(row["adjusted_rand"]) for row in rows] == found.adjusted_rand.tolist()


@pytest.mark.parametrize("kind", ["tanglegram", "matches", "item_disagreement", "stage_curves"])
def test_two_trees_are_drawn(run, trees, tmp_path, kind):
    out = tmp_path / "picture.png"
    assert run("plot", kind, *trees, "--out", out) == (0, "", f"wrote {out}\n")
    assert out.read_bytes().startswith(b"\x89PNG")


def test_one_tree_and_flat_clusterings_are_drawn(run, trees, tmp_path):
    assert run("plot", "dendrogram", trees[0], "--top", "2", "--out", tmp_path / "d.svg")[0] == 0
    assert run("plot", "icicle", trees[0], "--out", tmp_path / "i.pdf")[0] == 0
    for name, labels in (("x", "0011"), ("y", "0111")):
        rows = "".join(f"{item},{label}\n" for item, label in zip("abcd", labels, strict=True))
        (tmp_path / f"{name}.csv").write_text("item,label\n" + rows)
    flat = [tmp_path / "x.csv", tmp_path / "y.csv"]
    assert run("plot", "split_merge_flow", *flat, "--out", tmp_path / "f.png")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tanglegram", "a.nwk", "--out", "x.png"), "tanglegram takes 2 trees; got 1"),
        (("dendrogram", "a.nwk", "b.nwk", "--out", "x.png"), "dendrogram takes 1 tree; got 2"),
        (
            ("matches", "a.nwk", "b.nwk", "--top", "3", "--out", "x.png"),
            "--top is for dendrogram and icicle; got matches",
        ),
        (("dendogram", "a.nwk", "--out", "x.png"), "KIND must be"),
        (("dendrogram", "a.nwk", "--out", "x.gif"), "--out must end in .png, .svg, .pdf; got x.gif"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(run, arguments, message):
    code, out, err = run("plot", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
