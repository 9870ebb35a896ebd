"""One rule for the column of the items, in every command that reads a table; two paths in one table; memory."""

import inspect
import json

import pytest

import dendrometry as dm
from dendrometry import _memory
from dendrometry.cli import _app
from dendrometry.cli._shared.inputs import ItemColumn
from dendrometry.cli._shared.memory import n_bytes
from dendrometry.cluster.table import read_points
from dendrometry.errors import InvalidInputError
from dendrometry.partition.level_table import read_levels

COMMANDS = {
    (info.name or info.callback.__name__).replace("_", "-"): info.callback for info in _app().registered_commands
}
TEXTS = {"documents", "duplicates", "first-stories", "story-clusters"}  # whose items are titles
WITHOUT = {"app", "demo", "predictions", "taxonomy", "measures", "reproduce"} | TEXTS
NAMES = ("ape", "cat", "owl", "jay")
LEVELS = (("m", "m", "b", "b"), ("p", "c", "o", "s"))
NUMBERS = (("0", "1", "5", "6"), ("1", "1", "9", "8"))
# A header, and the columns before the data: with all of these the items are the same.
TABLES = {
    "item": (("a", "item", "b"), 1),
    "unnamed": (("", "a", "b"), 0),
    "first": (("animal", "a", "b"), 0),
}


def table(path, header, at, columns):
    ordered = [*columns[:at], NAMES, *columns[at:]]
    path.write_text("\n".join(map(",".join, [header, *zip(*ordered, strict=True)])) + "\n", encoding="utf-8")
    return path


def test_every_command_that_reads_a_table_has_the_same_option():
    having = {name for name, call in COMMANDS.items() if "items" in inspect.signature(call).parameters}
    assert having == set(COMMANDS) - WITHOUT
    for name in having:
        parameter = inspect.signature(COMMANDS[name]).parameters["items"]
        assert parameter.annotation == ItemColumn
        assert parameter.default is None
    assert not any("names" in inspect.signature(call).parameters for call in COMMANDS.values())


@pytest.mark.parametrize(("header", "at"), TABLES.values(), ids=TABLES)
def test_trees_points_and_levels_take_the_same_column(tmp_path, header, at):
    assert dm.read(table(tmp_path / "tree.csv", header, at, LEVELS)).items == NAMES
    assert read_points(table(tmp_path / "points.csv", header, at, NUMBERS)).items == NAMES
    assert read_levels(table(tmp_path / "levels.csv", header, at, LEVELS)).items == NAMES


@pytest.mark.parametrize("columns", [LEVELS, NUMBERS], ids=["levels", "numbers"])
def test_a_column_that_is_named_is_taken(tmp_path, columns):
    path = table(tmp_path / "x.csv", ("a", "who", "b"), 1, columns)
    assert read_levels(path, item_column="who").items == NAMES
    if columns is NUMBERS:
        assert read_points(path, item_column="who").items == NAMES
    else:
        assert dm.read(path, item="who").items == NAMES


def test_row_numbers_make_way_for_names(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(",animal,x\n1,ape,3\n2,cat,4\n", encoding="utf-8")
    assert dm.read(path).items == read_points(path).items == ("ape", "cat")
    assert read_points(path).columns == ("x",)
    path.write_text(",animal,x\n1,ape,p\n2,cat,q\n", encoding="utf-8")
    assert (read_levels(path).items, list(read_levels(path).levels)) == (("ape", "cat"), ["x"])


def test_numbers_alone_have_no_names(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("x,y\n1,2\n2,4\n", encoding="utf-8")
    assert read_points(path).items is None
    assert list(read_levels(path).levels) == ["x", "y"]


COMMAND_LINES = {
    "compare": ["compare", "TREE", "TREE"],
    "diff": ["diff", "TREE", "TREE"],
    "matrix": ["matrix", "TREE", "OTHER"],
    "consensus": ["consensus", "TREE", "TREE"],
    "labels": ["labels", "TREE", "TREE", "--level", "1"],
    "info": ["info", "TREE"],
    "convert": ["convert", "TREE", "-", "--to", "json"],
    "cluster": ["cluster", "POINTS"],
    "choose": ["choose", "POINTS", "--max-clusters", "3"],
    "variables": ["variables", "POINTS"],
    "resolutions": ["resolutions", "TREE"],
}


@pytest.mark.parametrize("given", COMMAND_LINES.values(), ids=COMMAND_LINES)
def test_the_option_names_the_column_in_every_command(given, tmp_path, run):
    files = {"TREE": ("tree.csv", LEVELS), "OTHER": ("other.csv", LEVELS), "POINTS": ("points.csv", NUMBERS)}
    for name, columns in files.values():
        table(tmp_path / name, ("a", "who", "b"), 1, columns)
    arguments = [str(tmp_path / files[one][0]) if one in files else one for one in given]
    code, out, err = run(*arguments, "--items", "who")
    assert code == 0, err
    assert all("4 items in 'who'" in line for line in run.read)
    assert run.read or "in 'who'" in out
    code, _, err = run(*arguments, "--items", "nobody")
    assert "nobody" in err or given[0] == "info"
    assert code == (1 if given[0] == "info" else 2)


PATHS = (
    "sku,old,new\na,Food > Fruit,Food > Fruit\nb,Food > Bread,Bakery > Bread\n"
    "c,Tools > Saws,\nd,Tools > Axes,Tools > Axes\n"
)


def test_two_paths_of_one_table_are_two_trees(tmp_path, run):
    path = tmp_path / "shop.csv"
    path.write_text(PATHS, encoding="utf-8")
    code, out, _ = run("diff", path, "--paths", "old,new", "--json")
    assert code == 1
    trees = dm.read_many(path, path_columns=["old", "new"])
    assert [tree.items for tree in trees.values()] == [("a", "b", "c", "d"), ("a", "b", "d")]
    assert json.loads(out) == json.loads(dm.diff(*trees.values(), names=("old", "new")).to_json())
    code, out, _ = run("compare", path, "--paths", "old,new", "--intersect", "--json", "--permutations", "0")
    found = dm.compare(*trees.values(), on_mismatch="intersect", names=("old", "new"), n_permutations=0)
    assert (code, json.loads(out)) == (0, json.loads(found.to_json()))


def test_two_paths_before_the_items_are_not_taken_for_them(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text("old,new,sku\nF/x,F/x,a\nF/y,G/y,b\n", encoding="utf-8")
    assert [tree.items for tree in dm.read_many(path, path_columns=["old", "new"]).values()] == [("a", "b")] * 2


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], "two files must be given, or one table and --paths OLD,NEW"),
        (["SHOP", "--paths", "old,new"], "two files must be given, or one table and --paths OLD,NEW"),
        (["--paths", "old"], "--paths must be two names of columns"),
        (["--paths", "old,old"], "two or more columns, each once"),
        (["--paths", "old,none"], "the table must have the column 'none'"),
        (["--paths", "old,new", "--engine", "duckdb"], "with --engine, only"),
    ],
)
def test_wrong_paths_are_refused(tmp_path, run, given, says):
    path = tmp_path / "shop.csv"
    path.write_text(PATHS, encoding="utf-8")
    code, _, err = run("compare", path, *[path if one == "SHOP" else one for one in given])
    assert code == 2
    assert says in err


