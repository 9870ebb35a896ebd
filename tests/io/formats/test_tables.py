"""Tables of nodes and items: any tree goes into them and comes back, as frames and as two Parquet files."""

import os
from unittest.mock import Mock

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from tests.strategies import any_names, hierarchies, named_clusters, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import Hierarchy, from_newick, from_paths, read, read_many, write
from dendrometry.errors import AssumptionWarning, DendrometryError, InvalidInputError
from dendrometry.io import from_tables, to_tables
from dendrometry.io.formats.parquet import ParquetTable

TREE = from_newick("((ape:1,cat:1)mammals:2,owl:3);")
NODES, ITEMS = to_tables(TREE)


def make(path, columns):
    """Write columns to a Parquet file."""
    duckdb.connect().from_arrow(pa.table(columns)).write_parquet(str(path))


@given(wild_hierarchies() | hierarchies())
def test_every_tree_comes_back(tree):
    nodes, items = to_tables(tree)
    for frame in (lambda table: table, pd.DataFrame, pl.DataFrame):
        found = from_tables(frame(nodes), frame(items))
        assert found == tree
        assert named_clusters(found) == named_clusters(tree)


@pytest.mark.parametrize("name", ZOO)
def test_every_tree_comes_back_from_files(tmp_path, name):
    path = tmp_path / "a.nodes.parquet"
    write(ZOO[name], path)
    assert sorted(os.listdir(tmp_path)) == ["a.items.parquet", "a.nodes.parquet"]
    assert read(path) == ZOO[name]


@settings(max_examples=3)
@given(name=any_names, item=any_names)
def test_any_names_come_back_from_files(tmp_path_factory, name, item):
    path = tmp_path_factory.mktemp("pair") / "a.nodes.parquet"
    tree = Hierarchy([1, -1], None, [0], [item], [name, ""])
    write(tree, path)
    assert read(path).items == (item,)
    assert read(path).node_names == (name, "")


def test_the_files_have_the_types_of_the_schema(tmp_path):
    write(TREE, tmp_path / "a.nodes.parquet")
    described = duckdb.connect().sql(f"DESCRIBE FROM '{tmp_path}/a.nodes.parquet'").fetchall()
    assert [row[:2] for row in described] == [
        ("node", "BIGINT"),
        ("parent", "BIGINT"),
        ("height", "DOUBLE"),
        ("name", "VARCHAR"),
    ]
    flat = from_paths({"cat": "pets"})
    write(flat, tmp_path / "b.items.parquet")
    described = duckdb.connect().sql(f"DESCRIBE FROM '{tmp_path}/b.nodes.parquet'").fetchall()
    assert ("height", "DOUBLE") in [row[:2] for row in described]


def test_reads_tables_of_others(tmp_path):
    make(tmp_path / "a.nodes.parquet", {"node": ["r", "x"], "parent": pa.array([None, "r"]), "rank": ["k", "f"]})
    make(tmp_path / "a.items.parquet", {"node": ["x", "x", "r"], "item": [7, 8, 9], "weight": [1.0, 2.0, 0.5]})
    with pytest.warns(AssumptionWarning, match=r"a\.nodes\.parquet: .* they are left out: 'rank', 'weight'"):
        found = read(tmp_path / "a.nodes.parquet")
    assert found == from_paths({"7": "x", "8": "x", "9": ""})
    with pytest.warns(AssumptionWarning, match="left out"):
        assert read_many(tmp_path / "a.items.parquet")["1"] == found


def test_without_items_every_leaf_is_one():
    found = from_tables({"node": ["birds", "owl", "all", "cat"], "parent": ["all", "birds", None, "all"]})
    assert sorted(found.items) == ["cat", "owl"]
    assert found.node_names[-1] == "all"
    assert found.depths[found.item_node].tolist() in ([1, 2], [2, 1])


def test_an_existing_file_of_the_pair_is_replaced_only_by_force(tmp_path):
    write(TREE, tmp_path / "a.items.parquet")
    (tmp_path / "a.nodes.parquet").unlink()
    with pytest.raises(InvalidInputError, match=r"a\.items\.parquet exists \(force=True replaces it"):
        write(TREE, tmp_path / "a.nodes.parquet")
    assert os.listdir(tmp_path) == ["a.items.parquet"]
    with pytest.raises(InvalidInputError, match=r"beside each other; there is no a\.nodes\.parquet"):
        read(tmp_path / "a.items.parquet")
    write(TREE, tmp_path / "a.nodes.parquet", force=True)
    assert read(tmp_path / "a.nodes.parquet") == TREE


