"""Nexus files and files of several trees: every tree by its name or number, names translated, comments read."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_names, dendrograms, random_linkage

import dendrometry as dm
from dendrometry.errors import FormatError, InvalidInputError

DATA = Path(__file__).parent / "data"

TEXT = """#NEXUS
[a comment; with a semicolon [and another] ]
begin taxa;
  dimensions ntax=3;
  taxlabels ape cat 'sea lion';
end;
Begin Trees;
  Translate
    1 ape,
    2 'cat',
    3 'sea lion'
    ;
  tree first = [&R] ((1:1,2:1)[&posterior=0.98]:1,3:2);
  TREE * 'the second' = [&U] (1,(2,3));
END;
"""


def test_trees_are_found_by_number_and_name():
    assert dm.io.from_nexus(TEXT, tree=1) == dm.from_newick("((ape:1,cat:1):1,'sea lion':2);")
    assert dm.io.from_nexus(TEXT, tree="the second") == dm.from_newick("(ape,(cat,'sea lion'));")
    assert dm.io.from_nexus(TEXT, tree="2") == dm.io.from_nexus(TEXT, tree=2)
    with pytest.raises(InvalidInputError, match=r"it holds 2 trees, 'first', 'the second' \(tree=1 is the first"):
        dm.io.from_nexus(TEXT)
    for tree in (0, 3, "third", True, 1.5):
        with pytest.raises(InvalidInputError, match="tree must be a number from 1 to 2 or one of 'first'"):
            dm.io.from_nexus(TEXT, tree=tree)


def test_files_of_trees_are_read_one_by_one_and_together(tmp_path):
    path = tmp_path / "runs.nex"
    path.write_text(TEXT)
    assert list(dm.read_many(path)) == ["first", "the second"]
    assert dm.read(path, tree="first") == dm.read_many(path)["first"]
    path = tmp_path / "runs.tre"  # Nexus by its content
    path.write_text(TEXT)
    assert dm.read(path, tree=2) == dm.io.from_nexus(TEXT, tree=2)
    path = tmp_path / "runs.nwk"
    path.write_text("(a,('b;','[c'));\n[a comment; here]((a,'b;'),'[c');\n")
    trees = dm.read_many(path)
    assert list(trees) == ["1", "2"]
    assert dm.read(path, tree=2) == trees["2"] == dm.from_newick("((a,'b;'),'[c');")
    with pytest.raises(InvalidInputError, match=r"runs\.nwk: the file must hold one tree; it holds 2 trees"):
        dm.read(path)
    path.write_text("(a,b);")
    assert dm.read_many(path) == {"1": dm.from_newick("(a,b);")}
    dm.write(trees["1"], tmp_path / "one.json")
    assert dm.read_many(tmp_path / "one.json") == {"1": trees["1"]}
    with pytest.raises(InvalidInputError, match="tree is for files that can hold several; got 1"):
        dm.read(tmp_path / "one.json", tree=1)


def test_trees_with_the_same_name_are_called_by_number(tmp_path):
    path = tmp_path / "same.nex"
    path.write_text("#nexus begin trees; tree a = (x,y); tree a = (x,y); end;")
    assert list(dm.read_many(path)) == ["1", "2"]


@pytest.mark.parametrize("suffix", ["txt", "dat", ""])
def test_a_file_without_a_known_name_is_known_by_its_content(tmp_path, suffix):
    tree = dm.from_linkage(random_linkage(4, np.random.default_rng(0)))
    for name in ("nexus", "newick", "json", "npy", "parquet"):
        path = tmp_path / f"{name}.{suffix}"
        written = dm.from_labels([0, 1, 1]) if name == "parquet" else tree
        dm.write(written, path, format=name)
        assert dm.read(path).n_items == written.n_items
    path = tmp_path / f"table.{suffix}"
    path.write_text("item,label\na,b\n")
    with pytest.raises(InvalidInputError, match="format= names the format"):
        dm.read(path)  # a table could be read in several ways


@given(trees=st.dictionaries(any_names, dendrograms(max_items=5), min_size=1, max_size=3))
def test_what_is_written_is_read(tmp_path_factory, trees):
    path = tmp_path_factory.mktemp("nexus") / "trees.nex"
    path.write_text(dm.io.to_nexus(trees), encoding="utf-8")
    found = dm.read_many(path, exact_heights=True)
    assert list(found) == list(trees)
    for name, tree in trees.items():
        assert found[name] == dm.from_newick(dm.to_newick(tree), exact_heights=True)


def test_a_tree_is_written_to_a_nexus_file(tmp_path):
    tree = dm.from_newick("((a,b),c);")
    dm.write(tree, tmp_path / "tree.nex")
    assert dm.read(tmp_path / "tree.nex") == tree
    with pytest.raises(InvalidInputError, match="at least one tree"):
        dm.io.to_nexus({})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a,b);", r"must start with #NEXUS; got '\(a,b\);'"),
        ("#NEXUS", "the file must hold a tree; got none"),
        ("#NEXUS begin data; matrix a 01; end;", "the file must hold a tree"),
        ("#NEXUS begin trees;\n tree = (a,b);", "Nexus, line 2, column 2: a tree must have a name and an equals sign"),
        ("#NEXUS begin trees;\ntree x =\n (a,b;", "Newick, line 3, column 6: every bracket must be closed"),
        ("#NEXUS begin trees; tree x = (a,b)", "a tree must end with a semicolon"),
        ("#NEXUS begin trees; translate 1 a 2 b; tree x = (1,2);", "TRANSLATE must hold pairs of names"),
        ("#NEXUS begin trees; translate 1 a b 2 c; tree x = (1,2);", "TRANSLATE must hold pairs of names"),
        ("#NEXUS begin trees; translate x a y b; tree x = (x,y);", "TRANSLATE must hold pairs of names"),
        ("#NEXUS begin trees; translate 1 a, 1 b; tree x = (1,2);", "TRANSLATE must give each name once"),
        ("#NEXUS [begin trees;", "a comment must be closed"),
        ("#NEXUS begin trees; tree 'x = (a,b);", "a quoted name must be closed"),
    ],
)
def test_broken_texts_name_the_place(text, message):
    with pytest.raises(FormatError, match=message):
        dm.io.from_nexus(text)


def test_comments_may_be_anywhere_and_hold_others():
    plain = "#NEXUS begin trees; translate 1 ape, 2 cat; tree * x = (1,2); end;"
    for word in ("begin", "trees", "translate", "1 ape", "ape", ", 2", "2 cat", "cat", "tree *", "* x", "x", "=", "(1"):
        for comment in ("[a[b]c]", "[[[]]] [;]", "[a[=]'(][x]"):
            for text in (plain.replace(word, f"{comment}{word}", 1), plain.replace(word, f"{word}{comment}", 1)):
                assert dm.io.from_nexus(text, tree="x") == dm.io.from_nexus(plain), text
    for text in ("tree [a[b]c x = (a,b);", "tree [a]] x = (a,b);", "tree [a[b]c]; = (a,b);", "tree[a[b]]"):
        with pytest.raises(FormatError, match=r"comment must be closed|a name and an equals sign"):
            dm.io.from_nexus(f"#NEXUS begin trees; {text}")


def test_refuses_what_is_not_text():
    with pytest.raises(InvalidInputError, match="a Nexus text must be a string; got int"):
        dm.io.from_nexus(3)


def named(text):
    tree = dm.from_newick(text)
    return {tuple(sorted(tree.items[i] for i in tree.order.item[low:high])): name for name, low, high in zip(
        tree.node_names, tree.order.item_low, tree.order.item_high, strict=True) if name}  # fmt: skip


def test_comments_of_nhx_and_beast_name_inner_nodes():
    nhx = "(((ADH2:0.1[&&NHX:S=human:E=1.1.1.1], ADH1:0.11[&&NHX:S=human]):0.05[&&NHX:S=Primates:D=Y:B=100], ADHY:0.1):0.1[&&NHX:B=90],x:1);"  # noqa: E501
    assert named(nhx) == {("ADH1", "ADH2"): "Primates", ("ADH1", "ADH2", "ADHY"): "90"}
    beast = (
        "[&R]((a[&rate=1]:1,b:1)[&height_95%_HPD={0.1,0.2},posterior=0.98,length=2]:1,(c:1,d:1)kept[&posterior=1]:1);"
    )
    assert named(beast) == {("a", "b"): "0.98", ("c", "d"): "kept"}
    assert named("((a,'b[&B=1]')[a,[&B=7],b)][&label=\"x\"],c);") == {("a", "'b[&B=1]'".strip("'")): "x"}
    assert named("((a,b)[no],c)[&&NHX:B=5];") == {("a", "b", "c"): "5"}


def test_missing_lengths_are_refused_or_taken_as_said(tmp_path):
    text = "((a:1,b:1):2,(c,d):1);"
    with pytest.raises(FormatError, match=r"missing_lengths='zero' takes it as 0; missing_lengths='no_heights' leaves"):
        dm.from_newick(text)
    assert dm.from_newick(text, missing_lengths="no_heights") == dm.from_newick("((a,b),(c,d));")
    assert dm.from_newick(text, missing_lengths="zero") == dm.from_newick("((a:1,b:1):2,(c:0,d:0):1);")
    (tmp_path / "x.nwk").write_text(text)
    assert dm.read(tmp_path / "x.nwk", missing_lengths="zero") == dm.from_newick(text, missing_lengths="zero")
    with pytest.raises(InvalidInputError, match="missing_lengths must be 'error', 'zero' or 'no_heights'"):
        dm.from_newick(text, missing_lengths="guess")


def test_many_comments_and_trees_are_read_in_linear_time():
    names = ",".join(f"t{i}[&rate={i}]" for i in range(20_000))
    assert dm.from_newick(f"({names})[&B=3];").node_names[-1] == "3"
    pairs = ", ".join(f"{i} t{i}" for i in range(20_000))
    tips = ",".join(map(str, range(20_000)))
    assert dm.io.from_nexus(f"#NEXUS begin trees; translate {pairs}; tree x = ({tips});").items[-1] == "t19999"


@pytest.mark.parametrize("name", ["dendropy.nex", "dendropy.nwk", "biopython.nex"])
def test_files_of_other_programs_are_read(name):
    """Written by data/make.py; DendroPy writes a blank in a name as an underscore, Biopython has another fourth tip."""
    trees = list(dm.read_many(DATA / name).values())
    items = {"ape", "owl_1"} | ({"sea lion", "DArcy"} if "biopython" in name else {"sea_lion", "d'Arcy"})
    assert [set(tree.items) for tree in trees] == [items, items]
    assert "mammals" in trees[0].node_names
    assert [tree.height.max() for tree in trees] == [3.0, 3.0]
    assert dm.read(DATA / name, tree=2) == trees[1]
