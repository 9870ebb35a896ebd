"""Two labelings as a sparse table: what is accepted, what is refused, and that nothing is changed."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Contingency, adjusted_rand, rand
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES

A = [2, 2, 5, 5, 5, -1]
B = [0, 1, 1, 1, 0, 7]


def cells(table: Contingency) -> dict[tuple[object, object], int]:
    """The table as a dictionary of pairs of labels."""
    labels_a, labels_b = table.label_a.tolist(), table.label_b.tolist()
    columns = zip(table.row.tolist(), table.column.tolist(), table.count.tolist(), strict=True)
    return {(labels_a[r], labels_b[c]): m for r, c, m in columns}


EXPECTED = {(-1, 7): 1, (2, 0): 1, (2, 1): 1, (5, 0): 1, (5, 1): 2}


def test_counts_every_pair_of_clusters_that_overlap():
    table = Contingency.of(A, B)
    assert cells(table) == EXPECTED
    assert (table.n_items, table.n_a, table.n_b, table.n_cells, table.left_out) == (6, 3, 3, 5, 0)
    assert table.sizes_a.tolist() == [1, 2, 3]
    assert table.sizes_b.tolist() == [2, 3, 1]
    assert repr(table) == "Contingency(6 items, 3 and 3 clusters, 5 overlaps)"


@pytest.mark.parametrize(
    "form",
    [
        tuple,
        np.array,
        lambda x: np.array(x, dtype=np.int8),
        lambda x: np.array(x, dtype=">i4"),
        lambda x: np.array(x, dtype=np.float32),
        lambda x: np.array(x, dtype=np.float16),
        lambda x: np.array(x, dtype=object),
        lambda x: np.repeat(x, 2)[::2],
        lambda x: np.array([float(v) for v in x]),
        pd.Series,
        pl.Series,
        lambda x: pd.Series(x, index=range(10, 10 + len(x))),
        lambda x: pd.Series(x, dtype="Int64"),
    ],
)
def test_takes_every_kind_of_array_and_leaves_it_unchanged(form):
    given_a, given_b = form(A), form(B)
    assert cells(Contingency.of(given_a, given_b)) == EXPECTED
    assert np.array_equal(np.asarray(given_a), A)
    assert np.array_equal(np.asarray(given_b), B)


@pytest.mark.parametrize(
    "form",
    [
        list,
        np.array,
        lambda x: np.array(x, dtype=object),
        lambda x: np.array(x, dtype=np.dtypes.StringDType()),
        pd.Series,
        pl.Series,
        lambda x: pd.Series(x, dtype="category"),
    ],
)
def test_takes_text_of_every_kind(form):
    text = ["b", "b", "a", "007", "7", "NA"]
    table = Contingency.of(form(text), form(text))
    assert cells(table) == {(x, x): text.count(x) for x in text}


def test_takes_read_only_arrays_and_gives_read_only_columns():
    labels = np.array(A)
    labels.flags.writeable = False
    table = Contingency.of(labels, labels)
    for column in (table.row, table.column, table.count, table.sizes_a, table.sizes_b, table.label_a, table.code_a):
        assert not column.flags.writeable


def test_takes_booleans_bytes_and_very_large_integers():
    assert cells(Contingency.of([True, False, True], [b"x", b"y", b"x"])) == {(False, b"y"): 1, (True, b"x"): 2}
    assert cells(Contingency.of(np.array([True, False] * 2)[::2], [1, 1])) == {(True, 1): 2}
    large = [2**63 + 1, 2**63, 2**63 + 1]
    assert cells(Contingency.of(np.array(large, dtype=np.uint64), [0, 0, 1])) == {
        (2**63, 0): 1,
        (2**63 + 1, 0): 1,
        (2**63 + 1, 1): 1,
    }
    assert cells(Contingency.of([2**70, 2**70 + 1], [0, 0])) == {(2**70, 0): 1, (2**70 + 1, 0): 1}
    far = np.array([-(2**63), 2**63 - 1, 0])
    assert cells(Contingency.of(far, [0, 0, 0])) == {(-(2**63), 0): 1, (0, 0): 1, (2**63 - 1, 0): 1}


def test_integers_of_any_size_and_type_stay_what_they_are():
    expected = {(-1, 1): 2, (2**63, 0): 1}
    mixed = [np.uint64(2**63), np.int8(-1), -1.0]
    for labels in ([2**63, -1, -1], mixed, np.array(mixed, dtype=object)):
        assert cells(Contingency.of(labels, [0, 1, 1])) == expected
    assert Contingency.of([1, 2.0, np.float16(2), np.uint8(1)], [0, 1, 1, 0]).label_a.dtype == np.int64


@given(st.lists(st.tuples(st.integers(-(10**6), 10**6), st.text(max_size=2)), min_size=1, max_size=40))
def test_counts_like_a_dictionary(pairs):
    expected: dict[tuple[object, object], int] = {}
    for pair in pairs:
        expected[pair] = expected.get(pair, 0) + 1
    table = Contingency.of([x for x, _ in pairs], [y for _, y in pairs])
    assert cells(table) == expected
    found = [list(expected).index(pair) for pair in pairs]
    order = {cell: i for i, cell in enumerate(dict.fromkeys(table.item_cell.tolist()))}
    assert [order[cell] for cell in table.item_cell.tolist()] == found


def test_refuses_no_items():
    with pytest.raises(InvalidInputError, match="the first partition must hold at least one item; got none"):
        Contingency.of([], [])


def test_refuses_different_lengths():
    with pytest.raises(ItemMismatchError, match="one label for each of the same items; got 3 and 2"):
        Contingency.of([0, 1, 1], [0, 1])


@pytest.mark.parametrize("bad", [0.5, float("inf"), 1e300, np.float16(0.5), np.float32("inf")])
def test_refuses_floats_that_are_not_whole(bad):
    for first in (0, 0.0, 2**63, 2**70):
        with pytest.raises(InvalidInputError, match=r"second partition must hold whole numbers; got .* at position 1"):
            Contingency.of([0, 1, 1], [first, bad, 1])


@pytest.mark.parametrize(
    "bad",
    [
        [0.0, float("nan"), 1.0],
        ["a", None, "b"],
        ["a", float("nan"), "b"],
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series(["a", None, "b"]),
        pl.Series([1, None, 2]),
        pl.Series(["a", None, "b"]),
        np.ma.array([1, 2, 3], mask=[False, True, False]),
        np.array(["a", np.nan, "b"], dtype=np.dtypes.StringDType(na_object=np.nan)),
        np.array(["a", None, "b"], dtype=np.dtypes.StringDType(na_object=None)),
    ],
)
def test_refuses_missing_labels_by_position(bad):
    with pytest.raises(InvalidInputError, match=r"got .* at position 1"):
        Contingency.of(bad, [0, 1, 2])


@pytest.mark.parametrize("bad", [[1, "1", 2], ["a", 1, "b"], [True, 2, 3], [("a",), "b", "c"], [b"a", "a", "b"]])
def test_refuses_labels_of_more_than_one_type(bad):
    with pytest.raises(InvalidInputError, match="must be all whole numbers, all text or all booleans; got"):
        Contingency.of(bad, [0, 1, 2])


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ([[0, 1], [1, 0]], r"got shape \(2, 2\)"),
        (3, "got the single value 3"),
        ("abc", "got the single value abc"),
        ({1, 2}, "got the single value"),
        (np.array([1j, 2j]), "got values of type complex128"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "got values of type datetime64"),
    ],
)
def test_refuses_what_is_not_one_label_for_each_item(bad, why):
    with pytest.raises(InvalidInputError, match=why):
        Contingency.of(bad, [0, 1])


def test_minus_one_is_a_label_unless_noise_says_otherwise():
    a, b = [-1, -1, 0, 0, 0], [1, 1, -1, 2, 2]
    assert cells(Contingency.of(a, b)) == {(-1, 1): 2, (0, -1): 1, (0, 2): 2}
    alone = Contingency.of(a, b, noise="singletons")
    assert (alone.n_a, alone.n_b, alone.n_cells, alone.left_out) == (3, 3, 4, 0)
    assert alone.label_a.tolist() == [0, -1, -1]
    left = Contingency.of(a, b, noise="drop")
    assert cells(left) == {(0, 2): 2}
    assert left.left_out == 3
    assert repr(left) == "Contingency(2 items, 1 and 1 cluster, 1 overlap, 3 left out)"
    assert left.kept.tolist() == [3, 4]
    assert Contingency.of(b, [0] * 5).kept is None
    assert cells(Contingency.of(["x", "y"], [0, 1], noise="singletons")) == {("x", 0): 1, ("y", 1): 1}


@pytest.mark.parametrize("form", [str, lambda label: str(label).encode()])
def test_text_is_never_noise(form):
    a = list(map(form, [-1, -1, 0]))
    for noise in ("singletons", "drop"):
        table = Contingency.of(a, [0, 1, 1], noise=noise)
        assert (table.n_a, table.n_items, table.left_out, table.kept) == (2, 3, 0, None)


def test_refuses_to_drop_everything_and_unknown_noise():
    with pytest.raises(InvalidInputError, match="every item is noise in one of them"):
        Contingency.of([-1, 0], [0, -1], noise="drop")
    with pytest.raises(InvalidInputError, match="noise must be 'label', 'singletons' or 'drop'; got 'ignore'"):
        Contingency.of([0], [0], noise="ignore")


def test_counts_made_elsewhere_give_the_same_table():
    triples = [(x, y, 1) for x, y in zip(A, B, strict=True)]
    assert cells(Contingency.from_triples(triples)) == EXPECTED
    dense = [[0, 0, 1, 0], [0, 0, 0, 0], [1, 1, 0, 0], [1, 2, 0, 0]]
    for table in (dense, scipy.sparse.csr_array(dense), scipy.sparse.coo_matrix(dense), np.array(dense, dtype=float)):
        counted = Contingency.from_counts(table)
        assert cells(counted) == {(0, 2): 1, (2, 0): 1, (2, 1): 1, (3, 0): 1, (3, 1): 2}
        for name, measure in ((name, MEASURES[name]) for name in PARTITION_MEASURES):
            assert measure.of_table(counted, 3) == pytest.approx(
                measure.of_table(Contingency.of(A, B), 3), abs=1e-15
            ), name


def test_a_frame_of_counts_keeps_its_labels():
    a, b = ["x", "x", "y", "z"], [7, 9, 9, 9]
    frame = pd.crosstab(pd.Series(a), pd.Series(b))
    assert cells(Contingency.from_counts(frame)) == {("x", 7): 1, ("x", 9): 1, ("y", 9): 1, ("z", 9): 1}
    assert cells(Contingency.from_counts(frame.drop(index="z") * [0, 1])) == {("x", 9): 1, ("y", 9): 1}
    assert cells(Contingency.from_counts(pl.DataFrame({"x": [1, 0], "y": [2, 3]}))) == {(0, 0): 1, (0, 1): 2, (1, 1): 3}


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, lambda columns: zip(*columns.values(), strict=True)])
def test_triples_may_be_a_frame(form):
    columns = {"a": ["x", "x", "y"], "b": [1, 2, 2], "count": [3, 1, 2]}
    assert cells(Contingency.from_triples(form(columns))) == {("x", 1): 3, ("x", 2): 1, ("y", 2): 2}


def test_refuses_counts_that_are_none():
    with pytest.raises(InvalidInputError, match=r"must have 2 dimensions; got shape \(3,\)"):
        Contingency.from_counts([1, 2, 3])
    with pytest.raises(InvalidInputError, match=r"must have 2 dimensions; got shape \(3,\)"):
        Contingency.from_counts(scipy.sparse.coo_array([1, 2, 3]))
    with pytest.raises(InvalidInputError, match="got a masked array"):
        Contingency.from_counts(np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]))
    with pytest.raises(InvalidInputError, match="must not be negative; got -2 in row 1, column 0"):
        Contingency.from_counts([[1, 0], [-2, 1]])
    with pytest.raises(InvalidInputError, match="must hold at least one item; got none"):
        Contingency.from_counts([[0, 0]])
    with pytest.raises(InvalidInputError, match=r"the counts must hold whole numbers; got 0\.5"):
        Contingency.from_counts([[0.5, 1]])
    with pytest.raises(InvalidInputError, match="every count must be at least 1; got 0 in row 1"):
        Contingency.from_triples([("x", "y", 1), ("x", "z", 0)])
    with pytest.raises(InvalidInputError, match="got 2 values in row 0"):
        Contingency.from_triples([("x", "y")])
    with pytest.raises(InvalidInputError, match=r"add up to less than 2\*\*63 items"):
        Contingency.from_triples([("x", "y", 2**62), ("x", "z", 2**62)])
    with pytest.raises(InvalidInputError, match="at least one item; got none"):
        Contingency.from_triples([])


def test_says_how_a_measure_is_called():
    table = Contingency.of(A, B)
    with pytest.raises(InvalidInputError, match="must be two partitions, or one Contingency; got a single partition"):
        rand(A)
    with pytest.raises(InvalidInputError, match="must be the only argument; got two"):
        rand(table, B)
    with pytest.raises(InvalidInputError, match="must be the only argument; got two"):
        adjusted_rand(A, table)
    with pytest.raises(InvalidInputError, match="must have been made from labels of items; it was made from counts"):
        _ = Contingency.from_counts([[1]]).item_cell


class Unwilling:
    """An object that refuses to become an array, with an error of its own."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("not today")


