"""Workbooks of Excel: cells as text, and archives that would grow or lead elsewhere."""

import datetime
import io
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from tests.work import peak_bytes

import dendrometry as dm
from dendrometry.errors import AssumptionWarning, DendrometryError, FormatError, MissingExtraError

WILD = Path(__file__).parents[2] / "data" / "wild"
PLAIN = (WILD / "excel_levels.xlsx").read_bytes()


def book(path, *rows):
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def changed(path, **members):
    """Write a workbook with some members replaced, by the ends of their names."""
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as whole, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name in whole.namelist():
            key = Path(name).stem
            made.writestr(name, members.get(key, whole.read(name)))
    return path


def test_cells_are_text_as_in_csv(tmp_path):
    path = book(
        tmp_path / "x.xlsx",
        ["id", "group"],
        [7, "a"],
        [8.0, datetime.datetime(2024, 1, 5)],
        ["007", True],
        [None, None],
        ["n", "#N/A"],
    )
    with pytest.warns(AssumptionWarning, match="taken as missing: '#N/A' in 1 cell"):
        tree = dm.read(path)
    assert tree.items == ("7", "8", "007", "n")
    assert set(tree.node_names) == {"", "a", "2024-01-05", "TRUE"}


def test_of_a_formula_the_saved_value_is_read_and_none_is_computed(tmp_path):
    path = book(tmp_path / "x.xlsx", ["item", "k"], ["a", "=1+1"], ["b", "x"])
    with pytest.warns(AssumptionWarning, match="1 of 2 items without any level"):
        assert set(dm.read(path).node_names) == {"", "x"}  # openpyxl saves no value


def test_a_table_may_begin_anywhere(tmp_path):
    path = book(tmp_path / "x.xlsx", [], [None, "item", "k"], [None, "a", "x"], [None, "b", "y"])
    assert dm.read(path).items == ("a", "b")


def test_sheets_are_chosen_by_name_or_read_together():
    path = WILD / "excel_two_sheets.xlsx"
    assert list(dm.read_many(path)) == ["Shop", "Notes"]
    assert dm.read(path, tree=1) == dm.read(WILD / "excel_levels.xlsx")


def test_a_bomb_is_refused_by_what_it_declares(tmp_path):
    sheet = b"<worksheet>" + b" " * 50_000_000 + b"</worksheet>"
    path = changed(tmp_path / "x.xlsx", sheet1=sheet)
    assert path.stat().st_size < 100_000
    with pytest.raises(FormatError, match="must unpack to at most 1,000,000 bytes"):
        dm.read(path, max_bytes=1_000_000)


@pytest.mark.parametrize("code", ["utf-8", "utf-16"])
def test_entities_are_refused(tmp_path, code):
    text = f'<?xml version="1.0" encoding="{code}"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'.encode(code)
    with pytest.raises(FormatError, match="must define no entities"):
        dm.read(changed(tmp_path / "x.xlsx", styles=text))


@pytest.mark.parametrize(("cell", "says"), [("A99999999999", "at most 1,048,576 rows"), ("ZZZ1", "bytes of cells")])
def test_a_cell_far_away_makes_no_large_table(tmp_path, cell, says):
    row = "".join(ch for ch in cell if ch.isdigit())
    rows = "".join(
        f'<row r="{int(row) + i}"><c r="{cell[: -len(row)]}{int(row) + i}"><v>1</v></c></row>' for i in range(9)
    )
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{name}"><sheetData>{rows}</sheetData></worksheet>'.encode()
    with pytest.raises(FormatError, match=says):
        dm.read(changed(tmp_path / "x.xlsx", sheet1=sheet), max_bytes=1_000_000)


def test_one_row_to_the_right_makes_no_large_table(tmp_path):
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rows = "".join(f'<row r="{i}"><c r="A{i}"><v>{i}</v></c></row>' for i in range(2, 2_000))
    sheet = (
        f'<worksheet xmlns="{name}"><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row>{rows}</sheetData></worksheet>'
    )
    path = changed(tmp_path / "x.xlsx", sheet1=sheet.encode())

    def refused():
        with pytest.raises(FormatError, match=r"at least one cell in 100 .* got 1,999 rows of up to 16,384 cells"):
            dm.read(path)

    refused()
    assert peak_bytes(refused) < 10_000_000


def test_changed_bytes_end_in_a_tree_or_in_our_error(tmp_path):
    rng = np.random.default_rng(0)
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as whole:
        parts = {Path(name).stem: whole.read(name) for name in whole.namelist()}
    for key in ("sheet1", "workbook", "sharedStrings", "styles"):
        if key not in parts:
            continue
        for _ in range(25):
            data = np.frombuffer(parts[key], dtype=np.uint8).copy()
            data[rng.integers(0, data.size, 2)] = rng.integers(0, 256, 2)
            with suppress(DendrometryError, AssumptionWarning):
                dm.read(changed(tmp_path / "x.xlsx", **{key: data.tobytes()}))


def test_the_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"an .xlsx file needs openpyxl: pip install 'dendrometry\[tables\]'"):
        dm.read(WILD / "excel_levels.xlsx")
