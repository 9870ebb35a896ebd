"""Frames of every kind give the same columns, and the same trees."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from dendrometry import agglomerate, from_labels, from_levels, from_paths
from dendrometry._check.frames import columns_of, is_frame
from dendrometry.errors import InvalidInputError
from dendrometry.io import from_bertopic, from_hiercc

COLUMNS = {"item": ["cat", "owl", "jay"], "class": ["mammal", "bird", "bird"], "order": [None, "owls", "songs"]}
TREE = from_levels(COLUMNS)


class Stream:
    """Nothing but a stream of Arrow."""

    def __init__(self, frame):
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema=None):
        return self.frame.__arrow_c_stream__(requested_schema)


def relation(columns):
    """A relation of DuckDB, on a connection that lives as long as it."""
    return duckdb.connect().from_arrow(pa.table(columns))


KINDS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "pyarrow": pa.table,
    "record batch": pa.RecordBatch.from_pydict,
    "reader": lambda columns: pa.table(columns).to_reader(),
    "duckdb": relation,
    "stream": lambda columns: Stream(pl.DataFrame(columns)),
    "dictionary": lambda columns: pa.table({k: pa.array(v).dictionary_encode() for k, v in columns.items()}),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_every_frame_is_the_same_table(make):
    assert is_frame(make(COLUMNS))
    assert from_levels(make(COLUMNS)) == TREE
    assert columns_of(make({"a": [1, 2], "b": ["x", "y"]})) == {"a": [1, 2], "b": ["x", "y"]}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_other_tables_take_every_frame(make):
    table = {"strain": ["a", "b", "c"], "HC0": [1, 2, 3], "HC5": [1, 1, 3]}
    assert from_hiercc(make(table)) == from_hiercc(table)
    names = ["Parent_ID", "Parent_Name", "Child_Left_ID", "Child_Left_Name", "Child_Right_ID", "Child_Right_Name"]
    topics = dict(zip(names, [["2"], ["all"], ["0"], ["a"], ["1"], ["b"]], strict=True)) | {"Distance": [0.5]}
    assert from_bertopic(make(topics)).n_items == 2


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table, relation], ids=["polars", "pyarrow", "duckdb"])
def test_points_come_in_frames(make):
    X = np.random.default_rng(0).random((6, 2))
    frame = make({"x": X[:, 0].tolist(), "y": X[:, 1].tolist()})
    assert agglomerate(frame).hierarchy == agglomerate(X).hierarchy
    with pytest.raises(InvalidInputError, match="points must be numbers; got 'a' at position 0 of column 'x'"):
        agglomerate(make({"x": ["a", "b"], "y": [0.5, 1.0]}))


@pytest.mark.parametrize("make", [pl.Series, pa.array, lambda values: pa.chunked_array([values])])
def test_columns_are_sequences(make):
    tree = from_paths(["birds/owls", "birds"], ["owl", "jay"])
    assert from_paths(make(["birds/owls", "birds"]), make(["owl", "jay"])) == tree
    assert from_labels(make(["a", "b"]), make([1, 2])) == from_labels(["a", "b"], ["1", "2"])


@pytest.mark.parametrize("column", [pl.Series(["a"]), pa.chunked_array([["a"]]), pa.array(["a"]), pd.Series(["a"])])
def test_a_column_is_not_a_frame(column):
    assert not is_frame(column)
    with pytest.raises(InvalidInputError, match="a table must be a dict of columns or a data frame; got"):
        columns_of(column)


def test_says_what_a_frame_cannot_do():
    broken = duckdb.connect().sql("SELECT error('out of order') AS a")
    with pytest.raises(InvalidInputError, match=r"rows of a table must be readable; got .*out of order.* from Duck"):
        columns_of(broken)
    with pytest.raises(InvalidInputError, match="column names must be distinct; these are repeated: 'a'"):
        columns_of(pa.table([["x"], ["y"]], names=["a", "a"]))
    with pytest.raises(InvalidInputError, match="a table must have at least one column; got none"):
        columns_of(pl.DataFrame())


def test_a_cell_that_is_not_finite_is_named_by_its_row_and_column():
    frame = pd.DataFrame({"wing": [1.0, 2.0], "beak": [3.0, np.nan]}, index=["owl", "tit"])
    with pytest.raises(
        InvalidInputError, match=r"points must be finite; got nan at position 1 \('tit'\) of column 'beak'"
    ):
        agglomerate(frame)
