"""Layers of labels become a tree, and its cuts are the layers again."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.errors import DendrometryError, InvalidInputError, InvalidTreeError, ItemMismatchError
from dendrometry.io import from_layers


def clusters(tree):
    order = tree.order
    return {
        frozenset(tree.items[i] for i in order.item[low:high])
        for low, high in zip(order.item_low, order.item_high, strict=True)
    }


def groups(labels, noise=None):
    return {frozenset(str(i) for i, x in enumerate(labels) if x == label) for label in set(labels) if label != noise}


@st.composite
def nested_layers(draw):
    """Layers from coarse to fine; the labels of each are drawn anew."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, layers = draw(st.integers(1, 12)), []
    code = np.zeros(n, dtype=int)
    for _ in range(draw(st.integers(1, 4))):
        _, code = np.unique(code * 3 + rng.integers(0, 3, n), return_inverse=True)
        layers.append(rng.permutation(code.max() + 1)[code].tolist())
    return layers


@given(layers=nested_layers(), backwards=st.booleans())
def test_the_clusters_of_the_tree_are_those_of_the_layers(layers, backwards):
    tree = dm.io.from_layers(layers[::-1] if backwards else layers)
    expected = {frozenset(map(str, range(len(layers[0]))))}.union(*map(groups, layers))
    assert clusters(tree) == expected


@given(layers=nested_layers())
def test_heights_are_those_of_the_layers(layers):
    heights = [10.0 - i for i in range(len(layers))]
    tree = dm.io.from_layers(layers, heights=heights)
    assert tree.is_monotone
    for layer, height in zip(layers, heights, strict=True):
        assert groups(dm.cut_height(tree, height).labels.tolist()) == groups(layer)


def test_noise_belongs_to_the_coarser_cluster():
    tree = dm.io.from_layers([[0, 0, 0, 0, -1], [0, 0, 1, -1, -1]], noise_label=-1)
    assert clusters(tree) == {frozenset("01234"), frozenset("0123"), frozenset("01"), frozenset("2")}
    assert tree.own_items(tree.root) == ["4"]
    back = dm.io.from_layers([[0, 0, -1], [0, 1, 2]], noise_label=-1)
    assert clusters(back) == {frozenset("012"), frozenset("01"), frozenset("0"), frozenset("1"), frozenset("2")}


def test_layers_that_are_not_nested_are_refused_by_name():
    with pytest.raises(
        InvalidTreeError, match=r"cluster 'y' of a layer of 3 clusters lies in several .*\(partition.resolutions"
    ):
        dm.io.from_layers([[0, 0, 1, 1], ["x", "y", "y", "z"]])


@pytest.mark.parametrize(
    ("layers", "options", "message"),
    [
        ([], {}, "layers must be a sequence of label arrays, at least one"),
        (5, {}, "layers must be a sequence of label arrays"),
        ([[0, 1], [0, 1, 2]], {}, "layers must have one label for each item; got '2', '3' labels"),
        ([[0, 1.5]], {}, "first layer's partition"),
        ([[0, 1]], {"heights": [1, 2]}, "heights must be one for each of 1 layers; got 2"),
    ],
)
def test_refuses_what_are_not_layers(layers, options, message):
    with pytest.raises(DendrometryError, match=message):
        dm.io.from_layers(layers, **options)


def test_a_table_of_hiercc_has_thresholds_as_heights():
    table = pd.DataFrame({"Strain": list("abcd"), "HC0 ": [1, 2, 3, 4]}).rename(columns=str.strip)
    table["HC2"], table["HC10"] = [1, 1, 3, 4], [1, 1, 3, 3]
    tree = dm.io.from_hiercc(table)
    assert tree.items == tuple("abcd")
    assert sorted(set(tree.height.tolist())) == [0, 2, 10, 18]
    assert dm.io.from_hiercc(table.set_index("Strain")) == dm.io.from_hiercc(table, item="Strain") == tree
    with pytest.raises(InvalidInputError, match="must have columns such as HC0 and HC5; got 'Strain'"):
        dm.io.from_hiercc(table[["Strain"]])
    with pytest.raises(InvalidInputError, match=r"must have one column besides the thresholds; got 'Strain', 'x'"):
        dm.io.from_hiercc(table.assign(x=1))
    renamed = table.rename(columns={"HC0": "HC0 (indistinguishable)"})
    assert dm.io.from_hiercc(renamed) == dm.io.as_hierarchy(renamed) == tree
    with pytest.raises(InvalidInputError, match="a table must be a dict of columns or a data frame; got int"):
        dm.io.from_hiercc(3)
    with pytest.raises(InvalidInputError, match="the table must have the column 'z'"):
        dm.io.from_hiercc(table, item="z")


def test_a_file_of_hiercc_is_known_by_its_columns(tmp_path):
    table = pd.DataFrame({"Strain": list("abcd"), "HC0": [1, 2, 3, 4], "HC2": [1, 1, 3, 4], "HC10": [1, 1, 3, 3]})
    tree = dm.io.from_hiercc(table)
    table.to_csv(tmp_path / "a.csv", index=False)
    table.to_csv(tmp_path / "a.tsv", index=False, sep="\t")
    table.to_csv(tmp_path / "a.HierCC.gz", index=False, sep="\t")
    table.to_parquet(tmp_path / "a.parquet")
    for name in ("a.csv", "a.tsv", "a.HierCC.gz", "a.parquet"):
        assert dm.read(tmp_path / name) == tree
    assert dm.read(tmp_path / "a.csv", path_column="HC2").height is None  # as the caller says
    wide = [f"HC{i}" for i in range(12_000)]  # a header longer than what tells the format
    text = "\n".join("\t".join(row) for row in (["#ST", *wide], ["a", *["1"] * 12_000], ["b", "2", *["1"] * 11_999]))
    (tmp_path / "wide.HierCC").write_text(text)
    assert dm.read(tmp_path / "wide.HierCC").n_items == 2
    table.assign(x=1).to_csv(tmp_path / "b.csv", index=False)
    with pytest.raises(DendrometryError, match=r"b.csv: a table of HierCC must have one column besides"):
        dm.read(tmp_path / "b.csv")


def test_columns_of_a_frame_and_of_a_mapping_are_layers():
    layers = {"coarse": [0, 0, 0, 1], "fine": [0, 0, 1, 2]}
    expected = from_layers(list(layers.values()))
    assert from_layers(layers) == from_layers(pd.DataFrame(layers)) == from_layers(pl.DataFrame(layers)) == expected
    assert from_layers(pd.DataFrame(layers, index=list("abcd"))).items == tuple("abcd")


def test_series_are_matched_by_their_index():
    coarse = pd.Series([0, 0, 1, 1], index=list("wxyz"))
    fine = pd.Series([2, 2, 1, 0], index=list("wxyz"))
    expected = from_layers([coarse, fine])
    assert from_layers([coarse, fine.iloc[[2, 0, 3, 1]]]) == expected
    assert from_layers({"a": coarse, "b": fine.iloc[::-1]}) == expected
    with pytest.raises(ItemMismatchError, match="layers must name the same items by their index or keys"):
        from_layers([coarse, fine.rename({"w": "v"})])