@pytest.mark.parametrize(
    ("size", "bytes_"), [("500", 500), ("2KB", 2000), ("2 KiB", 2048), ("1.5GB", 1_500_000_000), ("1GiB", 2**30)]
)
def test_sizes_of_memory(size, bytes_):
    assert n_bytes(size) == bytes_


@pytest.mark.parametrize("size", ["", "0", "-1", "much", "2 G B", "1e3", "1" * 20])
def test_no_sizes_of_memory(size):
    with pytest.raises(InvalidInputError, match="--max-memory must be a size such as 500MB"):
        n_bytes(size)


def test_memory_is_limited_while_a_command_runs(tmp_path, run):
    path = table(tmp_path / "points.csv", ("item", "x", "y"), 0, NUMBERS)
    before = _memory.available()
    code, _, err = run("cluster", path, "--max-memory", "1KB")
    assert code == 2
    assert "of memory; 0.0 MiB are available" in err
    assert _memory.limit() is None
    assert _memory.available() > before // 2
    assert run("cluster", path, "--max-memory", "1GB")[0] == 0


def test_all_commands_of_trees_and_points_have_the_limit():
    having = {name for name, call in COMMANDS.items() if "max_memory" in inspect.signature(call).parameters}
    assert having >= {
        "compare",
        "diff",
        "stages",
        "labels",
        "matrix",
        "consensus",
        "cluster",
        "cut",
        "choose",
        "stability",
        "splits",
    }


def test_row_numbers_are_the_items_of_labels_that_repeat(tmp_path, run):
    path = tmp_path / "cutree.csv"  # write.csv(cutree(tree, 2:3)) of R
    path.write_text('"","2","3"\n"1",1,1\n"2",1,2\n"3",2,3\n"4",2,3\n', encoding="utf-8")
    assert dm.read(path).items == read_levels(path).items == read_points(path).items == ("1", "2", "3", "4")
    code, _, err = run("compare", path, path)
    assert (code, err) == (0, "")
    path.write_text(",sku,kind\n0,a,x\n1,b,x\n2,b,y\n", encoding="utf-8")  # most rows are told apart: names, one twice
    with pytest.raises(InvalidInputError, match="column 'sku' must name the items"):
        dm.read(path)


def test_columns_of_one_of_two_tables_are_taken_by_convert(tmp_path, run):
    (tmp_path / "found.csv").write_text("point,label,probability\na,0,0.5\nb,0,1.0\nc,1,0.9\n", encoding="utf-8")
    (tmp_path / "truth.csv").write_text("point,digit\na,7\nb,7\nc,3\n", encoding="utf-8")
    code, _, err = run("compare", tmp_path / "found.csv", tmp_path / "truth.csv", "--levels", "label")
    assert (code, "the table must have the column 'label'" in err, "dendrometry convert" in err) == (2, True, True)
    code, _, err = run("convert", tmp_path / "found.csv", tmp_path / "found.json", "--levels", "label")
    assert code == 0, err
    code, out, _ = run("compare", tmp_path / "found.json", tmp_path / "truth.csv")
    assert (code, out.startswith("Verdict: found.json and truth.csv are the same")) == (0, True)