def test_none_of_the_pair_is_left_if_one_cannot_be_written(tmp_path, monkeypatch):
    def refuse(path, mode="r", *_, **__):
        if "x" in mode and len(opened) == 1:
            raise OSError(28, "No space left on device")
        opened.append(path)
        return real(path, mode)

    opened, real = [], open
    monkeypatch.setattr("dendrometry._files.open", refuse, raising=False)
    with pytest.raises(InvalidInputError, match=r"cannot write .*a\.items\.parquet: No space left on device"):
        write(TREE, tmp_path / "a.nodes.parquet")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("nodes", "items", "says"),
    [
        ({"parent": [None]}, None, "a table of nodes must have the columns node and parent; it lacks 'node'"),
        (NODES, {"item": ["a"]}, "a table of items must have the columns item and node; it lacks 'node'"),
        (
            {"node": [0, 0], "parent": [None, None]},
            None,
            "each node must be given once; row 1 of nodes gives '0' again",
        ),
        (
            {"node": [0, None], "parent": [None, 0]},
            None,
            "row 1 of nodes: node must be a whole number or text; got None",
        ),
        ({"node": [0, 1], "parent": [None, 5]}, None, "row 1 of nodes: parent must be one of the nodes; got 5"),
        ({"node": [0, "1"], "parent": [None, 0]}, None, "nodes: node must be all whole numbers or all text; got both"),
        ({"node": [0, 1], "parent": [None, True]}, None, "row 1 of nodes: parent must be a whole number or text; got"),
        ({"node": [0, 1], "parent": [1, 0]}, None, "one node must be the root"),
        ({"node": [0, 1, 2], "parent": [None, 2, 1]}, None, "these lie on a cycle or below one"),
        ({"node": [0, 1], "parent": [None]}, None, r"the columns of nodes must have the same length; got \[1, 2\]"),
        (NODES | {"height": [1.0, None, 1.0, 2.0, 3.0]}, ITEMS, "all nodes must have heights, or none; 1 of 5 nodes"),
        (NODES | {"height": ["1"] * 5}, ITEMS, "the column height must hold numbers"),
        (NODES | {"name": [5] * 5}, ITEMS, "node_names must be strings"),
        (NODES, {"item": ["a"], "node": [7]}, "row 0 of items: node must be one of the nodes; got 7"),
        (NODES, {"item": ["a"], "node": ["3"]}, "row 0 of items: node must be one of the nodes; got '3'"),
        (NODES, {"item": ["a", "a"], "node": [0, 1]}, "item names must be distinct|repeated"),
        (NODES, {"item": [None], "node": [0]}, "row 0 of items: item must be a whole number or text; got None"),
        (NODES, {"item": [], "node": []}, "must have at least one item; got none"),
    ],
)
def test_refuses_tables_that_are_no_tree(nodes, items, says):
    with pytest.raises(DendrometryError, match=says):
        from_tables(nodes, items)


def test_says_in_which_file_a_table_is_wrong(tmp_path):
    write(TREE, tmp_path / "a.nodes.parquet")
    make(tmp_path / "a.items.parquet", {"item": ["a"], "node": [0.5]})
    with pytest.raises(
        DendrometryError, match=r"a\.nodes\.parquet: in the table of items: the column node must hold whole numbers or"
    ):
        read(tmp_path / "a.nodes.parquet")
    (tmp_path / "a.items.parquet").write_bytes(b"nothing")
    with pytest.raises(DendrometryError, match="in the table of items: the file must be Parquet"):
        read(tmp_path / "a.nodes.parquet")
    with pytest.raises(DendrometryError, match=r"must unpack to at most 10 bytes; it holds more \(see max_bytes\)"):
        read(tmp_path / "a.nodes.parquet", max_bytes=10)


def test_a_user_who_stops_reading_is_obeyed(tmp_path, monkeypatch):
    write(from_newick("((ape,cat),owl);"), tmp_path / "tree.parquet")
    in_python = duckdb.InvalidInputException("reading the object failed: KeyboardInterrupt: ")
    for error in (RuntimeError("Query interrupted"), duckdb.InterruptException("Interrupted"), in_python):
        monkeypatch.setattr(ParquetTable, "select", Mock(side_effect=error))
        with pytest.raises(KeyboardInterrupt):
            read(tmp_path / "tree.parquet")