TWO = np.array(["label", "drop"])
MISSING = np.array(["a", None, "b"], dtype=np.dtypes.StringDType(na_object=None))
WRONG = {
    "a missing text": (lambda: Contingency.of(MISSING, B[:3]), "no missing label; got None at position 1"),
    "halves of 16 bits": (lambda: Contingency.of(np.float16([1, 0.5, 2]), B[:3]), "numbers; got 0.5 at position 1"),
    "arrays as labels": (lambda: Contingency.of([np.zeros(1), np.zeros(2), 3], B[:3]), "all booleans; got int and nd"),
    "an unwilling object": (lambda: Contingency.of(Unwilling(), B[:3]), "one label for each item; got not today"),
    "noise in an array": (lambda: Contingency.of(A, B, noise=TWO), "noise must be 'label', 'singletons' or 'drop'"),
    "no triples": (lambda: Contingency.from_triples(None), "triples must be a sequence of .*; got None"),
    "numbers for triples": (lambda: Contingency.from_triples([1, 2, 3]), "triples must be .*; got 1 in row 0"),
    "ragged counts": (lambda: Contingency.from_counts([[1, 2], [3]]), "a table of counts must be an array of numbers"),
    "no counts": (lambda: Contingency.from_counts(None), "a table of counts must be an array of numbers"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_are_refused(case):
    call, why = WRONG[case]
    with pytest.raises(InvalidInputError, match=why):
        call()


def test_counts_of_16_bits_are_taken_without_a_warning():
    assert Contingency.from_counts(np.array([[1, 2], [3, 0]], dtype=np.float16)).count.tolist() == [1, 2, 3]
