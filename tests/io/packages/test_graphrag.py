"""Communities of GraphRAG."""

import json

import pytest
from hypothesis import given
from tests.strategies import hierarchies
from tests.work import calls_limited

import dendrometry as dm
from dendrometry.errors import DendrometryError
from dendrometry.io import from_graphrag
from dendrometry.io.packages.graphrag import columns_of_records

TABLE = {
    "community": [0, 1, 2],
    "parent": [-1, 0, 0],
    "level": [0, 1, 1],
    "entity_ids": [["a", "b", "c"], ["a"], ["b"]],
    "text_unit_ids": [["t", "u"], ["t"], ["t"]],
}


@given(hierarchies(heights=False))
def test_every_tree_of_communities_comes_back(tree):
    keep = list(range(tree.n_nodes - 1)) or [0]  # the root is not a community
    depths, order = tree.depths.tolist(), tree.order
    below = [[tree.items[i] for i in order.item[order.item_low[v] : order.item_high[v]]] for v in range(tree.n_nodes)]
    whole = tree.n_nodes
    table = {
        "community": [*keep, whole] if whole > 1 else [0],
        "parent": [p if p != tree.root else whole for p in tree.parent.tolist()[:-1]] + [-1],
        "level": [depths[v] for v in range(tree.n_nodes)],
        "entity_ids": below,
    }
    assert from_graphrag(table) == tree


def test_text_units_are_in_several_communities():
    with pytest.raises(DendrometryError, match="must be in one community of a level; 1 item of text_unit_ids"):
        from_graphrag(TABLE, members="text_unit_ids")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"community": [0, 1, 1]}, "each community must be given once; row 2 gives 1 again"),
        ({"community": [0, 1, "x"]}, "row 2: community must be a whole number; got x"),
        ({"parent": [-1, 0, 9]}, "row 2: parent must be a community of the table, or -1; got 9"),
        ({"parent": [1, 0, 0]}, "one node must be the root"),
        ({"level": [0, 1, 0.5]}, "row 2: level must be a whole number; got 0.5"),
        ({"entity_ids": [["a"], ["a"], "a"]}, "row 2: entity_ids must be a list; got a"),
        ({"entity_ids": [[], [], []]}, "must have at least one item; got none"),
        ({"level": [0, 1]}, r"the columns must have the same length; got \[2, 3\]"),
    ],
)
def test_refuses_what_are_no_communities(change, says):
    with pytest.raises(DendrometryError, match=says):
        from_graphrag(TABLE | change)


def test_names_the_columns_that_are_missing():
    with pytest.raises(DendrometryError, match="communities must have the columns of GraphRAG; it lacks 'level'"):
        from_graphrag({name: column for name, column in TABLE.items() if name != "level"})
    with pytest.raises(DendrometryError, match="members must be the name of a column; got 5"):
        from_graphrag(TABLE, members=5)
    with pytest.raises(DendrometryError, match="it lacks 'covariate_ids'"):
        from_graphrag(TABLE, members="covariate_ids")


@pytest.mark.parametrize("text", ['[{"entity_ids": 3}', '[{"entity_ids": []}, 5]', '[{"entity_ids": []}]'])
def test_json_that_is_no_table_is_refused(tmp_path, text):
    path = tmp_path / "communities.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DendrometryError, match=r"communities\.json: "):
        dm.read(path)


def test_columns_that_are_not_used_are_not_made():
    good = {"community": 0, "parent": -1, "level": 0, "entity_ids": [], "title": "x"}
    text = json.dumps([good | {f"k{i}": 0 for i in range(3_000)}] + [{}] * 3_000)
    with calls_limited(100_000):
        columns = columns_of_records(text)
    assert set(columns) == set(good)
    assert all(len(column) == 3_001 for column in columns.values())
