"""``compare --engine``: the same answer as for the trees in memory."""

import gzip
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
        (["--engine", "postgres"], "--engine must be 'memory', 'duckdb' or 'spark'; got 'postgres'"),
        (
            ["--engine", "duckdb", "--match-names", "loose"],
            "with --engine, only --items, --path-column and",
        ),
        (["--engine", "duckdb", "--exact-heights"], "with --engine, only --items, --path-column and"),
    ],
)
def test_refused(run, tables, options, message):
    code, out, err = run("compare", "a.csv", "b.csv", *options)
    assert (code, out) == (2, "")
    assert message in err


@pytest.fixture
def large(tables, monkeypatch):
    monkeypatch.setattr("dendrometry.engine.table_size._LARGE", 1)
    return tables


def both(run, *command):
    """What a command says with the engine it chooses, and what it says when it reads all rows."""
    code, out, err = run(*command)
    again, expected, _ = run(*command, "--engine", "memory")
    assert (code, again) == (0, 0)
    return out, err, expected


@pytest.mark.parametrize(
    ("a", "b"), [("a.csv", "b.csv"), ("p.csv", "q.csv"), ("wide.csv", "b.csv"), ("n.tsv", "z.csv.gz")]
)
def test_large_tables_are_counted_with_the_same_values(run, large, a, b):
    (large / "wide.csv").write_text("path,sku,x\nm/pets,cat,1\nm,fox,2\nb,owl,3\nb,jay,4\n", encoding="utf-8")
    (large / "n.tsv").write_text("sku\tcluster\nowl\t1\njay\t1\ncat\t-1\nfox\t0\n", encoding="utf-8")
    (large / "z.csv.gz").write_bytes(gzip.compress((large / "b.csv").read_bytes()))
    out, err, expected = both(run, "compare", a, b, "--json")
    assert "by DuckDB, as --engine duckdb does; --engine memory reads all rows, and names items\n" in err
    found, expected = json.loads(out), json.loads(expected)
    assert found.pop("most_disagreement", []) == []
    expected.pop("most_disagreement", None)
    assert found == expected


def test_large_tables_are_counted_by_the_column_of_items_that_is_named(run, large):
    for name, place in (("old.csv", "b"), ("new.csv", "b/night")):
        rows = f"web,cat,m/pets\nweb,fox,m\nshop,owl,{place}\nshop,jay,b\n"
        (large / name).write_text(f"channel,sku,path\n{rows}", encoding="utf-8")
    out, err, expected = both(run, "compare", "old.csv", "new.csv", "--items", "sku", "--path-column", "path", "--json")
    assert "counted 0.0 MiB by DuckDB" in err
    assert json.loads(out)["measures"] == json.loads(expected)["measures"]


def test_small_tables_and_trees_are_read(run, tables):
    code, _, err = run("compare", "a.csv", "b.csv")
    assert code == 0
    assert "DuckDB" not in err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ranks.csv", "item,class,order\ncat,m,c\nfox,m,c\nowl,b,s\njay,b,p\n"),
        ("spreadsheet.csv", "item,path\ncat,m\nfox,m\nowl,b\njay,b\n,\n"),
        ("r.csv", ",label\ncat,m\nfox,m\nowl,b\njay,b\n"),
        ("loose.csv", "item,category\ncat,m/x\nfox,m\nowl,b\njay,b\n"),
    ],
)
def test_what_only_reading_understands_is_read(run, large, name, text):
    (large / name).write_text(text, encoding="utf-8")
    options = ["--path-column", "category"] if name == "loose.csv" else []
    out, err, expected = both(run, "compare", name, name, *options)
    assert "reading all rows of 0.0 MiB: DuckDB is missing, or would take the tables otherwise\n" in err
    assert out == expected


def test_options_that_need_the_rows_are_followed(run, large):
    out, err, expected = both(run, "compare", "a.csv", "b.csv", "--match-names", "loose")
    assert "reading all rows of 0.0 MiB: another option needs them\n" in err
    assert out == expected


def test_errors_of_large_tables_are_those_of_reading(run, large):
    (large / "edges.csv").write_text("child,parent\na,b\nb,c\nd,c\n", encoding="utf-8")
    (large / "twice.csv").write_text("item,label\na,x\na,y\n", encoding="utf-8")
    for name in ("edges.csv", "twice.csv"):
        code, _, err = run("compare", name, name)
        assert (code, err.splitlines()[-1]) == (2, run("compare", name, name, "--engine", "memory")[2].splitlines()[-1])
    code, _, err = run("compare", "p.csv", "a.csv")
    assert code == 2
    assert "the trees must hold the same items; 1 item of a.csv not in p.csv: 'jay'" in err
