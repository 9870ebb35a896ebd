"""``dendrometry info``: of any file, what it is, how it would be read, and what could be wrong."""

import json
import shlex
import warnings
from pathlib import Path

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.errors import DendrometryError, InvalidInputError
from dendrometry.io import info

WILD = Path(__file__).parents[1] / "data" / "wild"
FILES = sorted(path for path in WILD.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_says_of_every_file_what_read_does(path, run):
    code, out, err = run("info", path)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = info(path)
    assert out.startswith(f"{path}: {found.what}, {path.stat().st_size:,} bytes\n")
    assert code == (0 if found.readable else 1)
    assert len(err.splitlines()) == len(warned)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            tree = dm.read(path)
    except DendrometryError:
        assert not found.readable
        assert "\nnot read: " in out
        for options in found.options:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert dm.read(path, **options).n_items > 0
    else:
        assert found.readable
        assert f"{tree.n_items:,} item" in out
        assert f"{tree.n_nodes:,} node" in out
        assert len(found.notes) + len(warned) == len(told)


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("x.csv", b"", "an empty file"),
        ("x.csv", b"\x89PNG\r\n\x1a\n\0\0", "an image (PNG)"),
        ("x.jpg", b"\xff\xd8\xff\xe0", "an image (JPEG)"),
        ("x.nwk", bytes(range(256)), "trees (Newick or Nexus)"),
        ("x.bin", bytes(range(1, 256)) + b"\0", "binary data"),
        ("x.txt", b"words and more words", "text"),
        ("x.pkl", b"\x80\x04\x95", "a pickle of Python, which is never read"),
        ("x.xlsx", b"PK\x03\x04", "a workbook of Excel"),
        ("x.zip", b"PK\x03\x04", "an archive (ZIP)"),
        ("x.csv.gz", b"\x1f\x8b", "data compressed by gzip"),
        ("x.h5ad", b"\x89HDF", "data of AnnData"),
        ("x.rds", b"\x1f\x8b\0", "objects of R"),
        ("x.xml", b"<a/>", "XML or HTML"),
    ],
)
def test_no_file_fails(tmp_path, run, name, data, what):
    (tmp_path / name).write_bytes(data)
    code, out, err = run("info", tmp_path / name)
    assert (code, err) == (1, "")
    assert out.startswith(f"{tmp_path / name}: {what}, {len(data)} bytes\nnot read: ")
    code, out, err = run("info", tmp_path / name, "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["problem"]


def test_a_folder_is_said_and_nothing_is_an_error(tmp_path, run):
    code, out, _ = run("info", tmp_path)
    assert (code, out.splitlines()[0]) == (1, f"{tmp_path}: a folder")
    code, out, err = run("info", tmp_path / "nowhere.csv")
    assert (code, out) == (2, "")
    assert "No such file" in err


def test_the_command_that_it_prints_reads_the_file(tmp_path, run, monkeypatch):
    monkeypatch.chdir(WILD)
    _, out, _ = run("info", "shop_with_price.csv")
    command = next(line.removeprefix("command: ") for line in out.splitlines() if line.startswith("command: "))
    assert command == "dendrometry compare shop_with_price.csv OTHER --levels department --levels category"
    given = shlex.split(command.replace("OTHER", "shop_with_price.csv"))[1:]
    code, _, _ = run(*given)
    assert code == 0
    assert "Python: dendrometry.read('shop_with_price.csv', levels=['department', 'category'])\n" in out


def test_options_show_what_they_change(run):
    code, out, _ = run("info", WILD / "hdbscan_labels.csv", "--noise", "drop")
    assert code == 0
    assert "4 items in 'point', 1 level in 'label', 2 rows dropped, 2 noise (-1)" in out
    assert out.rstrip().endswith("noise='drop')")


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("item,k\n1,a\n2,b\n", "the items are numbers"),
        ("item,k\nLion,a\nlion,b\n", "names that differ only in case, blanks or underscores: 'Lion', 'lion'"),
        ("item,a,b\nx,p,q\ny,p,q\nz,p,r\n", "column 'a' has one value in all rows"),
        ("item,a,year\nx,p,1\ny,p,1\nz,q,2\n", "column 'year' holds numbers beside levels of names"),
        ("item,a,notes\nx,p,one\ny,p,two\nz,q,three\n", "column 'notes' has another value in each row"),
    ],
)
def test_what_could_be_wrong_is_said(tmp_path, text, doubt):
    (tmp_path / "x.csv").write_text(text, encoding="utf-8")
    assert any(doubt in each for each in info(tmp_path / "x.csv").doubts)


