"""``dendrometry resolutions``."""

import json

import pytest

from dendrometry import read
from dendrometry.partition import resolutions

LEVELS = {"res_1": list("xxyyzy"), "res_0.1": list("aaaabb")}
ITEMS = ["ape", "bat", "cat", "elk", "fox", "owl"]


@pytest.fixture
def table(tmp_path):
    rows = [",".join(row) for row in zip(ITEMS, *LEVELS.values(), strict=True)]
    (tmp_path / "levels.csv").write_text("\n".join([",".join(["item", *LEVELS]), *rows]), encoding="utf-8")
    return tmp_path / "levels.csv"


def test_prints_the_moves_the_steps_and_the_congruence(run, table):
    code, out, err = run("resolutions", table)
    assert (code, err) == (0, "")
    told, levels, steps, congruence = out.split("\n\n")
    assert told == resolutions(LEVELS).tell()
    assert [line.split() for line in levels.splitlines()[2:]] == [["res_0.1", "2", "1", "1"], ["res_1", "3", "1", "0"]]
    assert steps.splitlines()[2].split()[-3:] == ["2", "1", "1"]
    assert congruence.splitlines()[2].split() == ["res_0.1", "1.00", "0.03"]


def test_writes_the_tree_the_pictures_and_the_steps(run, table, tmp_path):
    tree, flow, heat, out = (tmp_path / name for name in ("t.csv", "flow.svg", "heat.png", "steps.csv"))
    arguments = ("--tree", tree, "--flow", flow, "--congruence", heat, "--out", out)
    assert run("resolutions", table, *arguments)[0] == 0
    assert set(read(tree).items) == set(ITEMS)
    assert flow.read_bytes().startswith(b"<?xml")
    assert heat.read_bytes().startswith(b"\x89PNG")
    assert out.read_text().splitlines()[1].startswith("res_0.1,res_1,")
    code, _, err = run("resolutions", table, "--flow", flow)
    assert code == 2
    assert "--force" in err


def test_json_holds_all_and_columns_are_chosen(run, table):
    content = json.loads(run("resolutions", table, "--column", "res_1", "--json")[1])
    assert content["levels"] == ["res_1"]
    assert content["n_moves"] == content["least_moves"] == 0
    assert content["stands_out"] is None
    assert content["standing"] == [None]


def test_labels_are_no_level_and_colour_the_flow_and_the_report(run, table, tmp_path):
    lines = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join([f"{lines[0]},kind", *(f"{line},p{i % 2}" for i, line in enumerate(lines[1:]))]))
    flow, page = tmp_path / "flow.svg", tmp_path / "page.html"
    assert run("resolutions", table, "--labels", "kind", "--flow", flow, "--out", page)[0] == 0
    assert ">kind<" not in page.read_text(encoding="utf-8")
    assert "Ribbons have the colours of the labels" in page.read_text(encoding="utf-8")
    code, _, err = run("resolutions", table, "--labels", "kind")
    assert (code, err) == (2, "dendrometry: --labels colours --flow or a report, --out with .html; got neither\n")
    code, _, err = run("resolutions", table, "--labels", "sort", "--flow", tmp_path / "other.svg")
    assert code == 2
    assert "--labels must be among" in err


@pytest.mark.parametrize(
    ("text", "arguments", "why"),
    [
        ("item,a\nx,1\ny,\n", (), "line 3, column a: every item must have a label; got none"),
        ("item\nx\n", (), "the table must have a column of labels besides the items; got 'item'"),
        ("item,a\nx,1\n", ("--column", "b"), "--column must be among 'a'; got 'b'"),
        ("item,a,a\nx,1,1\n", (), "column names must be distinct"),
        ("item,a\nx\n", (), "got 1 (where the last values are missing, the row is 'x,')"),
        ("item,a\nx,1\n", ("--tree", "t.nwk"), "--tree must end in .csv, .tsv, .json, .parquet; got t.nwk"),
        ("item,a\nx,1\n", ("--flow", "f.txt"), "--flow must end in .png, .svg, .pdf; got f.txt"),
    ],
)
def test_wrong_tables_are_refused(run, tmp_path, text, arguments, why):
    (tmp_path / "bad.csv").write_text(text)
    code, _, err = run("resolutions", tmp_path / "bad.csv", *arguments)
    assert code == 2
    assert why in err


def test_columns_of_measurements_are_no_levels(run, tmp_path):
    path = tmp_path / "obs.csv"
    path.write_text("cell,leiden,leiden_2,mito\na,0,0.0,0.5\nb,0,1.0,0.25\nc,1,2.0,0.5\n", encoding="utf-8")
    code, _, err = run("resolutions", path)
    assert code == 2
    assert "'mito' holds 0.5 (--column names the columns that are levels)" in err
    assert run("resolutions", path, "--column", "leiden", "--column", "leiden_2")[0] == 0


def test_noise_is_said(run, tmp_path):
    path = tmp_path / "noise.csv"
    path.write_text("item,fine,coarse\na,0,0\nb,-1,0\nc,1,-1\nd,1,0\n", encoding="utf-8")
    assert run("resolutions", path)[0] == 0
    assert "2 levels in 'fine', 'coarse', 0 rows dropped, 2 noise (-1)" in run.read[0]
