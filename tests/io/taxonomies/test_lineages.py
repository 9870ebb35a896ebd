"""Lineages with the prefixes of ranks: GTDB and QIIME 2."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.errors import AssumptionWarning, DendrometryError
from dendrometry.io import from_lineages

# Made by hand, in the form of bac120_taxonomy.tsv of GTDB, of a taxonomy.tsv of QIIME 2, and of a summary of GTDB-Tk.
GTDB = (
    "RS_GCF_000566285.1\td__Bacteria;p__Pseudomonadota;c__Gammaproteobacteria;o__Enterobacterales;"
    "f__Enterobacteriaceae;g__Escherichia;s__Escherichia coli\n"
    "RS_GCF_003460375.1\td__Bacteria;p__Pseudomonadota;c__Gammaproteobacteria;o__Enterobacterales;"
    "f__Enterobacteriaceae;g__Escherichia;s__Escherichia coli\n"
    "GB_GCA_000012345.1\td__Archaea;p__Thermoproteota;c__;o__;f__;g__;s__\n"
)
QIIME = (
    "Feature ID\tTaxon\tConfidence\n"
    "4b5eeb300368260019c1fbc7a3c718fc\tk__Bacteria; p__Bacteroidetes; c__Bacteroidia; g__; s__\t0.99\n"
    "fe30ff0f71a38a39cf1717ec2be3a2fc\tk__Bacteria; p__Bacteroidetes\t0.98\n"
    "d29fe3c70564fc0f69f2c03e0d1e5561\tUnassigned\t0.7\n"
)
GTDBTK = (
    "user_genome\tclassification\tclosest_genome_reference\tclosest_genome_ani\n"
    "bin.1\td__Bacteria;p__Bacteroidota;c__Bacteroidia;o__;f__;g__;s__\tN/A\tN/A\n"
    "bin.2\td__Bacteria;p__Bacteroidota;c__;o__;f__;g__;s__\tGCF_000566285.1\t98.6\n"
)


@pytest.mark.parametrize("name", ["bac120_taxonomy.tsv", "taxonomy", "taxonomy.txt", "taxonomy.tsv.gz"])
def test_gtdb_is_known_by_its_content(tmp_path, name):
    import gzip

    path = tmp_path / name
    path.write_bytes(gzip.compress(GTDB.encode()) if name.endswith(".gz") else GTDB.encode())
    tree = dm.read(path)
    assert tree.items == ("RS_GCF_000566285.1", "RS_GCF_003460375.1", "GB_GCA_000012345.1")
    assert [tree.node_names[v] for v in tree.item_node] == ["s__Escherichia coli"] * 2 + ["p__Thermoproteota"]
    assert tree.depths[tree.item_node].tolist() == [7, 7, 2]


def test_qiime_is_known_by_its_header(tmp_path):
    path = tmp_path / "taxonomy.tsv"
    path.write_text(QIIME, encoding="utf-8")
    with pytest.warns(AssumptionWarning, match=r"taxonomy\.tsv: lineages are in column 'Taxon'; .*: 'Confidence'"):
        tree = dm.read(path)
    assert [tree.node_names[v] for v in tree.item_node] == ["c__Bacteroidia", "p__Bacteroidetes", "Unassigned"]
    frame = pd.read_csv(path, sep="\t")
    assert dm.io.as_hierarchy(frame) == dm.io.as_hierarchy(frame.set_index("Feature ID")) == tree


def test_a_summary_of_gtdbtk_is_known_by_its_header(tmp_path):
    path = tmp_path / "gtdbtk.bac120.summary.tsv"
    path.write_text(GTDBTK, encoding="utf-8")
    with pytest.warns(AssumptionWarning, match="lineages are in column 'classification'; these are left out: 'closest"):
        tree = dm.read(path)
    assert [tree.node_names[v] for v in tree.item_node] == ["c__Bacteroidia", "p__Bacteroidota"]
    assert dm.io.as_hierarchy(pd.read_csv(path, sep="\t")) == tree


def test_an_ordinary_table_is_still_one(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("item\tpath\nd__x\ta/b\nd__y\ta/c\n", encoding="utf-8")
    assert dm.read(path) == dm.from_paths({"d__x": "a/b", "d__y": "a/c"})


names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=4)


@given(st.lists(st.lists(names, min_size=1, max_size=4), min_size=1, max_size=8), st.integers(0, 3))
def test_lineages_are_paths_with_prefixes(paths, n_empty):
    prefixes = ["d__", "p__", "c__", "o__", "f__", "g__", "s__"]
    steps = [[prefix + name for prefix, name in zip(prefixes, path, strict=False)] for path in paths]
    empty = [prefixes[len(path) : len(path) + n_empty] for path in paths]
    lineages = [";".join(path + rest) for path, rest in zip(steps, empty, strict=True)]
    assert from_lineages(lineages) == dm.from_paths(steps)
    assert from_lineages([lineage.replace(";", "; ") for lineage in lineages]) == dm.from_paths(steps)


@pytest.mark.parametrize(
    ("lineages", "says"),
    [
        ("d__Bacteria", "lineages must be a sequence, one for each item"),
        (5, "lineages must be a sequence"),
        ([], "must have at least one item|at least one"),
        (["d__Bacteria", 3], "a lineage must be text; got 3 for item '1'"),
        (
            ["d__Bacteria;;c__x"],
            "a rank must be given if 'c__x' below it is given; it is missing .missing='skip_rank'",
        ),
    ],
)
def test_refuses_what_is_no_lineage(lineages, says):
    with pytest.raises(DendrometryError, match=says):
        from_lineages(lineages)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (QIIME + "x\ty\n", "line 5: every row must have 3 values; got 2"),
        ("Feature ID\tTaxon\n", "the table must have at least one lineage; got none"),
        (GTDB + "x\n", "line 4: every row must have 2 values; got 1"),
        (GTDB + GTDB, "item names must be distinct"),
    ],
)
def test_says_which_line_is_wrong(tmp_path, text, says):
    path = tmp_path / "t.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DendrometryError, match=says):
        dm.read(path)