def test_inversions_are_said(tmp_path):
    tree = dm.from_parents([2, 2, 4, 4, -1], [0, 1, 3], [0.0, 0.0, 2.0, 0.0, 1.0], ["a", "b", "c"])
    dm.write(tree, tmp_path / "x.json")
    assert info(tmp_path / "x.json").doubts == ("1 node higher than the one above",)


def test_an_unknown_option_is_refused():
    with pytest.raises(InvalidInputError, match="the options must be those of read"):
        info(WILD / "no_header.csv", level="x")


def test_points_are_said_and_how_a_tree_is_built_from_them(tmp_path, run):
    (tmp_path / "x.csv").write_text("cell;PC1;PC2\nx;0,5;1\ny;;2\nz;1,5;3\n", encoding="utf-8")
    assert info(tmp_path / "x.csv").points == ("PC1", "PC2")
    code, out, _ = run("info", tmp_path / "x.csv")
    assert code == 1
    assert (
        f"2 columns of numbers, a row for each item; a tree is built from them\ncommand: dendrometry cluster {tmp_path}"
        in out
    )
    (tmp_path / "x.csv").write_text("cell,kind,PC1\nx,a,0.5\ny,a,1.5\n", encoding="utf-8")
    assert info(tmp_path / "x.csv").points == ()


def test_measurements_beside_text_are_named_with_the_command_that_takes_them(tmp_path, run):
    rows = [f"{'ab'[i % 2]},{i}.5,{20 + i},{i}.25,{'mf'[i % 2]}\n" for i in range(6)]
    (tmp_path / "x.csv").write_text("species,bill (mm),mass,depth,sex\n" + "".join(rows), encoding="utf-8")
    code, out, _ = run("info", tmp_path / "x.csv")
    assert code == 1
    assert "points: 3 columns of numbers, beside others, a row for each item" in out
    command = next(line for line in out.splitlines() if line.startswith("command: dendrometry cluster"))
    assert command.endswith("--column 'bill (mm)' --column mass --column depth")
    code, out, err = run(*shlex.split(command.removeprefix("command: dendrometry ")))
    assert (code, "warning: column 'mass'" in err) == (0, False)
    assert "6 items, ward on euclidean" in out


def test_the_longest_run_of_nested_columns_is_named_as_levels(tmp_path, run):
    regions = [("Europe", "North"), ("Europe", "South"), ("Asia", "East"), ("Asia", "West")]
    rows = [f"c{i},.d{i % 9},{int(i % 7 == 0)},{','.join(regions[i % 4])},{i}.5\n" for i in range(40)]
    (tmp_path / "x.csv").write_text("code,domain,landlocked,region,subregion,area\n" + "".join(rows), encoding="utf-8")
    found = info(tmp_path / "x.csv")
    assert (found.points, found.options) == ((), ({"levels": ["region", "subregion"]},))


def test_a_title_may_be_the_name_of_its_column(tmp_path):
    rows = [f"{i},{'Home' if i < 12 else 'Garden'},{'title' if i == 7 else f'thing {i}'}\n" for i in range(25)]
    (tmp_path / "x.csv").write_text("sku,group,title\n" + "".join(rows), encoding="utf-8")
    assert dm.read(tmp_path / "x.csv", levels=["group"]).n_items == 25
    (tmp_path / "x.csv").write_text("".join(rows), encoding="utf-8")
    with pytest.raises(InvalidInputError, match="the first row must name the columns"):
        dm.read(tmp_path / "x.csv")


