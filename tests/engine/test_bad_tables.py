"""Tables that cannot be counted: one clear line each."""

import gzip
import os
import socket
import sys
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pandas as pd
import pytest
from tests.engine.tables import write_parquet

from dendrometry import read, write
from dendrometry.engine import ItemTable, overlap_from_tables
from dendrometry.engine.on_duckdb import DuckDB
from dendrometry.engine.on_spark import require_answer
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError, MissingExtraError
from dendrometry.io import from_paths

GOOD = "item,label\ncat,x\nowl,y\n"


@pytest.fixture
def good(tmp_path):
    """A sound table."""
    (tmp_path / "good.csv").write_text(GOOD, encoding="utf-8")
    return tmp_path / "good.csv"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,label\n", "the second table: a table must have at least one row; got none"),
        ("item,label\ncat,x\ncat,y\nowl,x\nowl,x\nfox,x\n", "distinct; these are repeated: 'cat', 'owl'$"),
        ("item,label\n,x\n,x\n,z\nowl,y\n", "every row must name its item; 3 rows without one at 'x', 'z'"),
        ("item,a,b\ncat,x,y\n", "one column of paths or labels beside the items; got 'a', 'b'"),
        ("item\ncat\n", "one column of paths or labels beside the items; got 'item' alone"),
        ("a;b\ncat;x\n", "one column of paths or labels beside the items; got 'a;b' alone"),
        (
            "item,label\ncat\nowl,y,z\n",
            r"the lines of .*bad\.csv must all have as many values as the first, and quotes",
        ),
        ('item,label\ncat,"x\n', r"the lines of .*bad\.csv must all have as many values as the first, and quotes in"),
        ("item,label\n#a note\ncat,x\nowl,y\n", r"the lines of .*bad\.csv must all have as many values as the first"),
        (
            "item,label\n" + "cat,x\n" * 30_000 + "owl\n",
            r"bad\.csv, line 30002: Expected Number of Columns: 2 Found: 1$",
        ),
        ("item,label,weight\ncat,x,1\n", "'weight' must hold whole numbers, the weights; got text"),
    ],
)
def test_rows_and_columns(good, tmp_path, text, message):
    (tmp_path / "bad.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match=message):
        overlap_from_tables(good, tmp_path / "bad.csv")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"item": ["cat", "owl"], "label": ["x", None]}, r"have a node, a path or a label; 1 item \('owl'\) without"),
        ({"item": ["cat", "owl"], "label": ["x", "x"], "weight": [1, 0]}, r"of at least 1; 1 item \('owl'\) without"),
        ({"item": ["cat", None], "label": ["x", "x"]}, "every row must name its item; 1 row without one at 'x'"),
        ({"item": ["cat", "owl"], "height": [1.5, 2.5]}, "'height' must hold text or whole numbers; got DOUBLE"),
    ],
)
def test_values(good, tmp_path, columns, message):
    write_parquet(tmp_path / "bad.parquet", columns)
    with pytest.raises(InvalidInputError, match=f"^bad: .*{message}"):
        overlap_from_tables(good, tmp_path / "bad.parquet", names=("good", "bad"))


def test_weights_that_differ(tmp_path):
    for name, weight in (("a", 1), ("b", 2)):
        write_parquet(
            tmp_path / f"{name}.parquet", {"item": ["cat", "owl"], "label": ["x", "y"], "weight": [3, weight]}
        )
    with pytest.raises(InvalidInputError, match=r"the same in both tables; they differ for 1 item \('owl'\)"):
        overlap_from_tables(tmp_path / "a.parquet", tmp_path / "b.parquet")


def test_weights_beyond_64_bits(tmp_path):
    write_parquet(tmp_path / "a.parquet", {"item": ["cat", "owl"], "label": ["x", "x"], "weight": [2**62, 2**62]})
    with pytest.raises(InvalidInputError, match="DuckDB cannot do this: "):
        overlap_from_tables(tmp_path / "a.parquet", tmp_path / "a.parquet")


