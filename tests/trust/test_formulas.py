"""No cell that we write is a formula to a spreadsheet, numbers stay numbers, and every reader gives the names back."""

import csv
import io
import re

import numpy as np
import pytest

import dendrometry as dm
from dendrometry._studies.result import Table
from dendrometry.cli._shared.table import table_text
from dendrometry.cluster.table import read_points, read_rows
from dendrometry.engine import ItemTable, overlap_from_tables
from dendrometry.io._shared.formulas import bare, guard_formula

STARTS = "=+-@\t\r\n\0＝＋－＠"  # OWASP on CSV injection, and ASVS 1.2.10
FORMULAS = [f"{start}cmd|' /C calc'!A{i}" for i, start in enumerate(STARTS)]
NAMES = [*FORMULAS, "'=x", "''@", "'", "'x", "''", "-", "+", "=", "a=1", "a;=1", '"=x"', " =x"]
NUMBERS = ["-1", "+1", "-1.5", "1e-5", "-1.", "007"]


def cells(text, delimiter=","):
    return [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) for cell in row]


def is_formula(cell):
    """Whether a spreadsheet would compute a cell: it begins one, and is no number."""
    return cell[:1] in set(STARTS) and re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?(e-?[0-9]+)?", cell) is None


@pytest.mark.parametrize("value", [*NAMES, *NUMBERS])
def test_a_value_comes_back_and_is_no_formula(value):
    assert bare(guard_formula(value)) == value
    assert not is_formula(guard_formula(value))
    assert (guard_formula(value) == value) == (not is_formula(value) and not is_formula(value.lstrip("'")))


@pytest.fixture(scope="module")
def tree():
    """A tree whose items and nodes have all those names."""
    names = [name for name in (*NAMES, *NUMBERS) if "\0" not in name]
    return dm.from_paths({name: ("x", name) for name in names}, sep=None)


def written_by():
    """Every function that writes delimited text, with the same names."""
    names = [*NAMES, *NUMBERS]
    old, new = (dm.from_paths({name: (side, name) for name in names}, sep=None) for side in "ab")
    yield "diff", dm.diff(old, new).to_csv()
    yield "study", Table.of(name=names, value=[-1.5] * len(names)).to_csv()
    for delimiter in ",\t":
        yield f"commands {delimiter!r}", table_text(names, [[name, -1.5, -3, -np.inf] for name in names], delimiter)


@pytest.mark.parametrize(("who", "text"), list(written_by()), ids=lambda value: value[:9].strip())
def test_no_writer_writes_a_formula(who, text):
    found = cells(text, "\t" if who.endswith("t'") else ",")
    assert [cell for cell in found if is_formula(cell) and cell != "-inf"] == []
    assert {guard_formula(name) for name in NAMES if name.isprintable()} <= set(found)
    assert "-1" in found


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_trees_come_back(tree, tmp_path, ending):
    path = tmp_path / f"tree{ending}"
    dm.write(tree, path)
    assert dm.read(path) == tree


def test_tables_of_points_levels_and_documents_come_back(tmp_path):
    names = [name for name in NAMES if "\0" not in name]
    path = tmp_path / "points.csv"
    path.write_text(table_text(["item", "x"], [[name, -1.5] for name in names], ","), encoding="utf-8", newline="")
    found = read_points(path)
    assert found.items == tuple(names)
    assert set(found.points.ravel()) == {-1.5}
    path.write_text(table_text(["item", "4"], [[name, name] for name in names], ","), encoding="utf-8", newline="")
    assert [row for _, row in read_rows(path)[1]] == [[name, name] for name in names]
    path.write_text(
        table_text(["title", "text"], [[name, "ship port"] for name in names], ","), encoding="utf-8", newline=""
    )
    assert dm.text.read_documents(path, text="text").items == tuple(names)


def test_the_engine_takes_the_same_names_from_every_kind_of_file(tmp_path):
    names = [name for name in NAMES if "\0" not in name]
    tree = dm.from_labels(names, item_names=names)
    for ending in (".csv", ".tsv", ".parquet"):
        dm.write(tree, tmp_path / f"t{ending}")
    for ending in (".csv", ".tsv"):
        overlap = overlap_from_tables(*(ItemTable(source=tmp_path / f"t{each}") for each in (ending, ".parquet")))
        assert overlap.n_items == len(names)
        assert overlap.node_names[0] == overlap.node_names[1]
        assert set(names) <= set(overlap.node_names[0])
