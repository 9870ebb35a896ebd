"""Two tables of one tree carry its mark, so that a table of another tree beside them is not taken for theirs."""

import shutil

import duckdb
import numpy as np
import pytest

from dendrometry import from_newick, read, write
from dendrometry.engine import ItemTable, cluster_table, overlap_from_tables
from dendrometry.errors import DendrometryError

FIRST = from_newick("((ape:1,cat:1):2,(elk:1,owl:1):2);")
SECOND = from_newick("((ape:1,elk:1):2,(cat:1,owl:1):2);")  # nodes and items of the same numbers
REFUSED = "must be the tables of one tree; they were not written together"


@pytest.fixture
def mixed(tmp_path):
    """The nodes of one tree beside the items of another."""
    write(FIRST, tmp_path / "x.nodes.parquet")
    write(SECOND, tmp_path / "y.nodes.parquet")
    shutil.copy(tmp_path / "y.items.parquet", tmp_path / "x.items.parquet")
    return tmp_path / "x.nodes.parquet"


def test_tables_of_two_trees_are_refused(mixed):
    with pytest.raises(DendrometryError, match=REFUSED):
        read(mixed)
    with pytest.raises(DendrometryError, match=REFUSED):
        overlap_from_tables(mixed, mixed.with_name("y.items.parquet"))


def test_a_table_that_another_program_wrote_has_no_mark(mixed, tmp_path):
    again = tmp_path / "again.parquet"
    duckdb.sql(f"COPY (FROM '{mixed}') TO '{again}'")
    shutil.move(again, mixed)
    assert read(mixed).n_items == 4


def test_the_same_tree_has_the_same_bytes(tmp_path):
    for name in "ab":
        write(FIRST, tmp_path / f"{name}.nodes.parquet")
    for table in ("nodes", "items"):
        assert (tmp_path / f"a.{table}.parquet").read_bytes() == (tmp_path / f"b.{table}.parquet").read_bytes()
    assert read(tmp_path / "a.items.parquet") == FIRST


def test_tables_of_points_carry_marks_too(tmp_path):
    for name, seed in (("a", 0), ("b", 1), ("c", 0)):
        points = np.random.default_rng(seed).normal(size=(300, 2))
        cluster_table(points, tmp_path / f"it's {name}.nodes.parquet", n_cells=3)
    shutil.copy(tmp_path / "it's c.items.parquet", tmp_path / "it's a.items.parquet")
    assert read(tmp_path / "it's a.nodes.parquet").n_items == 300
    shutil.copy(tmp_path / "it's b.items.parquet", tmp_path / "it's a.items.parquet")
    with pytest.raises(DendrometryError, match=REFUSED):
        read(tmp_path / "it's a.nodes.parquet")


def test_tables_of_csv_have_no_marks(tmp_path):
    (tmp_path / "nodes.csv").write_text("node,parent\nr,\nx,r\ny,r\n", encoding="utf-8")
    (tmp_path / "items.csv").write_text("item,node\na,x\nb,y\n", encoding="utf-8")
    table = ItemTable(source=tmp_path / "items.csv", nodes=tmp_path / "nodes.csv")
    with pytest.raises(DendrometryError, match="parent must be one of the nodes; got ''"):  # empty is not missing
        overlap_from_tables(table, table)
