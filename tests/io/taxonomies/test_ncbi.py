"""The taxdump of NCBI."""

import pytest
from hypothesis import given
from tests.strategies import hierarchies

import dendrometry as dm
from dendrometry.errors import AssumptionWarning, DendrometryError
from dendrometry.io import from_ncbi

# Made by hand, in the form of the taxdump.
NODES = (
    "1\t|\t1\t|\tno rank\t|\t\t|\t8\t|\t0\t|\t1\t|\t0\t|\t0\t|\t0\t|\t0\t|\t0\t|\t\t|\n"
    "2\t|\t131567\t|\tdomain\t|\t\t|\t0\t|\t0\t|\t11\t|\t0\t|\t0\t|\t0\t|\t0\t|\t0\t|\t\t|\n"
    "131567\t|\t1\t|\tcellular root\t|\t\t|\t8\t|\t1\t|\t1\t|\t1\t|\t0\t|\t1\t|\t1\t|\t0\t|\t\t|\n"
)
NAMES = (
    "1\t|\tall\t|\t\t|\tsynonym\t|\n"
    "1\t|\troot\t|\t\t|\tscientific name\t|\n"
    "2\t|\tBacteria\t|\tBacteria <bacteria>\t|\tscientific name\t|\n"
    "2\t|\teubacteria\t|\t\t|\tgenbank common name\t|\n"
    "131567\t|\tcellular organisms\t|\t\t|\tscientific name\t|\n"
)


@pytest.mark.parametrize("name", ["nodes.dmp", "names.dmp"])
def test_the_two_files_are_read_together(tmp_path, name):
    (tmp_path / "nodes.dmp").write_text(NODES, encoding="utf-8")
    (tmp_path / "names.dmp").write_text(NAMES, encoding="utf-8")
    tree = dm.read(tmp_path / name)
    assert tree == from_ncbi(NODES, NAMES) == dm.from_paths({"1": "", "131567": "c", "2": "c/b"})
    named = dict(zip(tree.items, (tree.node_names[v] for v in tree.item_node), strict=True))
    assert named == {"1": "root", "131567": "cellular organisms", "2": "Bacteria"}


def test_nodes_alone_have_no_names(tmp_path):
    (tmp_path / "nodes.dmp").write_text(NODES, encoding="utf-8")
    with pytest.warns(AssumptionWarning, match=r"there is no names\.dmp beside nodes\.dmp; taxa have no names"):
        assert dm.read(tmp_path / "nodes.dmp") == from_ncbi(NODES)


@given(hierarchies(heights=False))
def test_every_tree_of_taxa_comes_back(tree):
    parent = [*tree.parent.tolist()[:-1], tree.root]
    nodes = "".join(f"{v + 1}\t|\t{p + 1}\t|\tno rank\t|\n" for v, p in enumerate(parent))
    found = from_ncbi(nodes)
    taxa = list(map(str, range(1, tree.n_nodes + 1)))
    assert found == dm.from_parents(tree.parent, range(tree.n_nodes), None, taxa)


@pytest.mark.parametrize(
    ("nodes", "names", "says"),
    [
        ("", None, "must hold at least one taxon; got none"),
        (5, None, "the text must be a string; got int"),
        ("1\t|\n", None, r"line 1 of nodes\.dmp must have 2 values or more, separated by '\\t\|\\t'; got '1"),
        ("1\t|\tx\t|\n", None, "line 1: a taxon must be a number; got 'x'"),
        ("1\t|\t1\t|\n1\t|\t1\t|\n", None, r"each taxon must be given once; line 2 of nodes\.dmp gives 1 again"),
        ("1\t|\t1\t|\n2\t|\t7\t|\n", None, "the parent of taxon 2 must be given too; 7 is not"),
        ("1\t|\t2\t|\n2\t|\t1\t|\n", None, "one node must be the root"),
        (NODES, "1\t|\troot\n", r"line 1 of names\.dmp must have 4 values or more"),
    ],
)
def test_refuses_what_is_no_taxdump(nodes, names, says):
    with pytest.raises(DendrometryError, match=says):
        from_ncbi(nodes, names)
