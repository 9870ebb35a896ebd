"""The columns of tables: files and frames are taken by the same rules, and nothing is assumed without a word."""

import re
import warnings

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from tests.strategies import hierarchies

from dendrometry import from_labels, from_levels, from_newick, from_paths, read, to_hclust, to_linkage, to_paths, write
from dendrometry.errors import AssumptionWarning, FormatError, InvalidInputError, LostMeaningWarning, phrase
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.separators import find_separator, is_path_name
from dendrometry.io.formats.delimited import from_delimited, to_delimited

SHOP = {
    "apple": "Food > Fruit > Fresh",
    "raisin": "Food > Fruit > Dried",
    "bread": "Food > Bakery",
    "saw": "Tools > Hand",
    "gift card": "Other",
}
LEVELS = from_paths({"p": "x/u", "q": "x/v", "r": "y/w"})
TREE = from_paths(SHOP, sep=" > ")
DENDROGRAM = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")


def table(header, sep=" > ", delimiter=","):
    rows = [[item, path.replace(" > ", sep)] for item, path in SHOP.items()]
    return "\n".join(delimiter.join(row) for row in [["product", header], *rows])


@pytest.mark.parametrize("sep", [" > ", ">", ";", "; ", "|", " | ", "/", "::"])
@pytest.mark.parametrize("header", ["path", "category_path", "Category Path", "categoryPath", "paths"])
def test_a_column_named_path_is_split_at_the_separator_that_it_holds(header, sep):
    found = from_delimited(table(header, sep), ",")
    assert found.tree == TREE
    assert not found.notes


def test_labels_that_look_like_paths_are_taken_as_paths_with_a_word():
    found = from_delimited(table("category"), ",")
    assert found.tree == TREE
    says = "column 'category' is taken as paths separated by ' > ', as it looks (sep='' takes labels)"
    assert [phrase(note) for note in found.notes] == [says]


@pytest.mark.parametrize("sep", [":", " : "])
def test_a_colon_separates_only_what_is_known_to_be_paths(sep):
    found = from_delimited(table("path", sep), ",")
    assert found.tree == TREE
    says = f"column 'path' is taken as paths separated by '{sep}' (sep='/' takes single steps)"
    assert [phrase(note) for note in found.notes] == [says]
    assert from_delimited(table("path", sep), ",", TableChoice(sep=sep)).notes == []
    assert from_delimited(table("category", sep), ",").tree.n_nodes == len(set(SHOP.values())) + 1
    with pytest.warns(AssumptionWarning, match=f"paths are taken as separated by '{sep}'"):
        assert from_paths({item: path.replace(" > ", sep) for item, path in SHOP.items()}) == TREE
    assert find_separator(["GO:1/GO:2", "GO:1"], named=True) == "/"
    assert find_separator(["a:x", "a:y"]) is None


def test_the_separator_and_the_column_can_be_given(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text(table("category"), encoding="utf-8")
    assert read(path, path_column="category") == TREE
    assert read(path, sep=" > ") == TREE
    assert read(path, sep="").n_nodes == len(set(SHOP.values())) + 1
    with pytest.warns(AssumptionWarning, match=r"shop.csv: column 'category' is taken as paths"):
        read(path)
    with pytest.raises(FormatError, match="must have the column 'class'; got product, category"):
        read(path, path_column="class")
    with pytest.raises(FormatError, match="sep must be at least one character"):
        read(path, path_column="category", sep="")


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_a_frame_is_taken_as_the_file_of_its_columns(frame):
    columns = {"product": list(SHOP), "category_path": list(SHOP.values())}
    assert from_levels(frame(columns)) == TREE
    levels = {"who": ["p", "q", "r"], "class": ["x", "x", "y"], "order": ["u", "v", "w"]}
    text = "who,class,order\np,x,u\nq,x,v\nr,y,w\n"
    assert (
        from_levels(frame(levels)) == from_delimited(text, ",").tree == from_paths({"p": "x/u", "q": "x/v", "r": "y/w"})
    )


def test_an_index_names_the_items_of_levels_and_all_columns_are_levels():
    frame = pd.DataFrame(
        {"class": ["x", "x", "y"], "order": ["u", "v", "w"]}, index=pd.Index(["p", "q", "r"], name="item")
    )
    assert from_levels(frame) == LEVELS
    assert from_levels(frame.reset_index()) == from_levels(frame)
    assert from_levels(frame.reset_index().loc[[0, 2]]).items == ("p", "r")


@pytest.mark.parametrize("name", ["item", "product", None])
def test_an_index_names_the_items_of_a_column_of_paths(name):
    frame = pd.DataFrame({"category_path": list(SHOP.values())}, index=pd.Index(list(SHOP), name=name))
    assert from_levels(frame) == TREE
    frame["price"] = range(len(SHOP))
    with pytest.warns(AssumptionWarning, match="paths are in column 'category_path'; these are left out: 'price'"):
        assert from_levels(frame) == TREE
    assert from_levels(frame, path_column="category_path") == TREE


def test_columns_beside_a_path_are_left_out_with_a_word():
    frame = pd.DataFrame({"id": list(SHOP), "title": list("abcde"), "path": list(SHOP.values())})
    with pytest.warns(AssumptionWarning, match="paths are in column 'path'; these are left out: 'title'"):
        assert from_levels(frame) == TREE
    assert from_levels(frame, path_column="path") == TREE


def test_one_of_several_levels_that_looks_like_paths_is_told():
    frame = pd.DataFrame({"id": list(SHOP), "kind": list("aabbc"), "category": list(SHOP.values())})
    with pytest.warns(AssumptionWarning, match="'category' is taken as one level, but looks like paths"):
        assert from_levels(frame).n_nodes > 5
    assert from_levels(frame, path_column="category") == TREE


def test_paths_without_the_separator_are_not_taken_as_flat_without_a_word():
    with pytest.warns(AssumptionWarning, match=r"no path holds the separator '/': each is one step \(sep=' > ' seems"):
        from_paths(SHOP, sep="/")


@pytest.mark.parametrize("sep", ["|", ";", ">", " > ", "::"])
def test_the_separator_of_paths_is_found(sep):
    with pytest.warns(AssumptionWarning, match=rf"paths are taken as separated by '{re.escape(sep)}'"):
        assert to_paths(from_paths([f"A{sep}B", f"A{sep}C"])) == {"0": "A/B", "1": "A/C"}


def test_a_slash_in_a_path_is_its_separator():
    assert to_paths(from_paths(["A/B|x", "A/B|y"]), sep=None) == {"0": ("A", "B|x"), "1": ("A", "B|y")}
    assert from_paths(["and|or", "either|or", "neither"]).n_nodes == 4


def test_labels_that_look_like_paths_are_not_taken_as_flat_without_a_word():
    with pytest.warns(AssumptionWarning, match=r"labels look like paths separated by ' > ', .*from_paths"):
        assert from_labels(list(SHOP.values())).n_nodes == 6
    assert from_labels(["and/or", "either/or", "neither"]).n_nodes == 4


@pytest.mark.parametrize(
    ("values", "sep"),
    [
        (["a/b", "a/c"], "/"),
        (["TCP/IP > Routing", "TCP/IP > DNS", "Mail"], " > "),
        (["and/or", "plain", "other", "more"], None),
        (["a/b", "c/d"], None),
        (["12:30", "12:45"], None),
        (["a//b", "a/c"], None),
        (["", "a"], None),
        ([], None),
    ],
)
def test_values_look_like_paths_if_they_share_beginnings(values, sep):
    assert find_separator(values) == sep


def test_names_of_columns_that_say_path():
    assert all(map(is_path_name, ["path", "PATH", "category.path", "taxonomyPath", "old_paths"]))
    assert not any(map(is_path_name, ["pathway", "warpath", "path_id", "category", "", "7"]))


@given(tree=hierarchies(heights=False))
def test_every_tree_comes_back_from_a_table(tree):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LostMeaningWarning)
        assert from_delimited(to_delimited(tree, ","), ",").tree == tree


