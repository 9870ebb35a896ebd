"""The page of one hierarchy of documents as text: its columns agree with the tree and its labels; files, refusals."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.report.browse import browse_page
from dendrometry.report.packed import pack
from tests.zoo import ZOO

TEXTS = {
    "Tides": "sea boat sail news",
    "Race": "sea boat sail news",
    "Shells": "sea beach news",
    "Wheat": "land grain news",
    "Corn": "land grain news",
    "Mill": "land grain flour news",
}


@pytest.fixture(scope="module")
def found():
    return dm.text.vectorize_documents(TEXTS)


@pytest.fixture(scope="module")
def tree():
    return dm.from_newick("(((Tides,Race),Shells),(Wheat,Corn,Mill));")


def page_of(tree, labels=None, titles=None, name="News"):
    return browse_page(tree, node_labels=labels, titles=titles, name=name)


def unpacked(column):
    """What a page unpacks: names, or numbers from all first bytes, all second ones, and so on."""
    data = gzip.decompress(base64.b64decode(column["gzip"]))
    if column["kind"] == "text":
        return json.loads(data)
    kind = np.dtype(f"<{column['kind']}")
    return np.frombuffer(data, dtype=np.uint8).reshape(kind.itemsize, -1).T.copy().view(kind)[:, 0]


@pytest.mark.parametrize(
    "column", [[3, -1, 2**31 - 1], [2**40, 1], [0.5, -0.0], np.array([1, 255], "u1"), np.array([1.5], "f4")]
)
def test_numbers_are_unpacked_as_they_were(column):
    assert unpacked(pack(np.array(column))).tolist() == np.array(column).tolist()


def words_of(data, method):
    """The words of every node by its number, as the page has them."""
    count, term = (unpacked(data["methods"][method][key]) for key in ("count", "term"))
    terms, ends = unpacked(data["terms"]), np.cumsum(count)
    return {
        v: tuple(terms[i] for i in term[end - n : end])
        for v, n, end in zip(unpacked(data["node"]).tolist(), count, ends, strict=True)
    }


@pytest.mark.parametrize("name", ZOO)
def test_every_edge_tree_has_a_page_that_holds_it(name):
    tree = ZOO[name]
    page = page_of(tree)
    text = page.html()
    assert text.count("<section") == 2
    assert "nan" not in re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    node, up, own = (unpacked(page.data[key]) for key in ("node", "up", "own"))
    parent = np.full(tree.n_nodes, -1)
    parent[node[1:]] = node[np.arange(1, node.size) - up[1:]]
    assert parent.tolist() == tree.parent.tolist()
    assert own.tolist() == tree.own_sizes[node].tolist()
    assert sorted(unpacked(page.data["titles"])) == sorted(tree.items)


def test_the_largest_children_come_first_and_equal_ones_as_in_the_tree():
    tree = dm.from_newick("(a,(b,c),((d,e),f),(g,h));")
    assert unpacked(page_of(tree).data["titles"]) == [*"defbcgha"]


def test_words_are_those_of_the_labels_hierarchical_ones_first(tree, found):
    labels = [dm.label.label_nodes(tree, found, method=method) for method in ("chi_square", "hierarchical", "title")]
    data = page_of(tree, labels).data
    assert [method["title"] for method in data["methods"]] == ["Hierarchical", "Chi-square", "Nearest title"]
    for at, given in enumerate((labels[1], labels[0], labels[2])):
        wanted = {v: given[v] if v in given.node else () for v in range(tree.n_nodes)}
        assert words_of(data, at) == wanted


def test_a_table_of_labels_and_one_method_alone_will_do(tree, found):
    table = dm.label.label_table(tree, found, [tree.root, 3], methods=["centroid", "hierarchical"])
    data = page_of(tree, table).data
    assert words_of(data, 1)[3] == table["centroid"][3]
    assert words_of(page_of(tree, table["centroid"]).data, 0)[3] == table["centroid"][3]


def test_names_that_say_the_words_again_are_left_out(tree, found):
    labels = dm.label.label_nodes(tree, found, min_size=2)
    named = dm.label.label_tree(tree, labels, n_terms=2)
    assert unpacked(page_of(named).data["names"]).count("") < tree.n_nodes
    assert page_of(named, labels).data["names"] is None
    names = ["Sea" if v == 3 else "" for v in range(tree.n_nodes)]
    own = dm.Hierarchy(tree.parent, None, tree.item_node, tree.items, names)
    assert unpacked(page_of(own, labels).data["names"]).count("Sea") == 1


def test_titles_stand_for_items(tree):
    titles = {item: f"About {item}" for item in [*TEXTS, "other"]} | {"Mill": " "}
    shown = unpacked(page_of(tree, titles=titles).data["titles"])
    assert sorted(shown) == ["About Corn", "About Race", "About Shells", "About Tides", "About Wheat", "Mill"]
    with pytest.raises(dm.errors.ItemMismatchError, match="every item must have a title; 5 items without one: 'Tides'"):
        page_of(tree, titles={"Corn": "About corn"})
    with pytest.raises(
        dm.errors.InvalidInputError, match="titles must be a mapping from items to titles; got \\['a'\\]"
    ):
        page_of(tree, titles=["a"])
    with pytest.raises(dm.errors.InvalidInputError, match="titles must be strings; got 7"):
        page_of(tree, titles=dict.fromkeys(TEXTS, 7))


def test_what_does_not_fit_is_refused(tree, found, tmp_path):
    labels = dm.label.label_nodes(tree, found)
    with pytest.raises(
        dm.errors.InvalidInputError, match="the labels must be those of the tree; got labels of 10 nodes"
    ):
        page_of(dm.from_newick("(a,b);"), labels)
    with pytest.raises(dm.errors.InvalidInputError, match="by different methods; got hierarchical, hierarchical"):
        page_of(tree, [labels, labels])
    with pytest.raises(dm.errors.InvalidInputError, match="the labels must be of type NodeLabels; got str"):
        page_of(tree, "hierarchical")
    with pytest.raises(dm.errors.InvalidInputError, match="must be of type NodeLabels or LabelTable, or several"):
        page_of(tree, 7)
    with pytest.raises(dm.errors.InvalidInputError, match="the tree: a text must be the name of a file"):
        dm.browse("(a,b);", tmp_path / "tree.html")
    with pytest.raises(dm.errors.InvalidInputError, match="name must be text"):
        page_of(tree, name=None)


def test_the_file_is_whole_and_replaced_only_by_force(tree, tmp_path):
    path = tmp_path / "news.html"
    dm.browse(tree, path, name="News & <views>")
    written = path.read_bytes()
    assert b"<bdi>News &amp; &lt;views&gt;</bdi>" in written
    assert b'id="plotly"' not in written
    with pytest.raises(dm.errors.InvalidInputError, match="exists; force=True"):
        dm.browse(tree, path)
    dm.browse(tree, path, name="News & <views>", force=True, progress=True)
    assert path.read_bytes() == written
    assert [file.name for file in tmp_path.iterdir()] == ["news.html"]
