"""Taxonomies as their publishers write them, known by their content in files of any name."""

import pytest
from tests.work import n_calls

import dendrometry as dm
from dendrometry.errors import DendrometryError, FormatError, InvalidTreeError, LostMeaningWarning
from dendrometry.io._shared.second_parents import tree_of_terms

GOOGLE = """# Google_Product_Taxonomy_Version: 2021-09-21
1 - Animals & Pet Supplies
3237 - Animals & Pet Supplies > Live Animals
2 - Animals & Pet Supplies > Pet Supplies
166 - Apparel & Accessories
"""
SHOPIFY = """# Shopify Product Taxonomy - Categories: 2024-10
# Format: {GID} : {Ancestor name} > ... > {Category name}

gid://shopify/TaxonomyCategory/ap     : Animals & Pet Supplies
gid://shopify/TaxonomyCategory/ap-1   : Animals & Pet Supplies > Live Animals
"""
INFOMAP = """# v2.7.1
# partitioned into 2 levels with codelength 1.5
# path flow name node_id
1:1:1 0.25 "a b" 1
1:1:2 0.25 "say "c"" 2
1:2:1 0.25 "d" 3
2:1 0.25 "e" 4
*Links undirected
1 2 3
"""
OBO = """format-version: 1.2
ontology: x

[Term]
id: X:1
name: root

[Term]
id: X:2 ! left
name: left
is_a: X:1 ! root

[Term]
id: X:3
name: lower left
is_a: X:2 {source="a"} ! left

[Term]
id: X:4
name: both
is_a: X:1 ! root
is_a: X:3 ! lower left

[Term]
id: X:9
name: old
is_obsolete: true

[Typedef]
id: part_of
"""


def test_product_categories_are_items_at_their_nodes():
    tree = dm.io.from_product_taxonomy(GOOGLE)
    assert tree == dm.from_paths(
        [
            ("Animals & Pet Supplies",),
            ("Animals & Pet Supplies", "Live Animals"),
            ("Animals & Pet Supplies", "Pet Supplies"),
            ("Apparel & Accessories",),
        ],
        ["1", "3237", "2", "166"],
    )
    shop = dm.io.from_product_taxonomy(SHOPIFY)
    assert shop.items == ("gid://shopify/TaxonomyCategory/ap", "gid://shopify/TaxonomyCategory/ap-1")
    assert shop.node_names == ("Live Animals", "Animals & Pet Supplies", "")


def test_categories_without_numbers_are_called_by_their_paths(tmp_path):
    path = tmp_path / "taxonomy.en-US.txt"
    path.write_text("# Google_Product_Taxonomy_Version: 2021-09-21\nAnimals\nAnimals > Live Animals\n1 - 2 Players\n")
    names = ("Animals", "Animals > Live Animals", "1 - 2 Players")
    assert dm.read(path) == dm.from_paths([name.split(" > ") for name in names], names)


def test_modules_of_infomap_hold_the_nodes_of_the_network():
    tree = dm.io.from_infomap(INFOMAP)
    assert tree == dm.from_paths([("1", "1"), ("1", "1"), ("1", "2"), ("2",)], ["a b", 'say "c"', "d", "e"])


def test_terms_with_several_parents_are_refused_or_taken_as_said():
    with pytest.raises(FormatError, match=r"1 term with several: 'X:4' \(parents='first' takes the first"):
        dm.io.from_obo(OBO)
    with pytest.warns(LostMeaningWarning, match="1 further parent left out"):
        first = dm.io.from_obo(OBO, parents="first")
    with pytest.warns(LostMeaningWarning, match="1 further parent left out"):
        longest = dm.io.from_obo(OBO, parents="longest")
    place = [
        {item: tree.node_names[v] for item, v in zip(tree.items, tree.parent[tree.item_node], strict=True)}
        for tree in (first, longest)
    ]
    assert [by_item["X:4"] for by_item in place] == ["root", "lower left"]
    assert set(first.items) == {"X:1", "X:2", "X:3", "X:4"}


@pytest.mark.parametrize(("name", "text"), [("google", GOOGLE), ("shopify", SHOPIFY), ("infomap", INFOMAP)])
@pytest.mark.parametrize("suffix", ["txt", "tree", ""])
def test_files_are_known_by_their_content(tmp_path, name, text, suffix):
    path = tmp_path / f"{name}.{suffix}"
    path.write_text(text)
    read = dm.io.from_infomap if name == "infomap" else dm.io.from_product_taxonomy
    assert dm.read(path) == read(text)


def test_an_ontology_is_known_by_its_content(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text(OBO.replace("is_a: X:1 ! root\nis_a: X:3", "is_a: X:3"))
    assert dm.read(path).n_items == 4


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (dm.io.from_product_taxonomy, "# only\n", "must hold at least one category"),
        (dm.io.from_product_taxonomy, "1 - a\nx\n", "line 2: a line of a product taxonomy must be .*; got 'x'"),
        (dm.io.from_product_taxonomy, "1 - a >  > b\n", "steps of a path must be non-empty"),
        (dm.io.from_product_taxonomy, "1 - a\n1 - b\n", "distinct"),
        (dm.io.from_product_taxonomy, 5, "the text must be a string; got int"),
        (dm.io.from_infomap, "1:1 0.5 name 1", "line 1: a line of Infomap must be a path"),
        (dm.io.from_infomap, "", "must hold at least one node"),
        (dm.io.from_obo, "", "must hold at least one term|at least one node"),
        (dm.io.from_obo, "[Term]\nname: x\n", "each term must have an id; the one named 'x' has none"),
        (dm.io.from_obo, "[Term]\nid: a\n[Term]\nid: a\n", "each term must be given once; got 'a' again"),
        (dm.io.from_obo, "[Term]\nid: a\nis_a: b\n", "the parents of 'a' must be terms of the file; got 'b'"),
        (dm.io.from_obo, 5, "the text must be a string; got int"),
    ],
)
def test_refuses_texts_of_another_form(read, text, message):
    with pytest.raises(DendrometryError, match=message):
        read(text)


def test_refuses_a_cycle():
    with pytest.raises(InvalidTreeError, match=r"cycle"):
        dm.io.from_obo("[Term]\nid: a\nis_a: b\n\n[Term]\nid: b\nis_a: a\n")
    text = "[Term]\nid: a\nis_a: b\n\n[Term]\nid: b\nis_a: a\nis_a: c\n\n[Term]\nid: c\n"
    for parents in ("first", "longest"):
        with pytest.raises(InvalidTreeError, match="no term may be above itself; got the cycle 'a' → 'b' → 'a'"):
            dm.io.from_obo(text, parents=parents)


def test_a_term_may_have_many_parents():
    n = 20_000
    terms = {str(i): ("", ["0"] if i else []) for i in range(n)}
    terms["last"] = ("", [str(i) for i in range(n)])

    def choose():
        with pytest.warns(LostMeaningWarning, match=f"{n - 1:,} further parents left out"):
            assert tree_of_terms(terms, "first", "term").n_items == n + 1

    assert n_calls(choose) < 10 * n  # none for each parent of the last term