@pytest.mark.parametrize(
    ("labels", "header"),
    [
        (["n/a", "x", "y"], "item,path sep=|"),
        (["a;b", "a;c", "y"], "item,path sep=/"),
        (["a/|;>b", "x", "/1/"], "item,path sep=/2/"),
        (["a", "b", "c"], "item,path"),
    ],
)
def test_names_that_hold_separators_are_written_with_another_one(labels, header, tmp_path):
    tree = from_paths([(label,) for label in labels], item_names=["x/y", "a > b", "p;q"])
    for ending in ("csv", "tsv", "parquet"):
        path = tmp_path / f"tree.{ending}"
        write(tree, path)
        assert read(path) == tree
        assert set(read(path).node_names) == set(tree.node_names)
    assert (tmp_path / "tree.csv").read_text().splitlines()[0] == header


def test_the_first_column_of_r_and_pandas_needs_no_name():
    assert from_delimited('"","x"\n"ape","1"\n"owl","2"\n', ",").tree == from_labels([1, 2], item_names=["ape", "owl"])
    assert from_delimited('"","x"\n"1","1"\n"2","2"\n', ",").tree == from_labels([1, 2], item_names=["1", "2"])
    numbered = '"","species","cluster"\n"1","ape","1"\n"2","owl","2"\n'
    assert from_delimited(numbered, ",").tree == from_labels([1, 2], item_names=["ape", "owl"])
    by_pandas = pd.DataFrame({"item": ["ape", "owl"], "cluster": [1, 2]}).to_csv()
    assert from_delimited(by_pandas, ",").tree == from_labels([1, 2], item_names=["ape", "owl"])
    with pytest.raises(FormatError, match="the items must be named once; got a first column without a name and"):
        from_delimited(",item,x\na,b,1\nc,d,2\n", ",")


@pytest.mark.parametrize("names", [("V1", "V2"), ("merge.1", "merge.2", "height"), ("", "V1", "V2")])
def test_the_merges_of_an_hclust_are_no_labels(names):
    parts = to_hclust(DENDROGRAM)
    columns = {"": range(1, 4)} if names[0] == "" else {}
    columns |= dict(zip(names[-2:] if "" in names else names[:2], parts.merge.T.tolist(), strict=True))
    columns |= {"height": parts.height} if "height" in names else {}
    frame = pd.DataFrame(columns)
    with pytest.raises(FormatError, match=r"got the merges of an hclust, .*from_hclust\(\) takes its parts; in R"):
        from_delimited(frame.to_csv(index=False), ",")
    with pytest.raises(InvalidInputError, match="got the merges of an hclust"):
        from_levels(frame)


def test_a_linkage_matrix_is_no_labels():
    frame = pd.DataFrame(to_linkage(DENDROGRAM))
    with pytest.raises(FormatError, match=r"got the merges of a linkage matrix, .*\(from_linkage\(\) takes it"):
        from_delimited(frame.to_csv(index=False), ",")


def test_whole_numbers_as_labels_are_not_merges():
    assert from_levels({"item": [1, 2, 3], "cluster": [-1, -1, 1]}).n_items == 3


def test_a_choice_says_nothing_by_default():
    assert TableChoice() == (None, None, None, None, "refuse", "refuse", None, False, False)
    assert to_paths(from_delimited("item,path\nx,a/b\n", ",", TableChoice(sep="/")).tree) == {"x": "a/b"}
