"""Labels and tables of labels: how they print, what they become, and trees that bear them."""

import json

import pytest

import dendrometry as dm
from dendrometry.errors import InvalidInputError


def test_labels_print_and_become_tables_and_json(harbour):
    labels = dm.label.label_nodes(*harbour, n_terms=2)
    assert repr(labels) == "NodeLabels(3 nodes of 7, 3 with words, 4 documents, by hierarchical)"
    assert str(labels).splitlines() == [
        "node  documents  hierarchical",
        "   6          4  news",
        "   2          2  ship",
        "   5          2  grain",
    ]
    frame = labels.to_frame()
    assert frame.columns.tolist() == ["node", "size", "rank", "term", "score"]
    assert frame.to_numpy().tolist() == [
        [6, 4, 1, "news", 1.0],
        [2, 2, 1, "ship", 1.0],
        [5, 2, 1, "grain", 1.0],
    ]
    two = dm.label.label_nodes(*harbour, nodes=[2], method="chi_square", n_terms=2).to_frame()
    assert two[["rank", "term"]].to_numpy().tolist() == [[1, "ship"], [2, "dock"]]
    told = json.loads(labels.to_json())
    assert (told["method"], told["n_items"], told["n_nodes"]) == ("hierarchical", 4, 7)
    assert told["labels"][1] == {"node": 2, "size": 2, "terms": ["ship"], "scores": [1.0]}
    with pytest.raises(KeyError, match=r"node 0 is not \(3 of 7 nodes are\)"):
        labels[0]
    with pytest.raises(ValueError, match="read-only"):
        labels.node[0] = 1


def test_many_labels_are_printed_in_part():
    docs = dm.text.vectorize_documents({str(i): f"word{i:03}" for i in range(100)})
    text = str(
        dm.label.label_nodes(dm.from_labels(range(100), item_names=docs.items), docs, method="title", min_size=1)
    )
    assert len(text.splitlines()) == 62
    assert text.endswith("… 41 more nodes")


def test_control_characters_in_titles_are_shown_as_text():
    docs = dm.text.documents_from_embeddings([[1.0], [1.0]], ["\x1b[31mred", "\x1b[31mred"])
    tree = dm.from_labels([0, 0], item_names=docs.items)
    assert "\x1b" not in str(dm.label.label_nodes(tree, docs, method="title"))
    assert "\x1b" not in str(dm.label.label_table(tree, docs, [1], methods=["title"]))


def test_the_table_has_all_methods_side_by_side(harbour):
    table = dm.label.label_table(*harbour, [2, 5])
    assert table.methods == ("hierarchical", "mutual_information", "chi_square", "centroid", "title")
    assert table["title"].terms == (("a",), ("c",))
    assert table["chi_square"][5] == ("grain", "corn", "wheat")
    frame = table.to_frame()
    assert frame.index.tolist() == [2, 5]
    assert frame["mutual_information"].tolist() == ["ship, dock, port", "grain, corn, wheat"]
    assert frame["size"].tolist() == [2, 2]
    told = json.loads(table.to_json())
    assert told["labels"][0]["centroid"] == ["ship", "news", "dock", "port"]
    assert repr(table) == "LabelTable(2 nodes by hierarchical, mutual_information, chi_square, centroid, title)"
    with pytest.raises(KeyError, match=r"one of this table: 'hierarchical', 'mutual_information', .*; got 'best'"):
        table["best"]


def test_phrases_in_the_table_are_told_from_words():
    docs = dm.text.vectorize_documents(
        {"a": "soft disk; noise", "b": "noise of a soft disk", "c": "hard", "d": "hard"}, phrases=True
    )
    table = dm.label.label_table(dm.from_newick("((a,b),(c,d));"), docs, [2], methods=["mutual_information"], n_terms=3)
    assert table.to_frame()["mutual_information"].tolist() == ["soft disk, noise"]
    assert str(table).splitlines()[1].split(maxsplit=2)[2] == "soft disk, noise"


def test_long_cells_of_the_table_go_over_several_lines():
    docs = dm.text.vectorize_documents({"a rather long title of a document": "ape owl bat"})
    table = dm.label.label_table(dm.from_labels([0], item_names=docs.items), docs, [0], methods=["title", "centroid"])
    assert str(table).splitlines() == [
        "node  documents  title                     centroid",
        "0     1          a rather long title of a  ape, bat, owl",
        "                 document",
    ]


def test_a_labelled_tree_shows_its_words_in_drawings_and_files(harbour, tmp_path):
    tree, found = harbour
    named = dm.label.label_tree(tree, dm.label.label_nodes(tree, found), n_terms=2)
    assert named == tree
    assert named.node_names[6] == "news"
    assert "ship\n" in named.draw()
    dm.write(named, tmp_path / "tree.json")
    assert dm.read(tmp_path / "tree.json").node_names[-1] == "news"
    assert tree.node_names == ()


def test_nodes_without_words_keep_their_names(coast):
    tree, found = coast
    before = dm.Hierarchy(tree.parent, None, tree.item_node, tree.items, ["", "west", "", "old", "all"])
    named = dm.label.label_tree(before, dm.label.label_nodes(before, found))
    assert named.node_names == ("sail", "west", "land", "sea, boat", "all")


def test_labels_of_another_tree_are_refused(harbour):
    labels = dm.label.label_nodes(*harbour)
    with pytest.raises(InvalidInputError, match="got labels of 7 nodes and 4 documents, a tree of 5 nodes and 3 items"):
        dm.label.label_tree(dm.from_newick("((a,b),c);"), labels)
    with pytest.raises(InvalidInputError, match="the labels must be those of the tree"):
        dm.label.label_tree(dm.from_newick("(((a,b),c),d);"), labels)
