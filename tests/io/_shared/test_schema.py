"""The exchange schema: what the two tables of a tree must hold, and how their files are named."""

import pytest

from dendrometry.errors import FormatError
from dendrometry.io._shared.schema import ITEM_TABLE, NODE_TABLE, pair_of_tables


@pytest.mark.parametrize("name", ["runs/a.nodes.parquet", "runs/a.items.parquet"])
def test_either_file_names_the_pair(name):
    assert pair_of_tables(name) == ("runs/a.nodes.parquet", "runs/a.items.parquet")


@pytest.mark.parametrize("name", ["a.parquet", "nodes.parquet", "runs/.nodes.parquet", "a.nodes.csv"])
def test_other_names_are_not_of_a_pair(name):
    assert pair_of_tables(name) is None


def test_the_tables_of_the_schema_pass():
    NODE_TABLE.check([("node", "BIGINT"), ("parent", "BIGINT"), ("height", "DOUBLE"), ("name", "VARCHAR")])
    NODE_TABLE.check([("node", "VARCHAR"), ("parent", "VARCHAR")])
    ITEM_TABLE.check([("item", "VARCHAR"), ("node", "UINTEGER"), ("weight", "DECIMAL(18,3)")])
    assert ITEM_TABLE.strange(["item", "node", "size"]) == ["size"]


@pytest.mark.parametrize(
    ("schema", "columns", "says"),
    [
        (NODE_TABLE, [("node", "BIGINT")], "a table of nodes must have the columns node and parent; it lacks 'parent'"),
        (ITEM_TABLE, [("node", "BIGINT")], "a table of items must have the columns item and node; it lacks 'item'"),
        (NODE_TABLE, [("node", "DOUBLE"), ("parent", "BIGINT")], "node must hold whole numbers or text; got DOUBLE"),
        (
            NODE_TABLE,
            [("node", "BIGINT"), ("parent", "BIGINT"), ("name", "BIGINT")],
            "name must hold text; got BIGINT",
        ),
        (
            NODE_TABLE,
            [("node", "BIGINT"), ("parent", "BIGINT"), ("height", "VARCHAR")],
            "height must hold numbers; got VARCHAR",
        ),
    ],
)
def test_refuses_other_columns(schema, columns, says):
    with pytest.raises(FormatError, match=says):
        schema.check(columns)