def test_a_column_that_names_no_items_says_that_another_may(tmp_path):
    (tmp_path / "x.csv").write_text("channel,order,path\nweb,1,A > B\nweb,2,A > C\n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"these are repeated: 'web' \(item= names another\)"):
        dm.read(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("seurat_meta_data.csv", {"levels": ["RNA_snn_res.0.5"]}),  # and not a count of molecules
        ("shopify_products_export.csv", {"path_column": "Product Category"}),
        ("ranks_reversed.csv", {"levels": ["family", "genus"]}),  # from the bottom up; there is one order
        ("scanpy_obs_leiden.csv", {"levels": ["leiden_0.5"]}),
    ],
)
def test_the_columns_that_are_advised_hold_groups(file, options):
    assert info(WILD / file).options[0] == options


@pytest.mark.parametrize(
    "file",
    [
        "edges_child_parent.csv",
        "r_hclust_merge.csv",
        "pandas_linkage.csv",
        "matlab_linkage.csv",
        "scanpy_obs_leiden.csv",
    ],
)
def test_edges_merges_and_numbers_of_clusters_are_not_called_points(file):
    assert info(WILD / file).points == ()


def test_clusterings_are_named_with_their_command(run, tmp_path):
    rows = ["c,n_genes,low,high,type", *(f"c{i},{500 + 7 * i},{i % 2},{i % 3},{'TB'[i % 2]}" for i in range(6))]
    (tmp_path / "obs.csv").write_text("\n".join(rows), encoding="utf-8")
    command = info(tmp_path / "obs.csv").tell().splitlines()[-1].removeprefix("command: dendrometry ")
    assert command == f"resolutions {tmp_path / 'obs.csv'} --column low --column high"
    code, out, _ = run(*shlex.split(command))
    assert (code, out.splitlines()[0]) == (0, "6 items at 2 levels of 2 to 3 clusters.")


def test_labels_of_numpy_are_told_from_a_linkage(tmp_path):
    np.save(tmp_path / "x.npy", np.array([0, 0, 1]))
    assert "got shape (3,) (from_labels(numpy.load(...)) takes labels)" in info(tmp_path / "x.npy").tell()


def test_a_column_that_marks_members_by_its_name_is_no_row_of_data(tmp_path):
    (tmp_path / "x.csv").write_text("country,continent,EU\nA,Europe,EU\nB,Europe,\nC,Asia,\n", encoding="utf-8")
    assert dm.read(tmp_path / "x.csv", levels=["continent"]).n_items == 3
    (tmp_path / "x.csv").write_text("A,Europe,EU\nB,Europe,EU\nC,Asia,\n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="got a row of data, with 'Europe' in column 2"):
        dm.read(tmp_path / "x.csv")


def test_records_of_json_are_told_to_be_a_table(tmp_path):
    (tmp_path / "x.json").write_text('[{"name": "a", "kind": "b"}]', encoding="utf-8")
    assert "a list of records is a table, which a data frame writes as CSV" in info(tmp_path / "x.json").tell()


def test_two_paths_and_texts_are_named_with_their_commands(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{i},L{i},Home > A,Home > {'AB'[i % 2]},{'one two three four five six seven eight'} {i}\n" for i in range(4)
    ]
    Path("x.csv").write_text("sku,name,old,new,note\n" + "".join(rows), encoding="utf-8")
    code, out, _ = run("info", "x.csv")
    assert code == 1
    commands = [line.removeprefix("command: ") for line in out.splitlines() if line.startswith("command: ")]
    assert commands[-2:] == [
        "dendrometry diff x.csv --paths old,new",
        "dendrometry documents x.csv --text note --title sku",
    ]
    assert [run(*shlex.split(command)[1:])[0] for command in commands[-2:]] == [1, 0]  # 1: something changed
    assert json.loads(run("info", "x.csv", "--json")[1])["commands"][-2:] == commands[-2:]
