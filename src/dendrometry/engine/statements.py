"""The SQL of the counts: one text for every engine, in which nothing comes from users.

An engine makes these views, whose names begin with a prefix of its own: ``first`` and ``second`` with the columns item,
node and weight of the two tables, and ``first_nodes`` and ``second_nodes`` with the number of each value of node.
"""

from __future__ import annotations

from typing import Literal

SIDES = ("first", "second")

# An item with one row in each table has two rows, a node of the first and a node of the second.
_ITEMS = """
    SELECT item, MAX(first_node) AS first_node, MAX(second_node) AS second_node, COUNT(*) AS n_rows{weights}
    FROM (
        SELECT item, number AS first_node, CAST(NULL AS INTEGER) AS second_node{weight}
        FROM {prefix}first AS t JOIN {prefix}first_nodes AS n ON t.node = n.node
        UNION ALL
        SELECT item, CAST(NULL AS INTEGER) AS first_node, number AS second_node{weight}
        FROM {prefix}second AS t JOIN {prefix}second_nodes AS n ON t.node = n.node
    ) AS both_tables
    GROUP BY item
"""
Fault = Literal["no node", "no weight"]
_FAULTS: dict[Fault, str] = {"no node": "node IS NULL", "no weight": "weight IS NULL OR weight < 1"}


def count_nodes(prefix: str, side: str, most: int) -> str:
    """Return the count of the rows at each node: node, rows, items that are missing, weights that are not above 0."""
    return f"""
SELECT node, COUNT(*) AS n_rows, COUNT(*) - COUNT(item) AS n_nameless,
    COUNT(*) - COUNT(CASE WHEN weight > 0 THEN 1 END) AS n_weightless
FROM {prefix}{side}
GROUP BY node
LIMIT {most}
"""


def count_items(prefix: str, most: int, *, weighted: bool) -> str:
    """Return the count of the items by node in the first table, node in the second (-1 for none) and number of rows.

    With weights, the sum of the weights and the number of items whose weights differ follow, otherwise the count again
    and 0.
    """
    total = "CAST(SUM(weight) AS BIGINT)" if weighted else "COUNT(*)"
    n_differing = "COUNT(CASE WHEN weight < most_weight THEN 1 END)" if weighted else "0"
    return f"""
SELECT COALESCE(first_node, -1) AS first_number, COALESCE(second_node, -1) AS second_number, n_rows,
    COUNT(*) AS n_items, {total} AS total, {n_differing} AS n_differing
FROM ({_items(prefix, weighted)}) AS items
GROUP BY first_node, second_node, n_rows
LIMIT {most}
"""


def nodes_without_items(prefix: str, side: str, count: int) -> str:
    """Return the first nodes that hold rows without an item."""
    return f"SELECT node FROM {prefix}{side} WHERE item IS NULL GROUP BY node ORDER BY node LIMIT {count}"


def items_with(fault: Fault, prefix: str, side: str, count: int) -> str:
    """Return the first items of a table whose node or weight has a fault."""
    return f"SELECT item FROM {prefix}{side} WHERE {_FAULTS[fault]} ORDER BY item LIMIT {count}"


def items_of_one(prefix: str, side: str, count: int) -> str:
    """Return the first items of a table that the other table lacks."""
    other = "second_node" if side == "first" else "first_node"
    return f"""
SELECT item FROM ({_items(prefix, weighted=False)}) AS items WHERE {other} IS NULL ORDER BY item LIMIT {count}
"""


def repeated_items(prefix: str, side: str, count: int) -> str:
    """Return the first items of a table that have several rows, and beside each the number of such items."""
    return f"""
SELECT item, COUNT(*) OVER () AS n_repeated
FROM (SELECT item FROM {prefix}{side} GROUP BY item HAVING COUNT(*) > 1) AS repeated
ORDER BY item LIMIT {count}
"""


def items_of_two_weights(prefix: str, count: int) -> str:
    """Return the first items that have one weight in the first table and another in the second."""
    return f"""
SELECT item FROM ({_items(prefix, weighted=True)}) AS items WHERE weight < most_weight ORDER BY item LIMIT {count}
"""


def _items(prefix: str, weighted: bool) -> str:
    """Return the statement that gathers the rows of each item of either table."""
    weights = ", MIN(weight) AS weight, MAX(weight) AS most_weight" if weighted else ""
    return _ITEMS.format(prefix=prefix, weight=", weight" if weighted else "", weights=weights)