def test_nodes_that_the_table_of_nodes_lacks(tmp_path):
    write_parquet(tmp_path / "a.items.parquet", {"item": ["cat"], "node": [3]})
    write_parquet(tmp_path / "a.nodes.parquet", {"node": [1, 2], "parent": [2, None]})
    with pytest.raises(
        InvalidInputError, match="the first table: row 0 of items: node must be one of the nodes; got 3"
    ):
        overlap_from_tables(tmp_path / "a.items.parquet", tmp_path / "a.items.parquet")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"item": "name"}, "the table must have the column 'name'; got 'item', 'label'"),
        ({"node": "taxon"}, "the table must have the column 'taxon'; got 'item', 'label'"),
        ({"weight": "mass"}, "the table must have the column 'mass'; got 'item', 'label'"),
        ({"database": "none.duckdb"}, "cannot read none.duckdb: no such database"),
        ({"database": "sqlite:none.db"}, "cannot read none.db: no such database"),
        ({"nodes": "none.parquet"}, "cannot read none.parquet: no such file"),
    ],
)
def test_what_is_not_there(good, choice, message):
    with pytest.raises(InvalidInputError, match=message):
        overlap_from_tables(good, ItemTable(source=str(good), **{"node": "label", **choice}))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("none.csv", "cannot read none.csv: no such file"),
        ("none*.csv", r"cannot read none\*.csv: no file matches"),
        ([], "a table must have at least one file; got an empty list"),
        (["good.csv", "good.nwk"], r"must end in .parquet, .csv or .tsv, .*; got 'good.nwk'"),
        (["good.csv", "good.tsv"], "must all be of one kind; got csv and tsv"),
        ("empty", "a folder must hold Parquet, CSV or TSV files; got empty, which has none"),
        ("broken.parquet", "DuckDB cannot do this: .*broken.parquet"),
        (7, "source must be a file, files or a Spark DataFrame; got 7"),
        (pd.DataFrame({"item": ["a"]}), r"Spark DataFrame; got DataFrame \(compare takes frames in memory\)"),
        ([7], r"source must be a file, files or a Spark DataFrame; got \[7\]"),
    ],
)
def test_files(good, monkeypatch, source, message):
    monkeypatch.chdir(good.parent)
    for name in ("good.nwk", "good.tsv", "broken.parquet"):
        Path(name).write_text(GOOD, encoding="utf-8")
    Path("empty").mkdir()
    with pytest.raises(InvalidInputError, match=message):
        overlap_from_tables(good, source)


def test_a_message_names_a_missing_file_once(good):
    with pytest.raises(InvalidInputError, match=r"^cannot read none.csv: no such file$"):
        overlap_from_tables(good, "none.csv", names=("good.csv", "none.csv"))


def test_databases(good, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    place = str(tmp_path / "some.duckdb")
    duckdb.connect(place).close()
    with pytest.raises(
        InvalidInputError, match=r"second table: cannot read the table 'animals' of .*some\.duckdb: .*does not exist"
    ):
        overlap_from_tables(good, ItemTable(source="animals", database=place))
    with pytest.raises(InvalidInputError, match=r"a table in a database must be given by its name; got \['animals'\]"):
        overlap_from_tables(good, ItemTable(source=["animals"], database=place))
    with pytest.raises(InvalidInputError, match=r"cannot read the database .*good\.csv"):
        overlap_from_tables(good, ItemTable(source="animals", database=str(good)))


@pytest.mark.parametrize("text", ["database", "item", "node", "sep", "weight"])
def test_names_must_be_text(text):
    with pytest.raises(InvalidInputError, match=f"{text} must be text; got 7"):
        ItemTable(source="a.csv", **{text: 7})


@pytest.mark.parametrize("engine", ["postgres", "duck", 7, None])
def test_engines_that_do_not_exist(good, engine):
    with pytest.raises(DendrometryError, match=r"engine must be|the engine spark needs pyspark"):
        overlap_from_tables(good, good, engine=engine)


@pytest.mark.parametrize(("engine", "module", "extra"), [("duckdb", "duckdb", "tables"), ("spark", "pyspark", "spark")])
def test_an_engine_that_is_not_installed(good, monkeypatch, engine, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"the engine {engine} needs {module}: .*dendrometry\[{extra}\]"):
        overlap_from_tables(good, good, engine=engine)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("sc://127.0.0.1:1/;token=secret", r"Spark Connect cannot be reached at 127\.0\.0\.1:1: Connection refused$"),
        ("sc://no-such-host.invalid", r"Spark Connect cannot be reached at no-such-host\.invalid:15002: "),
        ("sc://", "an address of Spark Connect must be sc://host:port; got sc://$"),
        ("sc://host:port", "an address of Spark Connect must be sc://host:port; got sc://host:port$"),
    ],
)
def test_addresses_at_which_nobody_answers(address, message):
    with pytest.raises(InvalidInputError, match=message):
        require_answer(address)


