"""``dendrometry matrix``."""

import csv
import json

import numpy as np

import dendrometry as dm
from tests.cli.conftest import SHAPES


def test_a_matrix_is_a_table_and_names_the_odd_tree(run, paths, tmp_path):
    code, out, err = run("matrix", *paths)
    assert (code, err) == (0, "")
    expected = dm.pairwise_matrix({name: dm.from_newick(text) for name, text in SHAPES.items()}, "hierarchy_agreement")
    head, _, *rows = out.split("\n\n")[0].splitlines()
    assert head.split() == list(SHAPES)
    for row, name, values in zip(rows, SHAPES, expected.values, strict=True):
        assert row.split() == [name, *(f"{value:.4g}" for value in values)]
    assert "stands out from the rest: 'odd'" in out
    assert "by hierarchy_agreement, adjusted: 0 as by chance, 1 for identical trees" in out
    raw = json.loads(run("matrix", *paths, "--raw", "--json")[1])
    assert (raw["adjusted"], raw["values"][0][1]) == (False, dm.hierarchy_agreement(*map(dm.read, paths[:2])))
    alike = [tmp_path / f"{name}.json" for name in "wxyz"]
    for path in alike:
        dm.write(dm.from_newick(SHAPES["a"]), path)
    assert "no tree stands out from the rest" in run("matrix", *alike)[1]


def test_a_matrix_becomes_json_a_table_and_a_picture(run, paths, tmp_path):
    code, out, _ = run("matrix", *paths, "--measure", "hierarchical_f", "--json")
    content = json.loads(out)
    expected = dm.pairwise_matrix([dm.from_newick(text) for text in SHAPES.values()], "hierarchical_f").values
    np.testing.assert_array_equal(content["values"], expected)
    assert (code, content["measure"], content["names"]) == (0, "hierarchical_f", list(SHAPES))
    table = tmp_path / "m.csv"
    assert run("matrix", *paths, "--measure", "hierarchical_f", "--out", table) == (0, "", f"wrote {table}\n")
    head, *rows = csv.reader(table.read_text().splitlines())
    assert (head, [row[0] for row in rows]) == (["tree", *SHAPES], list(SHAPES))
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], dtype=float), expected)
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        picture = tmp_path / f"m.{ending}"
        assert run("matrix", *paths, "--out", picture)[0] == 0
        assert picture.read_bytes().startswith(start)


def test_trees_of_one_name_go_by_their_paths(run, paths, tmp_path):
    (tmp_path / "x").mkdir()
    twin = tmp_path / "x" / "a.nwk"
    twin.write_text(SHAPES["b"])
    assert json.loads(run("matrix", paths[0], twin, "--json")[1])["names"] == [paths[0], str(twin)]
    code, _, err = run("matrix", paths[0], paths[0])
    assert (code, "must be different files" in err) == (2, True)
    assert "two trees or more" in run("matrix", paths[0])[2]


def test_a_name_that_a_spreadsheet_would_run_is_guarded(run, paths, tmp_path):
    (tmp_path / "=cmd.nwk").write_text(SHAPES["a"])
    table = tmp_path / "m.tsv"
    assert run("matrix", tmp_path / "=cmd.nwk", paths[1], "--out", table)[0] == 0
    assert table.read_text().splitlines()[0] == "tree\t'=cmd\tb"


def test_a_matrix_without_roots_is_that_of_unrooted_trees(run, tmp_path):
    shapes = {"x": "((a,b),(c,(d,e)));", "y": "(((a,b),c),(d,e));", "z": "((a,c),(b,(d,e)));"}
    paths = [tmp_path / f"{name}.nwk" for name in shapes]
    for path, text in zip(paths, shapes.values(), strict=True):
        path.write_text(text)
    expected = dm.pairwise_matrix([dm.io.unroot(path) for path in paths], "quartet_agreement")
    content = json.loads(run("matrix", *paths, "--unrooted", "--json")[1])
    assert (content["measure"], content["unrooted"]) == ("quartet_agreement", True)
    assert content["values"] == expected.values.tolist()
    assert content["values"][0][1] == 1.0
    page = tmp_path / "page.html"
    code, out, _ = run("matrix", *paths, "--unrooted", "--measure", "robinson_foulds", "--raw", "--report", page)
    assert (code, "robinson_foulds: the number of splits that only one of the trees has" in out) == (0, True)
    assert "3 trees without roots, by robinson_foulds: 0 to 2(n - 3), lower = more alike" in out
    assert "The number of splits that only one of the trees has; 0 to 2(n - 3)" in page.read_text(encoding="utf-8")
    code, _, err = run("matrix", *paths, "--unrooted", "--measure", "hierarchy_agreement")
    assert (code, "--unrooted takes a --measure of unrooted trees, quartet_agreement, " in err) == (2, True)


def test_a_matrix_that_takes_long_names_the_option_that_allows_it(run, paths, monkeypatch):
    monkeypatch.setattr("dendrometry.measures.duration.MOST_SECONDS", 0)
    code, _, err = run("matrix", *paths[:2], "--measure", "hierarchical_f")
    assert code == 2
    assert err.endswith(" steps (--allow-slow computes it all the same)\n")
    assert run("matrix", *paths[:2], "--measure", "hierarchical_f", "--allow-slow")[0] == 0
