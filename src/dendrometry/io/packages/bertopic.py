"""The hierarchy of topics of BERTopic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import int_column
from dendrometry._check.frames import columns_of
from dendrometry._check.names import names_or_numbers
from dendrometry._display import printable, quote_first
from dendrometry.errors import InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.known_columns import BERTOPIC_COLUMNS
from dendrometry.io.parents import from_parents

_OUTLIERS = -1


def from_bertopic(frame: Any, topics: ArrayLike | None = None, item_names: Iterable[str] | None = None) -> Hierarchy:
    """Return the hierarchy of topics that BERTopic's ``hierarchical_topics`` returns, with the documents in its leaves.

    Parameters
    ----------
    frame : data frame
        What ``model.hierarchical_topics(docs)`` returns: a row for each merge of two topics.
    topics : (n_documents,) array of int, optional
        The topic of each document, ``model.topics_``. Outliers, topic -1, are in no topic and belong to the root. By
        default the items are the topics themselves, one in each leaf: two runs have different topics, and are
        compared by their documents.
    item_names : sequence of str, optional
        The names of the documents, or of the topics in ascending order; by default the numbers of documents from "0",
        or those of the topics with their words, such as "0_ships_oil".

    Returns
    -------
    Hierarchy
        Heights are the distances of the merges, names of nodes those of the topics.

    Raises
    ------
    InvalidInputError
        If the frame lacks a column, or a document has a topic that is not in the frame.
    InvalidTreeError
        If the merges do not form a tree.

    Examples
    --------
    >>> import pandas as pd
    >>> from dendrometry.io import from_bertopic
    >>> names = ["Parent_ID", "Parent_Name", "Child_Left_ID", "Child_Left_Name", "Child_Right_ID", "Child_Right_Name",
    ...          "Distance"]
    >>> rows = [["4", "all", "3", "ships_oil", "0", "sport", 0.9], ["3", "ships_oil", "1", "ships", "2", "oil", 0.4]]
    >>> print(from_bertopic(pd.DataFrame(rows, columns=names), topics=[0, 1, 1, 2, -1]).draw())
    all: 4 (0.9)
    ├─ sport: 0
    └─ ships_oil (0.4)
       ├─ ships: 1, 2
       └─ oil: 3
    """
    columns = columns_of(frame)
    missing = [name for name in BERTOPIC_COLUMNS if name not in columns]
    if missing:
        raise InvalidInputError(f"frame must have the columns of hierarchical_topics; it lacks {quote_first(missing)}")
    numbers = (columns[name] for name in BERTOPIC_COLUMNS[::2][:3])
    merges = [tuple(map(_whole, row)) for row in zip(*numbers, strict=True)]
    if not merges:
        raise InvalidTreeError("frame must have at least one merge; got none")
    number: dict[int, int] = {}
    for v in sorted({v for merge in merges for v in merge}):
        number[v] = len(number)
    parent, names, height = [-1] * len(number), [""] * len(number), [0.0] * len(number)
    for i, (p, left, right) in enumerate(merges):
        names[number[p]], height[number[p]] = str(columns["Parent_Name"][i]), float(columns["Distance"][i])
        for child, side in ((left, "Left"), (right, "Right")):
            if parent[number[child]] >= 0:
                raise InvalidTreeError(f"each topic must be merged once; topic {child} is merged again")
            parent[number[child]] = number[p]
            names[number[child]] = names[number[child]] or str(columns[f"Child_{side}_Name"][i])
    leaves = sorted(set(number) - {p for p, _, _ in merges})
    if topics is None:
        at = [number[topic] for topic in leaves]
        own = [f"{topic}_{names[v]}" for topic, v in zip(leaves, at, strict=True)]
        item_names = own if item_names is None else item_names
    else:
        roots = [v for v, p in enumerate(parent) if p < 0]
        at = _nodes(int_column(topics, "topics").tolist(), {topic: number[topic] for topic in leaves}, roots[0])
    return from_parents(parent, at, height, names_or_numbers(item_names, len(at)), names)


def _whole(value: object) -> int:
    """Return the number of a topic, which BERTopic writes as text."""
    try:
        return int(str(value))
    except ValueError:
        raise InvalidInputError(f"the topics of frame must be whole numbers; got {printable(value)}") from None


def _nodes(topics: list[int], leaf: dict[int, int], root: int) -> list[int]:
    """Return the node of each document: the leaf of its topic, or the root for an outlier."""
    known = leaf | {_OUTLIERS: root}
    unknown = sorted(set(topics) - set(known))
    if unknown:
        raise InvalidInputError(f"topics must be leaves of frame, or -1; got {quote_first(unknown)}")
    return list(np.array([known[topic] for topic in topics], dtype=np.int64).tolist())
