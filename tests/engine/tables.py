"""Tables in files, the same tables in memory, and what makes two overlaps equal."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from tests.strategies import any_names, random_hierarchy

from dendrometry import Hierarchy, Overlap, from_levels, from_paths
from dendrometry.engine import ItemTable
from dendrometry.io import from_tables, to_tables
from dendrometry.io.formats.parquet import parquet_bytes

_KINDS = {"parent": "BIGINT", "height": "DOUBLE", "name": "VARCHAR", "weight": "BIGINT"}


class Drawn(NamedTuple):
    """A table: how its nodes are told, its columns, and its table of nodes if there is one."""

    layout: str
    columns: dict[str, list[Any]]
    nodes: dict[str, list[Any]] | None = None

    def write(self, folder: Path, name: str) -> ItemTable:
        """Write the table to a folder, and return where it is."""
        if self.nodes is None:
            write_parquet(folder / f"{name}.parquet", self.columns)
            return ItemTable(source=folder / f"{name}.parquet", sep="/" if self.layout == "path" else "")
        write_parquet(folder / f"{name}.items.parquet", self.columns)
        write_parquet(folder / f"{name}.nodes.parquet", self.nodes)
        return ItemTable(source=folder / f"{name}.items.parquet")

    def tree(self) -> Hierarchy:
        """Return the tree in memory, its nodes in ascending order of their values."""
        node = next(name for name in self.columns if name not in ("item", "weight"))
        rows = sorted(zip(self.columns[node], map(str, self.columns["item"]), strict=True))
        values, items = [value for value, _ in rows], [item for _, item in rows]
        if self.nodes is not None:
            return from_tables(self.nodes, {"item": items, "node": values})
        if self.layout == "path":
            return from_paths(values, items, sep="/")
        return from_levels({"item": items, "label": values}, sep="")


def write_parquet(path: Path, columns: dict[str, list[Any]]) -> None:
    """Write columns of text or whole numbers as a Parquet file."""
    kinds = {
        name: _KINDS.get(name) or ("BIGINT" if any(isinstance(value, int) for value in column) else "VARCHAR")
        for name, column in columns.items()
    }
    path.write_bytes(parquet_bytes(columns, kinds))


@st.composite
def table_pairs(draw: st.DrawFn) -> tuple[Drawn, Drawn]:
    """Draw two tables that have at least one item in common."""
    items = draw(st.one_of(st.lists(any_names, min_size=1, max_size=9, unique=True), st.just([*range(-2, 6)])))
    return _table(draw, items), _table(draw, items)


def _table(draw: st.DrawFn, items: list[Any]) -> Drawn:
    """Draw a table of most of the items."""
    n_lost = draw(st.sampled_from([0, 0, 0, 1, 2]))
    held = draw(st.permutations(items))[: max(len(items) - n_lost, 1)]
    held = held if items[0] in held else [items[0], *held[1:]]
    if draw(st.booleans()) and all(isinstance(item, int) for item in held):
        held = list(map(str, held))
    layout = draw(st.sampled_from(["label", "number", "path", "pair"]))
    if layout == "pair":
        rng = np.random.default_rng(draw(st.integers(0, 99)))
        nodes, own = to_tables(random_hierarchy(len(held), rng, wild=True, heights=draw(st.booleans())))
        return Drawn(layout, {"item": held, "node": own["node"]}, nodes)
    values = {
        "label": any_names,
        "number": st.integers(-3, 3),
        "path": st.sampled_from(["", "a", "a/b", "a/b/c", "b", "b/a", "é/“x”"]),
    }[layout]
    return Drawn(layout, {"item": held, layout: draw(st.lists(values, min_size=len(held), max_size=len(held)))})


def expected_overlap(a: Drawn, b: Drawn) -> Overlap:
    """Return the overlap of two tables, counted in memory."""
    return Overlap.of(a.tree(), b.tree(), on_mismatch="intersect_any")


def same(one: Overlap, other: Overlap) -> bool:
    """Whether two overlaps agree in everything but the list of items."""
    sides = ((one.a, other.a), (one.b, other.b))
    arrays = [(one.count, other.count)] + [(x, y) for side in sides for x, y in zip(*side, strict=True)]
    agree = all(x is y if x is None or y is None else np.array_equal(x, y) for x, y in arrays)
    return agree and one.left_out == other.left_out and one.node_names == other.node_names
