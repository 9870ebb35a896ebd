"""``diff``: what changed, and an exit code that a pipeline can use."""

import csv
import json

import pytest

import dendrometry as dm

OLD = "item,path\nhose,Home/Tools\nrake,Home/Tools\ncup,Home/Kitchen\ntent,Outdoor\n"
NEW = OLD.replace("Home/Tools", "Outdoor/Tools")


@pytest.fixture
def shops(tmp_path):
    for name, text in (("old", OLD), ("new", NEW)):
        (tmp_path / f"{name}.csv").write_text(text)
    return tmp_path / "old.csv", tmp_path / "new.csv"


def test_changes_are_printed_with_exit_code_1(run, shops):
    code, out, err = run("diff", *shops)
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "From old.csv to new.csv: 1 moved; 2 items changed place in 1 move.",
        "",
        "Tools, 2 items: from Home to Outdoor",
    ]
    assert run("diff", *shops, "--lines", "0")[1].splitlines()[-1] == "… 1 more change"


def test_equal_trees_have_exit_code_0(run, shops):
    assert run("diff", shops[0], shops[0]) == (0, "old and new are the same tree.\n", "")


def test_errors_have_exit_code_2(run, shops):
    code, _, err = run("diff", shops[0], "missing.csv")
    assert code == 2
    assert "cannot read missing.csv" in err
    assert run("diff", *shops, "--out", "x.nwk")[0] == 2


def test_items_json_and_the_page_are_written(run, shops, tmp_path):
    table, page = tmp_path / "items.csv", tmp_path / "page.html"
    code, out, err = run("diff", *shops, "--out", table, "--report", page)
    assert (code, out) == (1, "")
    assert err == f"wrote {page}\nwrote {table}\n"
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["item"], row["new path"]) for row in rows] == [
        ("hose", "Outdoor > Tools"),
        ("rake", "Outdoor > Tools"),
    ]
    printed = json.loads(run("diff", *shops, "--json")[1])
    assert printed["changes"][0]["what"] == "moved"
    assert printed == json.loads(dm.diff(*map(dm.read, shops), names=("old.csv", "new.csv")).to_json())
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_names_are_matched_loosely_if_asked(run, shops):
    shops[1].write_text(OLD.replace("hose", "HOSE"))
    assert "HOSE: renamed from hose" in run("diff", *shops, "--match-names", "loose")[1]
