"""Results of labelling: the words of nodes by one method, or by several methods side by side."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import one_of
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import IntArray
from dendrometry.errors import UnknownNameError
from dendrometry.label.methods import Method

_MOST_LINES = 60
_CELL = 24  # characters in a column of the table


@dataclass(frozen=True, eq=False, repr=False)
class NodeLabels(Frozen, Tabular):
    """The words of nodes of a tree, by one method.

    Made by `label_nodes`. ``labels[v]`` are the words of node v.

    Attributes
    ----------
    method : str
        The method that chose the words.
    node : (n_labelled,) array of int
        The labelled nodes: from the root down, in the order of a drawing, or in the order requested.
    size : (n_labelled,) array of int
        The number of documents of each node.
    terms : tuple of tuples of str
        The words of each node, the best first; a title counts as one word. Empty if the method finds none.
    scores : tuple of tuples of float
        The score of each word, the largest first; its meaning depends on the method.
    n_items, n_nodes : int
        The number of documents, and of nodes of the tree, labelled or not.
    """

    method: Method
    node: IntArray
    size: IntArray
    terms: tuple[tuple[str, ...], ...]
    scores: tuple[tuple[float, ...], ...]
    n_items: int
    n_nodes: int

    def __post_init__(self) -> None:
        """Set the columns to read-only views."""
        for name in ("node", "size"):
            object.__setattr__(self, name, read_only(getattr(self, name).view()))

    def __len__(self) -> int:
        return self.node.size

    def __getitem__(self, v: int) -> tuple[str, ...]:
        """Return the words of node v."""
        (rows,) = np.nonzero(self.node == v)
        if not rows.size:
            raise UnknownNameError(
                f"the node must be labelled; node {v!r} is not ({len(self):,} of {self.n_nodes:,} nodes are)"
            )
        return self.terms[int(rows[0])]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each word: node, size, rank, term and score."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        count = [len(words) for words in self.terms]
        return pd.DataFrame(
            {
                "node": np.repeat(self.node, count),
                "size": np.repeat(self.size, count),
                "rank": np.array([rank for n in count for rank in range(1, n + 1)], dtype=np.int64),
                "term": [term for words in self.terms for term in words],
                "score": np.array([score for scores in self.scores for score in scores], dtype=np.float64),
            }
        )

    def to_json(self) -> str:
        """Return the words and scores of every node as JSON text."""
        content = {"method": self.method, "n_items": self.n_items, "n_nodes": self.n_nodes, "labels": self._records()}
        return json.dumps(content, indent=2, allow_nan=False)

    def _records(self) -> list[dict[str, Any]]:
        """Return each node as plain values."""
        rows = zip(self.node.tolist(), self.size.tolist(), self.terms, self.scores, strict=True)
        return [{"node": v, "size": n, "terms": list(words), "scores": list(s)} for v, n, words, s in rows]

    def __str__(self) -> str:
        rows = zip(self.node.tolist(), self.size.tolist(), self.terms, strict=True)
        lines: list[tuple[str, str, str]] = [("node", "documents", self.method)]
        for v, n, words in list(rows)[:_MOST_LINES]:
            lines.append((str(v), f"{n:,}", printable(", ".join(words), longest=1000)))
        widths = [max(len(line[at]) for line in lines) for at in (0, 1)]
        text = [f"{v:>{widths[0]}}  {n:>{widths[1]}}  {words}".rstrip() for v, n, words in lines]
        if len(self) > _MOST_LINES:
            text.append(f"… {plural(len(self) - _MOST_LINES, 'more node')}")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        words = [", ".join(terms) for terms in self.terms]
        return preview(repr(self), {"node": self.node.tolist(), "documents": self.size.tolist(), self.method: words})

    def __repr__(self) -> str:
        named = sum(map(bool, self.terms))
        return (
            f"NodeLabels({plural(len(self), 'node')} of {self.n_nodes:,}, {named:,} with words,"
            f" {plural(self.n_items, 'document')}, by {self.method})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class LabelTable(Frozen, Tabular):
    """The words of some nodes by several methods, side by side.

    Made by `label_table`; ``table["centroid"]`` are the `NodeLabels` of one method.

    Attributes
    ----------
    columns : tuple of NodeLabels
        The labels by each method, all of the same nodes.
    """

    columns: tuple[NodeLabels, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods, in the order of the columns."""
        return tuple(labels.method for labels in self.columns)

    def __getitem__(self, method: str) -> NodeLabels:
        """Return the labels by one method."""
        columns = dict(zip(self.methods, self.columns, strict=True))
        return columns[one_of(method, "method", columns, which="one of this table: ", error=UnknownNameError)]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each node: its size, and its words by each method."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        first = self.columns[0]
        columns: dict[str, Any] = {"size": first.size}
        for labels in self.columns:
            columns[labels.method] = [", ".join(terms) for terms in labels.terms]
        return pd.DataFrame(columns, index=pd.Index(first.node, name="node"))

    def to_json(self) -> str:
        """Return the words of every node by every method as JSON text."""
        first = self.columns[0]
        rows = [
            {"node": v, "size": n, **{labels.method: list(labels.terms[at]) for labels in self.columns}}
            for at, (v, n) in enumerate(zip(first.node.tolist(), first.size.tolist(), strict=True))
        ]
        return json.dumps({"n_items": first.n_items, "n_nodes": first.n_nodes, "labels": rows}, indent=2)

    def __str__(self) -> str:
        first = self.columns[0]
        blocks = [[["node"], ["documents"], *([method] for method in self.methods)]]
        for at, (v, n) in enumerate(zip(first.node.tolist(), first.size.tolist(), strict=True)):
            blocks.append([[str(v)], [f"{n:,}"], *(_wrap(labels.terms[at]) for labels in self.columns)])
        widths = [max(len(line) for cell in column for line in cell) for column in zip(*blocks, strict=True)]
        return "\n".join(line for block in blocks for line in _lines(block, widths))

    def _repr_html_(self) -> str:
        first = self.columns[0]
        columns: dict[str, list[Any]] = {"node": first.node.tolist(), "documents": first.size.tolist()}
        columns |= {labels.method: [", ".join(terms) for terms in labels.terms] for labels in self.columns}
        return preview(repr(self), columns)

    def __repr__(self) -> str:
        return f"LabelTable({plural(len(self.columns[0]), 'node')} by {', '.join(self.methods)})"


def _wrap(words: Sequence[str]) -> list[str]:
    """Return words as the lines of a cell."""
    return textwrap.wrap(", ".join(printable(word, longest=200) for word in words), _CELL) or [""]


def _lines(block: list[list[str]], widths: list[int]) -> list[str]:
    """Return the cells of one row of the table as lines of text, each cell at its width."""
    height = max(map(len, block))
    filled = [[*cell, *[""] * (height - len(cell))] for cell in block]
    return [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in zip(*filled, strict=True)
    ]
