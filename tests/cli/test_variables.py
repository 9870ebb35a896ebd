"""``dendrometry variables``."""

import json

import numpy as np
import pytest

from dendrometry import read
from dendrometry._studies.inputs.data import planted_noise
from dendrometry.comparison import score_variables

DATA = planted_noise(5, 2, 1, np.random.default_rng(1))
NAMES = ("length", "width", "noise")


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    rows = [",".join([f"i{i}", *map(repr, row)]) for i, row in enumerate(DATA.values.tolist())]
    path.write_text("\n".join([",".join(["item", *NAMES]), *rows]), encoding="utf-8")
    return path


def test_prints_a_row_for_each_variable_and_the_subsets(run, points):
    code, out, err = run("variables", points, "--linkage", "ward", "--subset", "size=length,width")
    assert (code, err) == (0, "")
    head, _, *rows = out.split("\n\n")[0].splitlines()
    assert head.split() == ["variable", "similarity", "by_chance", "agreement", "similarity_without"]
    expected = score_variables(DATA.values, linkage="ward")
    assert [row.split()[0] for row in rows] == list(NAMES)
    assert [float(row.split()[3]) for row in rows] == pytest.approx(expected.agreement, rel=1e-3)
    assert out.split("\n\n")[1].split()[:2] == ["size", "all"]


def test_says_which_variables_are_selected_or_how_many_relabellings_that_takes(run, points):
    code, out, err = run("variables", points, "--linkage", "ward", "--permutations", "59")
    assert (code, err) == (0, "")
    head, _, *rows = out.split("\n\n")[0].splitlines()
    assert head.split()[-1] == "selected"
    assert [row.split()[-1] for row in rows] == ["yes", "yes", "no"]
    assert "For a methods section: A tree was built from each variable alone." in out
    out = run("variables", points, "--linkage", "ward", "--permutations", "58")[1]
    assert "selected" not in out
    assert "to select variables, at least 59 relabellings are needed" in out


def test_ties_are_reported_with_what_they_change(run, tmp_path):
    path = tmp_path / "tied.csv"
    path.write_text("a,b\n" + "\n".join(f"{i},{i * 5 % 12}" for i in range(12)), encoding="utf-8")
    assert score_variables([[i, i * 5 % 12] for i in range(12)], linkage="ward", n_tie_breaks=4).n_tie_breaks == 4
    code, out, _ = run("variables", path, "--linkage", "ward", "--tie-breaks", "4")
    assert code == 0
    assert "merges are tied: means over 4 tie-breaks, which change the agreement by at most 0." in out
    assert "tied" not in run("variables", path, "--linkage", "ward", "--tie-breaks", "1")[1]


def test_writes_tables_pictures_and_trees(run, points, tmp_path):
    for ending in ("csv", "png", "json"):
        assert run("variables", points, "--out", tmp_path / f"scores.{ending}")[0] == 0
    content = json.loads((tmp_path / "scores.json").read_text())
    expected = score_variables(DATA.values)
    assert content["matrix"] == expected.similarity.tolist()
    folder = tmp_path / "trees"
    assert run("variables", points, "--trees", folder, "--json", "--permutations", "3")[0] == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["subset_0.json", *(f"{kind}_{j}.json" for kind in ("variable", "without") for j in range(3))]
    tree = read(folder / "variable_2.json")
    assert tree.items[0].startswith("i")
    assert sorted(tree.height) == sorted(expected.trees["2"].height)
    code, _, err = run("variables", points, "--trees", folder)
    assert (code, err) == (2, f"dendrometry: --trees must be a new or an empty folder; {folder} holds files\n")


def test_refuses_subsets_that_name_no_variables(run, points):
    code, _, err = run("variables", points, "--subset", "length")
    assert (code, err) == (2, "dendrometry: --subset must be a name, = and variables separated by commas; got length\n")
    code, _, err = run("variables", points, "--subset", "size=height")
    assert code == 2
    assert "got unknown 'height' in 'size'" in err
