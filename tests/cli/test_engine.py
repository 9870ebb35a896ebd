"""``compare --engine``: the same answer as for the trees in memory."""

import json

import pytest


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("item,path\ncat,m/pets\nfox,m\nowl,b\njay,b\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("item,path\njay,b\nowl,b/night\nfox,m\ncat,m/pets\n", encoding="utf-8")
    (tmp_path / "p.csv").write_text("item,label\ncat,x\nfox,x\nowl,y\n", encoding="utf-8")
    (tmp_path / "q.csv").write_text("item,label\ncat,x\nfox,y\nowl,y\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("a", "b"), [("a", "b"), ("p", "q")])
def test_gives_the_answer_of_the_trees_in_memory(run, tables, a, b):
    found, expected = (
        json.loads(run("compare", f"{a}.csv", f"{b}.csv", "--json", *more)[1]) for more in (["--engine", "duckdb"], [])
    )
    assert found["measures"] == expected["measures"]
    assert found["verdict"] == expected["verdict"]


def test_patterns_mismatches_and_reports(run, tables):
    code, _, err = run("compare", "[p]*.csv", "a.csv", "--engine", "duckdb")
    assert code == 2
    assert "the trees must hold the same items; 1 item of a.csv not in [p]*.csv: 'jay' (--intersect compares" in err
    code, out, _ = run("compare", "[p]*.csv", "a.csv", "--engine", "duckdb", "--intersect", "--report", "out.html")
    assert code == 0
    assert "3 items compared" in out
    assert (tables / "out.html").exists()


def test_options_of_tables(run, tables):
    (tables / "wide.csv").write_text("item,x,group\ncat,1,a > b\nfox,2,a\nowl,3,c\njay,4,c\n", encoding="utf-8")
    code, _, err = run("compare", "wide.csv", "wide.csv", "--engine", "duckdb")
    assert (code, err.count("\n")) == (2, 1)
    assert "beside the items; got 'x', 'group' (--path-column names it)" in err
    options = ["--path-column", "group", "--sep", " > "]
    code, out, _ = run("compare", "wide.csv", "wide.csv", "--engine", "duckdb", *options)
    assert code == 0
    assert "4 items compared" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "postgres"], "--engine must be 'duckdb' or 'spark'; got 'postgres'"),
        (["--engine", "duckdb", "--match-names", "loose"], "with --engine, only --path-column and --sep say how"),
        (["--engine", "duckdb", "--exact-heights"], "with --engine, only --path-column and --sep say how"),
    ],
)
def test_refused(run, tables, options, message):
    code, out, err = run("compare", "a.csv", "b.csv", *options)
    assert (code, out) == (2, "")
    assert message in err
