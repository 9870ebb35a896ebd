"""Points by batches: a tree in each cell, exact above the cells, written as tables that `read` reads."""

import os
import resource
import sys

import numpy as np
import pytest

from dendrometry import agglomerate, compare, read
from dendrometry.engine import CellReport, cells_on_duckdb, cluster_table, overlap_from_tables
from dendrometry.engine.cells import CELL, centres_of, nearest
from dendrometry.errors import InvalidInputError, MissingExtraError

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def points(n, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 5.0 * rng.integers(0, 4, size=(n, 1))


def write_points(path, X, names, *, as_list=False):
    columns = {"point": list(X)} if as_list else {f"x{i}": X[:, i] for i in range(X.shape[1])}
    parquet.write_table(pa.table({"name": names, **columns}), path)


def cells_of(nodes):
    """Return the cell of each item, by the numbers of the nodes."""
    items = parquet.read_table(str(nodes).replace(".nodes.", ".items.")).to_pydict()
    return dict(zip(items["item"], (node // CELL for node in items["node"]), strict=True))


@pytest.fixture
def small_batches(monkeypatch):
    """Have batches of 64 rows, so that cells are spread over several."""
    monkeypatch.setattr(cells_on_duckdb, "_ROWS", 64)


def check_tree(out, X, names):
    """Check the tree in a file: below each cell the tree of its points, above the cells that of agglomerate(start=)."""
    tree, cell = read(out), cells_of(out)
    assert sorted(tree.items) == sorted(names)
    label = np.array([cell[name] for name in names])
    above = agglomerate(X, start=label, item_names=names).hierarchy
    row = {name: i for i, name in enumerate(names)}
    clusters = {frozenset(tree.items[i] for i in members) for members in _members(tree)}
    assert {frozenset(above.items[i] for i in members) for members in _members(above)} <= clusters
    for number in np.unique(label):
        held = sorted(name for name in names if cell[name] == number)
        below = agglomerate(X[[row[name] for name in held]], item_names=held).hierarchy
        assert {frozenset(below.items[i] for i in members) for members in _members(below)} <= clusters
    nodes = parquet.read_table(str(out).replace(".items.", ".nodes.")).to_pydict()
    top = [height for node, height in zip(nodes["node"], nodes["height"], strict=True) if node // CELL > max(label)]
    assert np.allclose(np.sort(top), np.sort(above.height[above.n_children > 0]))
    return label


def _members(tree):
    """Yield the items below each node."""
    below = [[] for _ in range(tree.n_nodes)]
    for item, v in enumerate(tree.item_node.tolist()):
        below[v].append(item)
    for v, p in enumerate(tree.parent.tolist()):
        yield below[v]
        if p >= 0:
            below[p].extend(below[v])


def test_array_mapped_from_a_file(tmp_path, small_batches):
    X = points(400)
    np.save(tmp_path / "points.npy", X)
    out = tmp_path / "tree.nodes.parquet"
    report = cluster_table(np.load(tmp_path / "points.npy", mmap_mode="r"), out, n_cells=6)
    label = check_tree(out, X, list(map(str, range(400))))
    assert report == CellReport(400, 6, int(np.bincount(label).max()), 60)
    assert read(out).items == tuple(map(str, range(400)))  # so that labels of a cut are in the order of the rows


@pytest.mark.parametrize("as_list", [False, True])
def test_parquet_gives_the_same_tree_whatever_the_order_of_its_rows(tmp_path, small_batches, as_list):
    X, names = points(300), [f"it's {i}" for i in range(300)]
    order = np.random.default_rng(1).permutation(300)
    write_points(tmp_path / "a.parquet", X, names, as_list=as_list)
    write_points(tmp_path / "b.parquet", X[order], [names[i] for i in order], as_list=as_list)
    for name in "ab":
        cluster_table(tmp_path / f"{name}.parquet", tmp_path / f"{name}.items.parquet", n_cells=4, rng=3)
    check_tree(tmp_path / "a.nodes.parquet", X, names)
    for table, columns in (("nodes", ["node", "parent"]), ("items", ["item", "node"])):
        a, b = (parquet.read_table(tmp_path / f"{name}.{table}.parquet", columns=columns) for name in "ab")
        assert a.equals(b)
    overlap = overlap_from_tables(tmp_path / "a.items.parquet", tmp_path / "b.items.parquet")
    assert overlap.n_items == 300
    assert (
        compare(read(tmp_path / "a.items.parquet"), read(tmp_path / "b.items.parquet"))["hierarchy_agreement"].value
        == 1
    )


def test_one_cell_is_the_exact_tree(tmp_path):
    X = points(50)
    cluster_table(X, tmp_path / "tree.nodes.parquet")
    found, exact = read(tmp_path / "tree.nodes.parquet"), agglomerate(X).hierarchy
    assert compare(found, exact)["hierarchy_agreement"].value == 1
    assert np.allclose(np.sort(found.height), np.sort(exact.height))


def test_few_and_equal_points(tmp_path):
    out = tmp_path / "tree.nodes.parquet"
    assert cluster_table(np.ones((1, 2)), out).n_cells == 1
    assert read(out).items == ("0",)
    report = cluster_table(np.ones((9, 2)), out, n_cells=3, force=True)
    assert (report.n_items, report.n_cells) == (9, 1)
    assert read(out).height.max() == 0


def test_centres_and_nearest():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0], [9.0, 8.0]]) + 1e6
    centre = centres_of(X, 2)
    assert sorted((centre - 1e6).tolist()) == [[0.0, 0.5], [9.0, 8.5]]
    label = nearest(X, centre)
    assert label[0] == label[1] != label[2] == label[3]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"name": ["a", "b"], "x": [1.0, float("nan")]}, "points must be 1 finite numbers each; those of item 'b'"),
        ({"name": ["a", "b"], "x": [1.0, None]}, "points must be 1 finite numbers each; those of item 'b'"),
        ({"name": ["a", "b"], "x": [[1.0], [1.0, 2.0]]}, "finite numbers each; those of item"),
        ({"name": ["a", None], "x": [1.0, 2.0]}, "every row must name its item; 1 row without one"),
        ({"name": ["a", "a"], "x": [1.0, 2.0]}, "item names must be distinct; 1 of 2 are"),
        ({"name": ["a", "b"], "x": ["1", "2"]}, "beside the items must be numbers, .*; got 'x VARCHAR'"),
        ({"name": ["a", "b"]}, "beside the items must be numbers, .*; got none"),
        ({"name": pa.array([], pa.string()), "x": pa.array([], pa.float64())}, "at least one row; got none"),
    ],
)
def test_refuses_points(tmp_path, columns, message):
    parquet.write_table(pa.table(columns), tmp_path / "points.parquet")
    with pytest.raises(InvalidInputError, match=message):
        cluster_table(tmp_path / "points.parquet", tmp_path / "tree.nodes.parquet")
    assert os.listdir(tmp_path) == ["points.parquet"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_cells": 0}, "n_cells must be"),
        ({"n_cells": 9}, "n_cells must be"),
        ({"n_cells": 4, "n_sample": 3}, "n_sample must be"),
        ({"max_memory": 0}, "max_memory must be"),
        ({"out": "tree.parquet"}, r"out must end in \.nodes\.parquet or \.items\.parquet; got tree\.parquet"),
        ({"out": "none/tree.nodes.parquet"}, "there is no such folder"),
        ({"out": "old.nodes.parquet"}, "old.items.parquet exists"),
        ({"points": np.ones(3)}, r"an array of numbers of two dimensions; got shape \(3,\) of float64"),
        ({"points": "none.parquet"}, "cannot read none.parquet: no such file"),
        ({"points": "points.csv"}, "points must be in Parquet files; got csv"),
        ({"points": "points.parquet", "item": "id"}, "the table must have the column 'id'; got 'name', 'x0'"),
        ({"engine": "spork"}, "engine must be"),
    ],
)
def test_refuses_options(tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    write_points("points.parquet", points(5, 1), list("abcde"))
    (tmp_path / "points.csv").write_text("name,x\na,1\n", encoding="utf-8")
    (tmp_path / "old.items.parquet").write_text("mine", encoding="utf-8")
    before = sorted(os.listdir(tmp_path))
    with pytest.raises((InvalidInputError, MissingExtraError), match=message):
        cluster_table(**{"points": points(5), "out": "tree.nodes.parquet", **options})
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize(
    ("module", "engine", "message"),
    [
        ("pyarrow", "duckdb", r"cluster_table\(\) needs pyarrow: pip install 'dendrometry\[tables\]'"),
        ("duckdb", "duckdb", r"the engine duckdb needs duckdb: pip install 'dendrometry\[tables\]'"),
        ("pyspark", "spark", r"the engine spark needs pyspark: pip install 'dendrometry\[spark\]'"),
    ],
)
def test_what_is_not_installed_is_named(tmp_path, monkeypatch, module, engine, message):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=message):
        cluster_table(points(9), tmp_path / "tree.nodes.parquet", engine=engine)
    assert os.listdir(tmp_path) == []


def test_nothing_is_left_of_a_write_that_fails(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InvalidInputError, match="No space left on device"):
        cluster_table(points(9), tmp_path / "tree.nodes.parquet")
    assert os.listdir(tmp_path) == []


def test_nothing_is_left_of_a_write_to_a_full_disk(tmp_path):
    X, out = points(3_000), tmp_path / "tree.nodes.parquet"
    cluster_table(X, out)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # no file may be larger
    try:
        with pytest.raises(InvalidInputError, match=r'^DuckDB cannot do this: [^{]*"[^{]*: File too large$'):
            cluster_table(X, tmp_path / "large.nodes.parquet")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert sorted(os.listdir(tmp_path)) == ["tree.items.parquet", "tree.nodes.parquet"]
