"""``diff``: what changed, and an exit code that a pipeline can use."""

import csv
import io
import json

import pytest

import dendrometry as dm
from dendrometry.errors import InvalidInputError

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


def test_a_workbook_lists_categories_and_items_and_never_holds_a_formula(run, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    old = tmp_path / "old.csv"
    new = tmp_path / "new.csv"
    old.write_text("item,path\n=1+1,Home/=Tools\nrake,Home/=Tools\ncup,Home\ntent,Outdoor\n")
    new.write_text("item,path\n=1+1,Outdoor/=Tools\nrake,Outdoor/=Tools\ncup,Outdoor\ntent,Outdoor\n")
    out = tmp_path / "changes.xlsx"
    code, _, err = run("diff", old, new, "--out", out)
    assert (code, err.splitlines()[-1]) == (1, f"wrote {out}")
    book = openpyxl.load_workbook(out)
    assert book.sheetnames == ["categories", "items"]
    rows = [[cell.value for cell in row] for row in book["categories"].iter_rows()]
    assert rows[:2] == [
        ["what", "category", "items", "before", "after", "in words"],
        ["moved", "=Tools", 2, "Home", "Outdoor", "=Tools, 2 items: from Home to Outdoor"],
    ]
    found = dm.diff(dm.read(old), dm.read(new))
    items = [[cell.value or "" for cell in row] for row in book["items"].iter_rows(min_row=2)]
    assert items == [[row.what, row.item, row.old_path, row.new_path] for row in found.item_changes()]
    for sheet in book:
        assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n", "inlineStr"}
        assert (sheet.freeze_panes, sheet.auto_filter.ref[:2]) == ("A2", "A1")


def test_names_that_a_sheet_cannot_hold_are_kept_as_far_as_it_can():
    openpyxl = pytest.importorskip("openpyxl")
    found = dm.diff(
        dm.from_paths({"a\x01": "X", "b": "X", "c": "Y"}), dm.from_paths({"a\x01": "Y", "b": "X", "c": "Y"})
    )
    book = openpyxl.load_workbook(io.BytesIO(found.to_excel()))
    assert book["items"]["B2"].value == "a\ufffd"


def test_more_rows_than_a_sheet_has_are_refused_with_the_way_out(monkeypatch):
    pytest.importorskip("openpyxl")
    monkeypatch.setattr("dendrometry.changes.workbook._MOST_ROWS", 2)
    found = dm.diff(dm.from_paths({"a": "X", "b": "X", "c": "Y"}), dm.from_paths({"a": "Y", "b": "Y", "c": "Y"}))
    with pytest.raises(InvalidInputError, match=r"at most 1 rows below its header; got 2 \(a \.csv file"):
        found.to_excel()


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
