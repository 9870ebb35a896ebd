"""Labels of items: every function that takes them takes the same and refuses the same."""

from collections.abc import Callable
from enum import StrEnum

import numpy as np
import pandas as pd
import polars as pl
import pytest

from dendrometry import Contingency, from_labels
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.palette import group_items


class Kind(StrEnum):
    PET = "pet"
    WILD = "wild"


def by_hierarchy(labels: object) -> tuple[list[int], list[str]]:
    tree = from_labels(labels)
    return tree.item_node.tolist(), list(tree.node_names[:-1])


def by_contingency(labels: object) -> tuple[list[int], list[str]]:
    table = Contingency.of(labels, labels)
    return table.code_a.tolist(), list(map(str, table.label_a.tolist()))


def by_plot(labels: object) -> tuple[list[int], list[str]]:
    groups = group_items(("i", "j", "k"), labels)  # the more frequent label first, which is the second by name
    return [1 - code for code in groups.code.tolist()], list(groups.names[::-1])


DOORS = pytest.mark.parametrize("door", [by_hierarchy, by_contingency, by_plot])
Door = Callable[[object], tuple[list[int], list[str]]]

GOOD = {
    "integers": ([3, -1, 3], ["-1", "3"]),
    "array": (np.array([3, -1, 3], dtype=np.int8), ["-1", "3"]),
    "whole floats": ([3.0, -1.0, 3.0], ["-1", "3"]),
    "mixed numbers": ([3, np.float32(-1), 3.0], ["-1", "3"]),
    "huge integers": ([2**70, -(2**70), 2**70], [str(-(2**70)), str(2**70)]),
    "text": (["wild", "pet", "wild"], ["pet", "wild"]),
    "words of an enumeration": ([Kind.WILD, Kind.PET, Kind.WILD], ["pet", "wild"]),
    "text in numpy": (np.array(["wild", "pet", "wild"]), ["pet", "wild"]),
    "text in pandas": (pd.Series(["wild", "pet", "wild"]), ["pet", "wild"]),
    "text in polars": (pl.Series(["wild", "pet", "wild"]), ["pet", "wild"]),
    "categories": (pd.Categorical(["wild", "pet", "wild"]), ["pet", "wild"]),
    "bytes": ([b"wild", b"pet", b"wild"], ["b'pet'", "b'wild'"]),
    "booleans": ([True, False, True], ["False", "True"]),
    "booleans in numpy": (np.array([True, False, True]), ["False", "True"]),
    "digits as text": (["007", "0", "007"], ["0", "007"]),
}

BAD = {
    "none at all": ([], "must hold at least one item; got none"),
    "a word": ("abc", "must be one label for each item; got the single value abc"),
    "a number": (7, "must be one label for each item; got the single value 7"),
    "a set": ({1, 2}, "must be one label for each item; got the single value"),
    "a table": ([[1, 2], [2, 1]], r"must be one label for each item; got shape \(2, 2\)"),
    "nan": ([1, np.nan, 2], "must hold no missing label; got nan at position 1$"),
    "nan in an array": (np.array([1, np.nan, 2]), "must hold no missing label; got nan at position 1$"),
    "a fraction": ([1, 0.5, 2], r"must hold whole numbers; got 0\.5 at position 1"),
    "infinity": ([1, np.inf, 2], "must hold whole numbers; got inf at position 1"),
    "several nan": (np.array([np.nan, 0.5, np.nan]), "must hold no missing label; got nan at positions 0, 2$"),
    "a missing word": (["a", None, "b"], "must hold no missing label; got None at position 1"),
    "a missing word in pandas": (pd.Series(["a", pd.NA, "b"], dtype=object), "must hold no missing label; got <NA>"),
    "a masked label": (np.ma.array([1, 2, 3], mask=[0, 1, 0]), "must hold no missing label; got a masked one"),
    "text and numbers": ([1, "1", 2], "must be all whole numbers, all text or all booleans; got int and str"),
    "booleans and numbers": ([True, 1, 0], "must be all whole numbers, all text or all booleans; got bool and int"),
    "complex numbers": (
        np.array([1j, 2j, 1j]),
        "whole numbers, text or booleans; got values of type complex",
    ),
}


@DOORS
@pytest.mark.parametrize(("labels", "names"), GOOD.values(), ids=GOOD)
def test_every_door_takes_the_same_labels(door: Door, labels, names):
    assert door(labels) == ([1, 0, 1], names)


@DOORS
@pytest.mark.parametrize(("labels", "message"), BAD.values(), ids=BAD)
def test_every_door_refuses_the_same_labels(door: Door, labels, message):
    with pytest.raises(InvalidInputError, match=message):
        door(labels)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
@pytest.mark.parametrize("kind", [int, str])
def test_names_the_first_ten_missing_labels_and_counts_the_rest(missing, kind):
    labels = [missing if i % 3 == 1 else kind(i) for i in range(3000)]
    with pytest.raises(InvalidInputError, match=r"at positions 1, 4, 7, 10, 13, 16, 19, 22, 25, 28 and 990 more$"):
        from_labels(labels)


NAMED = {
    "a Series of text": (
        pd.Series(["x", None, "y"], index=["ape", "cat", "elk"]),
        r"got None at position 1 \('cat'\)$",
    ),
    "categories": (pd.Series(["x", None], index=["p", "q"], dtype="category"), r"got None at position 1 \('q'\)$"),
    "numbers": (pd.Series([1.0, np.nan, 2.5], index=["p", "q", "r"]), r"got nan at position 1 \('q'\)$"),
    "a fraction": (pd.Series([1.0, 2.5], index=["p", "q"]), r"got 2\.5 at position 1 \('q'\)$"),
    "a mapping": ({"ape": None, "cat": "x", "elk": None}, r"got None at positions 0 \('ape'\), 2 \('elk'\)$"),
    "numbered rows": (pd.Series(["x", None, "y"]), "got None at position 1$"),
    "a list": (["x", float("nan"), "y"], "got nan at position 1$"),
    "a long name": ({"\x1b" * 99: None}, r"at position 0 \('(\\x1b)+.*…'\)$"),
}


@pytest.mark.parametrize(("labels", "message"), NAMED.values(), ids=NAMED)
def test_a_refused_label_is_told_by_the_name_of_its_row(labels, message):
    with pytest.raises(InvalidInputError, match=message):
        from_labels(labels)
