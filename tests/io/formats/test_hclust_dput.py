"""R's objects as text: phylo and hclust, as dput writes them."""

import pytest
from hypothesis import given
from tests.strategies import dendrograms, hierarchies
from tests.work import peak_bytes

import dendrometry as dm
from dendrometry.errors import DendrometryError, FormatError
from dendrometry.io import from_dput

PHYLO = (
    "structure(list(edge = structure(c(4L, 5L, 5L, 4L, 5L, 1L, 2L, 3L), dim = c(4L, 2L)), Nnode = 2L,"
    ' tip.label = c("ape", "cat", "owl")), class = "phylo", order = "cladewise")'
)
HCLUST = (
    "structure(list(merge = structure(c(-1L, -3L, -2L, 1L), dim = c(2L, 2L)), height = c(1, 3), order = c(3L, 1L, 2L),"
    ' labels = NULL, method = "complete", call = hclust(d = dist(c(1, 2, 4))), dist.method = "euclidean"),'
    ' class = "hclust")'
)
TREE = dm.from_newick("((ape,cat),owl);")


def quoted(text):
    """Return text as R writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def vector(values, suffix=""):
    """Return a vector as R writes it."""
    return f"c({', '.join(f'{value}{suffix}' for value in values)})"


@given(dendrograms())
def test_every_dendrogram_comes_back_as_hclust(tree):
    parts = dm.to_hclust(tree)
    merge = vector(parts.merge.T.ravel().tolist(), "L")
    text = (
        f"structure(list(merge = structure({merge}, dim = c({tree.n_items - 1}L, 2L)),"
        f" height = {vector(parts.height.tolist())}, order = {vector(parts.order.tolist(), 'L')},"
        f" labels = {vector(map(quoted, parts.labels))}), class = 'hclust')"
    ).replace("'hclust'", '"hclust"')
    assert from_dput(text) == tree


@given(hierarchies(heights=False))
def test_every_tree_of_tips_comes_back_as_phylo(tree):
    leaves, inner = tree.leaves.tolist(), [v for v in range(tree.n_nodes) if tree.n_children[v]][::-1]
    if not inner:
        return  # a phylo has an inner node
    number = {v: i + 1 for i, v in enumerate(leaves + inner)}
    edges = [(number[p], number[v]) for v, p in enumerate(tree.parent.tolist()) if p >= 0]
    edge = vector([p for p, _ in edges] + [v for _, v in edges], "L")
    tips = [f"t{v}\"'é\n" for v in leaves]
    text = (
        f"structure(list(edge = structure({edge}, dim = c({len(edges)}L, 2L)), Nnode = {len(inner)}L,"
        f' tip.label = {vector(map(quoted, tips))}), class = "phylo")'
    )
    assert from_dput(text) == dm.from_parents(tree.parent, leaves, None, tips)


def test_items_without_labels_are_numbered_as_in_r():
    assert from_dput(HCLUST) == dm.from_hclust([[-1, -2], [-3, 1]], [1, 3])


@pytest.mark.parametrize(
    "text",
    [
        PHYLO,
        f"tree <-\n{PHYLO}\n",
        f"\ufeff{PHYLO}",
        PHYLO.replace("c(4L, 5L, 5L, 4L, 5L, 1L, 2L, 3L)", "c(4L, 5L, 5L, 4L, 5L, 1:3)"),
        PHYLO.replace('"cat"', r'"\x63\u0061t"'),
        PHYLO.replace("tip.label", "`tip.label`"),
        PHYLO.replace("Nnode", 'note = quote(f(x, "a)")), Nnode'),
        PHYLO.replace("Nnode", 'node.label = c(NA, "n"), Nnode'),
        PHYLO.replace('"ape"', 'a = "ape"'),
    ],
)
def test_forms_of_one_object(text):
    assert from_dput(text) == TREE


def test_a_file_is_known_by_its_content(tmp_path):
    path = tmp_path / "tree.R"
    path.write_text(PHYLO, encoding="utf-8")
    assert dm.read(path) == TREE


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (5, "the text must be a string; got int"),
        ("", r"must be written as structure\(list\(\.\.\.\), class = \.\.\.\); got ''"),
        ("c(1, 2)", "must be written as structure"),
        ("structure(list(", "matching brackets; one is not closed"),
        (PHYLO + ")", "matching brackets; got a closing one too many"),
        (PHYLO.replace("phylo", "dendrogram"), "must be of class phylo or hclust; got dendrogram"),
        ("structure(list(a = 1))", "must be of class phylo or hclust; got something else"),
        (PHYLO.replace("Nnode", "nodes"), "an object of class phylo must have the part Nnode; it has none"),
        (HCLUST.replace("height", "depth"), "an object of class hclust must have the part height; it has none"),
        (PHYLO.replace("3L), dim", "3L, 4L), dim"), "the part edge must have two columns; got 9 values"),
        (PHYLO.replace("1L, 2L, 3L", "1L, 2L, 9L"), "edge must have a row for each node but the root, 4, with numbers"),
        (PHYLO.replace("1L, 2L, 3L", "1L, 2L, 2L"), "each node of a phylo must have one parent; one has several"),
        (PHYLO.replace("1L, 2L, 3L", '1L, 2L, "x"'), "the part edge must hold numbers; got text"),
        (PHYLO.replace("1L, 2L, 3L", "1L, 2L, NA"), "the part edge must hold numbers; got NA"),
        (PHYLO.replace("1L, 2L, 3L", "1L, 2L, f(3)"), r"must be numbers or text; got 'f \( 3 \)'"),
        (PHYLO.replace("1L, 2L, 3L", "1:99999999999"), "ranges of an object of R must stand for at most 100,236"),
        (PHYLO.replace('"owl"', "NA"), "the part tip.label must hold names; got NA"),
        (PHYLO.replace('"owl"', r'"\U{FFFFFFFF}"'), "an escape must be a character of Unicode"),
        (PHYLO.replace("Nnode", "edge.length = c(1, 2), Nnode"), "edge.length must have one value for each of 4 edges"),
        (
            PHYLO.replace("Nnode = 2L", "Nnode = 1e999"),
            "the part Nnode must be one whole number of at least 0; got inf",
        ),
        (
            PHYLO.replace("Nnode = 2L", "Nnode = -1e999"),
            "the part Nnode must be one whole number of at least 0; got -inf",
        ),
        (PHYLO.replace("Nnode = 2L", "Nnode = 2.5"), "the part Nnode must be one whole number of at least 0; got 2.5"),
        (
            PHYLO.replace("Nnode = 2L", "Nnode = c(2L, 2L)"),
            "Nnode must be one whole number of at least 0; got 2 values",
        ),
        (PHYLO.replace("Nnode = 2L", "Nnode = NULL"), "Nnode must be one whole number of at least 0; got 0 values"),
        (PHYLO.replace("1L, 2L, 3L", "1:1e999"), "must be numbers or text; got '1 : 1e999'"),
        ("structure(" * 50_000 + ")" * 50_000, "must be of class phylo or hclust"),
    ],
)
def test_refuses_what_is_no_tree_of_r(text, says):
    with pytest.raises(DendrometryError, match=says):
        from_dput(text)


def test_ranges_stand_for_no_more_values_than_a_file_of_that_size_needs():
    ranges = ", ".join(["1:9999999"] * 8)
    for text in (PHYLO.replace("1L, 2L, 3L", ranges), PHYLO.replace('"owl"', ranges), HCLUST.replace("-1L", ranges)):

        def refused(text=text):
            with pytest.raises(FormatError, match=r"ranges of an object of R must stand for at most 10\d,\d{3} values"):
                from_dput(text)

        assert peak_bytes(refused) < 20_000_000


def test_a_caterpillar_written_in_ranges_is_read():
    n = 100_000
    names = ", ".join(f'"{i}"' for i in range(n))
    above, below = f"{n + 1}:{2 * n - 1}, {2 * n - 1}:{n + 1}", f"{n + 2}:{2 * n - 1}, 1:{n}"
    edge = f"structure(c({above}, {below}), dim = c({2 * n - 2}L, 2L))"
    text = f'structure(list(edge = {edge}, tip.label = c({names}), Nnode = {n - 1}L), class = "phylo")'
    assert from_dput(text).n_items == n