def test_an_address_at_which_somebody_answers():
    with socket.create_server(("127.0.0.1", 0)) as server:
        require_answer(f"sc://127.0.0.1:{server.getsockname()[1]}")


def test_neither_memory_nor_disk(tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    file, spill = str(tmp_path / "a.parquet"), tmp_path / "spill"
    duckdb.sql(f"COPY (SELECT 'item number ' || i AS item, 0 AS label FROM range(1000000) AS t(i)) TO '{file}'")
    spill.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spill))
    connect = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", lambda config: connect(config={**config, "max_temp_directory_size": "1MB"}))
    with pytest.raises(
        InvalidInputError, match=r"must fit into 16.0 MiB of memory and the free space in .*/spill; it needs"
    ):
        overlap_from_tables(file, file, max_memory=2**24)
    assert os.listdir(spill) == []


def test_a_user_who_stops_the_count_is_obeyed(good, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    in_python = duckdb.InvalidInputException("reading the object failed: KeyboardInterrupt: ")
    for error in (RuntimeError("Query interrupted"), duckdb.InterruptException("Interrupted"), in_python):
        monkeypatch.setattr(DuckDB, "numbers", Mock(side_effect=error))
        with pytest.raises(KeyboardInterrupt):
            overlap_from_tables(good, good)
    monkeypatch.setattr(DuckDB, "numbers", Mock(side_effect=RuntimeError("a fault of ours")))
    with pytest.raises(RuntimeError, match="a fault of ours"):
        overlap_from_tables(good, good)


def test_no_place_for_temporary_files(good, monkeypatch):
    def full(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    with pytest.raises(InvalidInputError, match="DuckDB cannot do this: No space left on device"):
        overlap_from_tables(good, good)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".parquet"])
@pytest.mark.parametrize(
    ("header", "message"),
    [
        (["item", "path", "path"], "column names must be distinct; these are repeated: 'path'"),
        (["item", "path", ""], "every column but the first must have a name; column 3 has none"),
        (["item", "path", "Path"], "column names must differ in more than case; got 'path', 'Path'"),
    ],
)
def test_headers_are_refused_as_by_read(tmp_path, ending, header, message):
    text = "\n".join(("\t" if ending == ".tsv" else ",").join(row) for row in (header, ["a", "x", "y"])) + "\n"
    file = tmp_path / f"a{ending}"
    if ending == ".parquet":
        pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parts = pa.array([{"path": "in a column"}])
        table = pa.Table.from_arrays([*map(pa.array, (["a"], ["x"], ["y"])), parts], names=[*header, "parts"])
        parquet.write_table(table, file)
    else:
        file.write_bytes(gzip.compress(text.encode()) if ending.endswith(".gz") else text.encode())
    with pytest.raises(InvalidInputError, match=f"the first table: {message}"):
        overlap_from_tables(ItemTable(source=file, node="path"), file)
    with pytest.raises(FormatError, match=message):
        read(file)


def test_a_header_that_is_no_text_or_has_no_end_is_refused(good, tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe\x00" * 10)
    (tmp_path / "b.csv").write_bytes(b"x" * 3_000_000)
    (tmp_path / "c.csv.gz").write_bytes(b"no gzip")
    (tmp_path / "d.csv").write_bytes(b"")
    for name in ("a.csv", "b.csv", "c.csv.gz", "d.csv"):
        with pytest.raises(InvalidInputError):
            overlap_from_tables(tmp_path / name, good)


def test_a_column_may_be_called_star_as_for_read(tmp_path):
    (tmp_path / "a.csv").write_text("*,path\na,x\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("item,*\na,x\n", encoding="utf-8")
    found = overlap_from_tables(ItemTable(source=tmp_path / "a.csv", item="*"), ItemTable(source=tmp_path / "b.csv"))
    assert found.node_names == (("x", ""), ("x", ""))
    assert read(tmp_path / "b.csv").node_names == ("x", "")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are Unicode there")
@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_a_name_that_is_no_utf_8_is_the_name_of_a_file_as_for_read(tmp_path, ending):
    name = str(tmp_path) + "/\udcff" + ending
    if ending == ".parquet":
        write(from_paths({"a": "x"}), name)
    else:
        data = b"item,path\na,x\n"
        with open(name, "wb") as stream:
            stream.write(gzip.compress(data) if ending.endswith(".gz") else data)
    assert overlap_from_tables(name, name).node_names[0] == ("x", "")
    assert read(name).items == ("a",)
