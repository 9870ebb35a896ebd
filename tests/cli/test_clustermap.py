"""``dendrometry clustermap``."""

import json

import pytest

TABLE = "item,x,y,z\nape,0,1,7\ncat,5,9,0\nelk,0,0,8\nowl,6,8,1\n"


@pytest.fixture
def points(tmp_path):
    (tmp_path / "points.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path / "points.csv"


def test_writes_the_picture_and_the_members(run, points, tmp_path):
    picture, members = tmp_path / "map.svg", tmp_path / "rows.csv"
    code, out, err = run("clustermap", points, "--clusters", 2, "--members", members, "--out", picture)
    assert (code, out) == (0, "Clustermap(4 rows in 2 clusters, 3 columns)\n")
    assert err == f"wrote {picture}\nwrote {members}\n"
    assert picture.read_bytes().startswith(b"<?xml")
    assert members.read_text().splitlines() == ["item,position,cluster", "elk,0,0", "ape,1,0", "owl,2,1", "cat,3,1"]


def test_scales_columns_and_writes_members_as_json(run, points, tmp_path):
    arguments = ("--scale", "columns", "--column-clusters", 2, "--members", tmp_path / "rows.json")
    code, out, _ = run("clustermap", points, *arguments, "--out", tmp_path / "map.png")
    assert (code, out) == (0, "Clustermap(4 rows, 3 columns in 2 clusters)\n")
    assert {row["cluster"] for row in json.loads((tmp_path / "rows.json").read_text())} == {0}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--scale", "both"), "--scale must be 'none', 'rows' or 'columns'"),
        (("--clusters", "9"), "--clusters must be a whole number from 1 to 4; got 9"),
        (("--column-clusters", "4"), "--column-clusters must be a whole number from 1 to 3; got 4"),
        (("--linkage", "x"), "--linkage must be"),
        (("--members", "rows.txt"), "--members must end in .csv"),
    ],
)
def test_wrong_options_are_refused(run, points, tmp_path, arguments, why):
    code, _, err = run("clustermap", points, *arguments, "--out", tmp_path / "map.png")
    assert code == 2
    assert why in err
    assert not (tmp_path / "map.png").exists()
