"""Parquet files from strangers: folder names are no data, and a small file cannot grow."""

import resource
import subprocess
import sys

import pytest

from dendrometry import from_labels, from_paths, read, write
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError
from dendrometry.io.formats.parquet import ParquetTable
from dendrometry.text import read_documents

TREE = from_paths({"cat": "mammals", "owl": "birds"})


def make(path, select, **options):
    """Write what an SQL query selects to a Parquet file."""
    import duckdb

    settings = "".join(f", {key} {value}" for key, value in options.items())
    quoted = str(path).replace("'", "''")
    duckdb.execute(f"COPY ({select}) TO '{quoted}' (FORMAT parquet{settings})")


def test_names_of_folders_are_not_columns_of_documents(tmp_path):
    folder = tmp_path / "title=EVIL" / "text=WORSE"
    folder.mkdir(parents=True)
    make(folder / "x.parquet", "SELECT 'Oil' AS title, 'crude oil price' AS text")
    found = read_documents(folder / "x.parquet")
    assert found.items == ("Oil",)
    assert "crude" in found.terms


def test_names_of_temporary_folders_are_not_levels(tmp_path, monkeypatch):
    folder = tmp_path / "job=7" / "item=x"
    folder.mkdir(parents=True)
    write(TREE, tmp_path / "x.parquet")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    assert read(tmp_path / "x.parquet") == TREE


@pytest.mark.parametrize("name", ["a*", "a?", "a[b]", "a{b,c}", "it's", "a;b", "~", "http:", 'a"b', "**"])
def test_patterns_and_quotes_in_names_are_only_characters(tmp_path, monkeypatch, name):
    folder = tmp_path / name
    folder.mkdir()
    for other in ("ab", "a", "b"):
        (tmp_path / other).mkdir(exist_ok=True)
        make(tmp_path / other / "x.parquet", "SELECT 'wrong' AS title, 'wrong' AS text")
    make(folder / "x.parquet", "SELECT 'right' AS title, 'right words' AS text")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.chdir(tmp_path)
    assert read_documents(f"{name}/x.parquet").items == ("right",)
    write(TREE, f"{name}/tree.parquet")
    assert read(f"{name}/tree.parquet") == TREE


@pytest.fixture
def selected(monkeypatch):
    """What is selected from the rows of Parquet files meanwhile: nothing else reads them."""
    found, select = [], ParquetTable.select
    monkeypatch.setattr(ParquetTable, "select", lambda self, what: found.append(what) or select(self, what))
    return found


def test_a_bomb_is_refused_before_its_rows_are_made(tmp_path, selected):
    path = tmp_path / "bomb.parquet"
    make(path, "SELECT 'x' AS item, repeat('y', 1000000) AS path FROM range(2000)", COMPRESSION="zstd")
    assert path.stat().st_size < 100_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FormatError, match="must unpack to at most 10,000,000 bytes"):
        read(path, max_bytes=10_000_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000
    assert all(what.startswith("coalesce(sum(coalesce(strlen(") for what in selected)  # one number of all rows


def test_rows_without_end_are_refused_by_what_the_file_declares(tmp_path, monkeypatch, selected):
    monkeypatch.setattr("dendrometry._memory.available", lambda: 10**9)
    path = tmp_path / "long.parquet"
    make(path, "SELECT 'x' AS item, NULL::VARCHAR AS path FROM range(30000000)", ROW_GROUP_SIZE=30_000_000)
    assert path.stat().st_size < 100_000
    with pytest.raises(FormatError, match="must unpack to at most 10,000,000 bytes"):
        read(path, max_bytes=10_000_000)
    with pytest.raises(DendrometryError, match=r"must unpack to at most|of memory"):
        read(path)
    assert not selected
    make(path, "SELECT 'x' AS item, 'y' AS path FROM range(3)")
    with pytest.raises(DendrometryError, match="'x'"):
        read(path)
    assert len(selected) == 2  # the size of the rows, then the rows


UNDER_A_LIMIT = """
import resource, sys
from dendrometry import read
from dendrometry.errors import DendrometryError
from dendrometry.text import read_documents
resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9, 3 * 10**9))
for door in (read, read_documents):
    try:
        door(sys.argv[1])
    except DendrometryError as error:
        print(error)
"""


@pytest.mark.slow
def test_one_value_larger_than_memory_is_refused(tmp_path):
    path = tmp_path / "wide.parquet"
    make(path, "SELECT 'x' AS item, repeat('y', 1900000000) AS text FROM range(1)", COMPRESSION="zstd")
    run = subprocess.run([sys.executable, "-c", UNDER_A_LIMIT, str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("unpack to") == 2


def test_no_temporary_space_is_our_own_error(tmp_path, monkeypatch):
    write(TREE, tmp_path / "x.parquet")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    for action in (lambda: read(tmp_path / "x.parquet"), lambda: write(TREE, tmp_path / "y.parquet")):
        with pytest.raises(InvalidInputError, match="Parquet needs space for a temporary file; got No such file"):
            action()


def test_a_name_that_is_no_unicode_is_our_own_error(tmp_path):
    name = str(tmp_path) + "/\udcff.parquet"
    write(from_labels([0, 1]), name)
    assert read(name) == from_labels([0, 1])
    with pytest.raises(FormatError, match="must be Parquet"):
        read_documents(name)
