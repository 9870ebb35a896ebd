import gzip
import io
import os
import stat
import struct
import sys
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_names
from tests.zoo import ZOO

from dendrometry import from_labels, from_linkage, from_newick, from_parents, from_paths, read, write
from dendrometry.errors import AssumptionWarning, FormatError, InvalidInputError, LostMeaningWarning

HELD = {
    "tree.nwk": ["two items", "caterpillar", "polytomy", "inversion", "unary chain"],
    "tree.newick": ["balanced"],
    "tree.tree": ["ties"],
    "tree.NWK": ["balanced"],
    "tree.json": list(ZOO),
    "tree.csv": ["one item", "star", "one cluster", "items at inner nodes", "item at the root alone"],
    "tree.tsv": ["star", "items at inner nodes"],
    "tree.parquet": ["star", "one cluster", "items at inner nodes"],
    "tree.npy": ["two items", "caterpillar", "ties", "inversion", "all at height 0"],
}


def npy_header(shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(("name", "tree"), [(name, tree) for name, trees in HELD.items() for tree in trees])
def test_every_format_gives_back_the_trees_it_can_hold(tmp_path, name, tree, ending):
    write(ZOO[tree], tmp_path / (name + ending))
    assert read(tmp_path / (name + ending)) == ZOO[tree]


@pytest.mark.parametrize("name", ["x.nwk", "x.json", "x.csv", "x.tsv", "x.parquet"])
@given(names=st.lists(any_names, min_size=1, max_size=4, unique=True), group=any_names)
def test_any_unicode_label_comes_back(tmp_path_factory, name, names, group):
    path = tmp_path_factory.mktemp("labels") / name
    tree = from_parents([*[len(names)] * len(names), -1], item_names=names)
    group = group.replace("/", "|")
    if not name.endswith((".nwk",)):
        tree = from_paths([(group,)] * len(names), names)
    write(tree, path)
    again = read(path)
    assert again == tree
    if not name.endswith((".nwk",)) and names != [group]:
        assert group in again.node_names


def test_text_that_looks_like_numbers_or_nothing_stays_text(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,label\n007,a\nNA,a\nnan,b\n1e5,b\n null ,c\n")
    assert read(path).items == ("007", "NA", "nan", "1e5", " null ")


def test_tables_hold_paths_levels_or_labels(tmp_path):
    expected = from_paths({"cat": "mammals/cats", "owl": "birds/owls"})
    for i, text in enumerate(
        [
            "item,path\ncat,mammals/cats\nowl,birds/owls\n",
            "path,item\nmammals/cats,cat\nbirds/owls,owl\n",
            "path,animal\nmammals/cats,cat\nbirds/owls,owl\n",
            "animal,class,family\ncat,mammals,cats\nowl,birds,owls\n",
            "class,item,family\nmammals,cat,cats\nbirds,owl,owls\n",
            '\ufeffitem,path\r\n"cat",mammals/cats\r\n\r\nowl,"birds/owls"\r\n',
        ]
    ):
        path = tmp_path / f"{i}.csv"
        path.write_text(text, newline="")
        assert read(path) == expected
    path = tmp_path / "labels.tsv"
    path.write_text("animal\tgroup\ncat\tm\nowl\tb\n")
    assert read(path) == from_labels(["m", "b"], item_names=["cat", "owl"])


def test_formulas_are_written_as_text_and_read_back(tmp_path):
    names = ["=cmd|' /C calc'!A0", "@x", "+1+1", "-1", "'=x", "\t=x", "''@"]
    tree = from_parents([*[len(names)] * len(names), -1], item_names=names)
    path = tmp_path / "x.csv"
    write(tree, path)
    assert read(path) == tree
    cells = [line.split(",")[0].strip('"') for line in path.read_text().splitlines()[1:]]
    assert cells[:5] == ["'=cmd|' /C calc'!A0", "'@x", "'+1+1", "-1", "''=x"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.nwk", b"(a,b", "line 1, column 5"),
        ("x.nwk", b"(a,\xff);", "must be UTF-8; byte 3 is 0xff"),
        ("x.json", b"{", "JSON, line 1, column 2"),
        ("x.csv", b"", "must have a header; got an empty text"),
        ("x.csv", b"item,path\n", "at least one row below its header"),
        ("x.csv", b"item\na\n", "a column besides the items; got only 'item'$"),
        ("x.csv", b"item\tpath\na\tb\n", r"got only 'item.tpath' \(commas separate the columns of .csv, tabs those"),
        ("x.rds", b"\x89HDF", "the file must be one that saveRDS or save of R wrote"),
        ("x.RData", b"RDX3\nX\n", "the data of R must be complete; they end early"),
        ("x.h5ad", b"\x89HDF", "the file must be one of AnnData"),
        ("x.xlsx", b"PK", "the file must be a workbook of Excel"),
        ("x.xlsx", b"\xd0\xcf\x11\xe0", r"\(Excel saves old files and files with a password as .xlsx\)"),
        ("x.csv", b"item,a\na,b\nc,d,e\n", r"2 values, as the header; got 3 \(a value with ',' in it needs quota"),
        ("x.csv", b"item,a,b\na,b\n", r"got 2 \(where the last values are missing, the row is 'a,b,'"),
        (
            "x.tsv",
            b"group\nape\tx\n",
            r"every row must have 1 value, as the header; got 2 \(write.table .*col.names=NA\)",
        ),
        ("x.csv", b"item,\na,b\n", "every column but the first must have a name; column 2 has none"),
        ("x.csv", b"item,item\na,b\n", "must be distinct; these are repeated: 'item'"),
        ("x.csv", b'item,path\na,"b\n', "line 2: the table must be well formed"),
        ("x.csv", b'item,path\na,"b"c\n', "line 2: the table must be well formed"),
        ("x.csv", b"item,path\na,b\na,c\n", "are repeated: 'a'"),
        ("x.csv", b"item,path\n,b\n", "must not be empty"),
        ("x.csv", b"item,a,b\nx,,y\n", "item 'x': level 'a' must be given if 'b' below it is given"),
        ("x.parquet", b"PAR1", "must be Parquet; got .*: File too small to be a Parquet file"),
        ("x.parquet", b"", "must be Parquet"),
        ("x.npy", b"", "must start with a .npy header"),
        ("x.npy", b"\x93NUMPY\x01\x00\xff\xff", "must start with a .npy header"),
        ("x.npy", b"\x93NUMPY\x09\x00" + b"\x00" * 100, "version 1.0 or 2.0; got 9.0"),
        ("x.npy", npy_header("(0, 10**28)"), "must start with a .npy header"),
        ("x.npy", npy_header(f"(0, {10**28})"), "must declare the bytes it holds, 0; got 0"),
        ("x.npy", npy_header("(True, 4)"), r"two dimensions; got shape \(True, 4\)"),
        ("x.npy", npy_header("(" + "1," * 70 + ")"), "two dimensions"),
        (
            "x.nwk",
            gzip.compress(b"(a,b);", mtime=0),
            r"must be UTF-8; byte 1 is 0x8b \(it looks like gzip: the name must end in .gz\)",
        ),
        ("x.nwk", "(a,b);".encode("utf-16"), r"\(it looks like UTF-16\)"),
        ("x.nwk.gz", b"(a,b);", "must be compressed by gzip"),
        ("x.nwk.gz", gzip.compress(b"(a,b);", mtime=0)[:-6], "must be compressed by gzip"),
    ],
)
def test_broken_files_are_refused_by_name_and_place(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message) as caught:
        read(path)
    assert name in str(caught.value)


def test_a_file_that_others_read_comes_with_a_way_out(tmp_path):
    (tmp_path / "x.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(InvalidInputError, match=r"got .*x.xls \(Excel saves it as .xlsx, which is read"):
        read(tmp_path / "x.xls")


def test_npy_never_unpickles(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match="must hold plain numbers; got object"):
        read(path)


def test_npy_declared_size_is_compared_with_the_file(tmp_path):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 4), }"
    header += b" " * (117 - len(header)) + b"\n"
    path = tmp_path / "x.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\x00" * 64)
    with pytest.raises(FormatError, match="must declare the bytes it holds, 64; got 32,000,000,000,000"):
        read(path)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<i8", "u1"])
def test_npy_of_any_number_type_is_read(tmp_path, order, dtype):
    Z = np.array([[0, 1, 1, 2], [2, 3, 2, 3]], dtype=dtype, order=order)
    np.save(tmp_path / "x.npy", Z)
    assert read(tmp_path / "x.npy") == from_linkage(Z)


def test_npy_loses_item_names_with_a_warning(tmp_path):
    with pytest.warns(LostMeaningWarning, match="cannot hold item names"):
        write(from_linkage([[0, 1, 1, 2]], item_names=["a", "b"]), tmp_path / "x.npy")


def test_compressed_input_has_a_cap(tmp_path):
    path = tmp_path / "bomb.nwk.gz"
    path.write_bytes(gzip.compress(b" " * 200_000 + b"(a,b);"))
    assert path.stat().st_size < 1_000
    with pytest.raises(FormatError, match="must unpack to at most 100,000 bytes"):
        read(path, max_bytes=100_000)
    assert read(path).items == ("a", "b")


def test_compressed_input_takes_no_more_memory_than_it_holds(tmp_path):
    path = tmp_path / "x.nwk.gz"
    path.write_bytes(gzip.compress(b"(a,b);"))
    tracemalloc.start()
    read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize("max_bytes", [0, -5, 1e6, "1"])
def test_the_cap_is_a_whole_number(tmp_path, max_bytes):
    with pytest.raises(InvalidInputError, match="max_bytes must be a whole number from 1 on"):
        read(tmp_path / "x.nwk", max_bytes=max_bytes)


@pytest.mark.further
def test_a_wide_table_is_read_in_linear_time(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item," + ",".join(f"c{i}" for i in range(50_000)) + "\nx," + ",".join("y" * 50_000) + "\n")
    assert read(path).depths.max() == 50_000


def test_a_small_parquet_file_cannot_unpack_to_much(tmp_path):
    import duckdb

    path = tmp_path / "x.parquet"
    duckdb.execute(f"COPY (SELECT 'aaaaaaaaaa' AS item, 'b' AS path FROM range(200000)) TO '{path}' (FORMAT parquet)")
    assert path.stat().st_size < 10_000
    with pytest.raises(FormatError, match="must unpack to at most 100,000 bytes"):
        read(path, max_bytes=100_000)


def test_parquet_has_a_cap_on_what_it_unpacks_to(tmp_path):
    path = tmp_path / "x.parquet"
    write(from_labels([0] * 5000), path)
    most = path.stat().st_size
    with pytest.raises(FormatError, match=f"must unpack to at most {most:,} bytes"):
        read(path, max_bytes=most)


def test_parquet_columns_are_text_or_whole_numbers(tmp_path):
    import polars

    path = tmp_path / "x.parquet"
    polars.DataFrame({"item": [1, 2], "label": ["a", None]}).write_parquet(path)
    with pytest.warns(AssumptionWarning, match="1 of 2 items without any level"):
        assert read(path) == from_parents([1, -1], [0, 1], None, ["1", "2"])
    polars.DataFrame({"item": [1.5, 2.0], "label": ["a", "b"]}).write_parquet(path)
    with pytest.raises(FormatError, match="text or whole numbers; got 'item DOUBLE'"):
        read(path)


def test_columns_of_parquet_that_are_not_taken_may_hold_anything(tmp_path):
    import polars

    path, text = tmp_path / "x.parquet", tmp_path / "x.csv"
    frame = polars.DataFrame(
        {"sku": ["a", "b", "c"], "price": [1.5, 2.0, 3.0], "label": [0.0, 1.0, 1.0], "on": [True, False, True]}
    )
    frame.write_parquet(path)
    frame.write_csv(text)
    with pytest.raises(FormatError, match=r"got 'on BOOLEAN' \(levels= names the columns that are levels\)"):
        read(path)
    assert read(path, levels=["label"]) == read(text, levels=["label"]) == from_labels({"a": "0", "b": "1", "c": "1"})
    frame.drop("on").write_parquet(path)
    with pytest.raises(FormatError, match="row 0: level 'price' must be text or whole numbers; got 1"):
        read(path)
    frame.rename({"sku": "path"}).write_parquet(path)
    with pytest.raises(FormatError, match="the items must be text or whole numbers; got 'price DOUBLE'"):
        read(path)
    frame.with_columns(path=polars.Series(["x/y", "x/z", "x"])).write_parquet(path)
    with pytest.warns(AssumptionWarning, match="in column 'path'; these are left out: 'price', 'label', 'on'"):
        assert read(path).items == ("a", "b", "c")


def test_parquet_file_names_are_not_patterns(tmp_path):
    tree = from_labels([0, 1])
    write(tree, tmp_path / "a*[b]'.parquet")
    assert read(tmp_path / "a*[b]'.parquet") == tree


def test_standard_input_needs_a_format(monkeypatch):
    class Input:
        buffer = io.BytesIO(b"(a,b);")

    monkeypatch.setattr(sys, "stdin", Input)
    assert read("-", format="newick") == from_newick("(a,b);")
    with pytest.raises(
        InvalidInputError, match="format must be given for standard input and output; one of newick, nexus, json"
    ):
        read("-")


def test_standard_output_takes_a_tree(capfdbinary):
    write(from_newick("(a,b);"), "-", format="newick")
    assert capfdbinary.readouterr().out == b"(a,b);\n"


def test_format_overrides_the_name(tmp_path):
    write(from_newick("(a,b);"), tmp_path / "x.txt", format="json")
    assert read(tmp_path / "x.txt", format="json") == from_newick("(a,b);")
    with pytest.raises(InvalidInputError, match=r"must end in one of \.nwk"):
        write(from_newick("(a,b);"), tmp_path / "y.txt")
    with pytest.raises(InvalidInputError, match=r"format must be 'newick', .*; got 'xml'"):
        read(tmp_path / "x.txt", format="xml")


def test_missing_files_and_folders_are_our_own_error(tmp_path):
    with pytest.raises(InvalidInputError, match=r"cannot read .*missing\.nwk: No such file"):
        read(tmp_path / "missing.nwk")
    (tmp_path / "folder.nwk").mkdir()
    with pytest.raises(InvalidInputError, match=r"cannot read .*folder\.nwk: Is a directory"):
        read(tmp_path / "folder.nwk")
    with pytest.raises(InvalidInputError, match="cannot read"):
        read("a\0b.nwk")
    with pytest.raises(InvalidInputError, match="cannot write"):
        write(from_labels([0]), tmp_path / "no" / "folder.json")


def test_only_paths_and_hierarchies_are_taken(tmp_path):
    for path in (5, b"x.nwk", None):
        with pytest.raises(InvalidInputError, match="a path must be text"):
            read(path)
    with pytest.raises(InvalidInputError, match="the tree must be a Hierarchy; got str"):
        write("(a,b);", tmp_path / "x.nwk")
    with pytest.raises(InvalidInputError, match="format must be 'newick', "):
        read(tmp_path / "x.nwk", format=[])


def test_links_and_permissions_are_kept(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    write(from_labels([0]), real)
    real.chmod(0o600)
    link.symlink_to(real)
    write(from_labels([0, 1]), link, force=True)
    assert link.is_symlink()
    assert read(real).n_items == 2
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_a_quote_in_the_name_of_the_temporary_folder_does_no_harm(tmp_path, monkeypatch):
    folder = tmp_path / "it's"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    write(from_labels([0, 1]), tmp_path / "x.parquet")
    assert read(tmp_path / "x.parquet") == from_labels([0, 1])


def test_an_existing_file_is_replaced_only_by_force(tmp_path):
    path = tmp_path / "x.nwk"
    write(from_newick("(a,b);"), path)
    with pytest.raises(InvalidInputError, match=r"exists \(force=True replaces it"):
        write(from_newick("(c,d);"), path)
    assert read(path).items == ("a", "b")
    write(from_newick("(c,d);"), path, force=True)
    assert read(path).items == ("c", "d")


def test_output_is_whole_or_not_there(tmp_path, monkeypatch):
    path = tmp_path / "x.nwk"
    write(from_newick("(a,b);"), path)

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        write(from_newick("(c,d);"), path, force=True)
    assert os.listdir(tmp_path) == ["x.nwk"]
    assert read(path).items == ("a", "b")


def test_output_files_have_ordinary_permissions(tmp_path):
    before = os.umask(0o022)
    try:
        write(from_labels([0]), tmp_path / "x.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x.json").stat().st_mode) == 0o644


def test_file_names_are_shown_as_text(tmp_path):
    with pytest.raises(InvalidInputError) as caught:
        read(tmp_path / "\x1b[2J.nwk")
    assert "\x1b" not in str(caught.value)


def test_the_same_tree_gives_the_same_bytes(tmp_path):
    for name in ("a.json.gz", "b.json.gz"):
        write(ZOO["caterpillar"], tmp_path / name)
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


def test_tables_leave_out_heights_with_a_warning(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LostMeaningWarning, match="paths hold no heights"):
            write(ZOO["balanced"], tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize(("tree", "said"), [("2", "tree=2"), ("second", "tree='second'")])
def test_a_tree_of_a_file_named_as_on_the_command_line_is_explained(tree, said, tmp_path):
    path = tmp_path / "two.nwk"
    path.write_text("(a,b);(a,b);", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=rf"No such file or directory \(read\('.*two.nwk', {said}\)"):
        read(f"{path}:{tree}")
