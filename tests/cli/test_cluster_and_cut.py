"""``dendrometry cluster`` and ``dendrometry cut``."""

import json
import re
import sys

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from dendrometry import agglomerate, cut_count, read, write
from dendrometry.cli.cluster import cluster
from dendrometry.cli.cut import cut
from dendrometry.cluster.table import read_points
from dendrometry.errors import AssumptionWarning, FormatError, InvalidInputError, MissingExtraError

TABLE = "item,x,y\nape,0,0\nbat,0,1\n007,5,5\nNA,5,6.5\n"


@pytest.fixture
def app():
    made = typer.Typer()
    made.command()(cluster)
    made.command()(cut)
    return made


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text(TABLE, encoding="utf-8-sig")
    return str(path)


def run(app, *args):
    return CliRunner().invoke(app, list(args))


def test_builds_a_tree_and_cuts_it(app, points, tmp_path):
    tree = str(tmp_path / "tree.nwk")
    result = run(app, "cluster", points, "--linkage", "average", "--out", tree)
    assert result.exit_code == 0, result.output
    assert "4 items, average on euclidean by matrix_greedy: 0 ties, 0 inversions" in result.output
    expected = agglomerate(
        [[0, 0], [0, 1], [5, 5], [5, 6.5]], linkage="average", item_names=["ape", "bat", "007", "NA"]
    )
    np.testing.assert_allclose(np.sort(read(tree).height), np.sort(expected.hierarchy.height), atol=1e-12)
    result = run(app, "cut", tree, "-k", "2")
    labels = dict(line.split("\t") for line in result.output.splitlines())
    assert labels["ape"] == labels["bat"] != labels["007"] == labels["NA"]


def test_large_merges_on_a_graph_and_prints_the_fidelity(app, tmp_path, monkeypatch):
    rows = np.random.default_rng(0).normal(size=(60, 3))
    table = tmp_path / "many.csv"
    table.write_text("x,y,z\n" + "\n".join(",".join(map(str, row)) for row in rows.tolist()))
    exact = run(app, "cluster", str(table), "--approximate", "--json")
    assert (json.loads(exact.stdout)["graph"], json.loads(exact.stdout)["fidelity"]) == (None, None)
    monkeypatch.setattr("dendrometry.cluster.approximate.cluster_approximate._EXACT", 10)
    monkeypatch.setattr("dendrometry.cluster.approximate.cluster_approximate._EXACT_ROOT", 0)
    told = json.loads(run(app, "cluster", str(table), "--approximate", "--json").stdout)
    assert told["graph"]["n_exact"] == 10
    tree = str(tmp_path / "tree.nwk")
    printed = run(app, "cluster", str(table), "--approximate", "--out", tree).stdout
    near = told["fidelity"]
    value, limit = (f"{near[name]:.3f} ± {near[f'{name}_error']:.3f}" for name in ("value", "yardstick"))
    assert f"fidelity {value}, two exact trees of samples {limit}" in printed
    assert 0 < near["value"] < 1


def test_a_stopped_build_goes_on(app, tmp_path, monkeypatch):
    rows = np.random.default_rng(0).normal(size=(1100, 3))
    table, kept, tree = tmp_path / "many.csv", tmp_path / "build.npz", str(tmp_path / "tree.npy")
    table.write_text("x,y,z\n" + "\n".join(",".join(map(str, row)) for row in rows.tolist()))
    with monkeypatch.context() as patch:
        patch.setattr("dendrometry.cluster.cpu.checkpoint._SECONDS", 0.0)
        patch.setattr("dendrometry.cluster.cpu.checkpoint.Checkpoint.remove", lambda _: sys.exit(130))
        assert run(app, "cluster", str(table), "--resume", str(kept)).exit_code == 130
    assert kept.exists()
    assert run(app, "cluster", str(table), "--resume", str(kept), "--out", tree).exit_code == 0
    assert not kept.exists()
    assert np.array_equal(read(tree).parent, agglomerate(rows).hierarchy.parent)


@pytest.mark.parametrize("other", ["--distances", "--approximate"])
def test_only_exact_builds_of_points_go_on(app, points, other):
    result = run(app, "cluster", points, other, "--resume", "build.npz")
    assert "--resume is for exact trees of points; got --distances or --approximate" in str(result.exception)


def test_large_is_for_the_cpu(app, points):
    result = run(app, "cluster", points, "--approximate", "--device", "auto")
    assert isinstance(result.exception, InvalidInputError)
    assert "--approximate requires --device cpu; got auto" in str(result.exception)


@pytest.mark.parametrize(
    "text", ["one,other\nape,bat\nbat,007\n007,NA\n", "a\tb\tkm\nNA\t007\t3\nbat\t007\t1\nbat\tape\t2\n"]
)
def test_only_neighbours_merge(app, points, tmp_path, text):
    borders, tree = tmp_path / ("borders.tsv" if "\t" in text else "borders.csv"), str(tmp_path / "tree.nwk")
    borders.write_text(text)
    by_pairs = run(app, "cluster", points, "--connectivity", str(borders), "--out", tree)
    assert "3 pairs of neighbours in 1 connected part" in by_pairs.stdout
    table = read_points(points)
    expected = agglomerate(table.points, item_names=table.items, connectivity=(4,)).hierarchy
    assert read(tree).draw() == expected.draw()
    as_grid = run(app, "cluster", points, "--connectivity", "4", "--json")
    assert json.loads(as_grid.stdout)["graph"]["n_edges"] == 3
    assert json.loads(as_grid.stdout)["fidelity"] is None


def test_only_neighbours_merge_by_distances(app, tmp_path):
    square, borders = tmp_path / "square.csv", tmp_path / "borders.csv"
    square.write_text(",a,b,c\na,0,1,5\nb,1,0,6\nc,5,6,0\n")
    borders.write_text("one,other\na,c\nc,b\n")
    result = run(app, "cluster", str(square), "--distances", "--linkage", "single", "--connectivity", str(borders))
    assert "2 pairs of neighbours in 1 connected part" in result.stdout


def test_leaves_have_the_least_size(app, points, tmp_path):
    tree = str(tmp_path / "tree.json")
    run(app, "cluster", points, "--connectivity", "4", "--min-size", "2", "--out", tree)
    table = read_points(points)
    expected = agglomerate(table.points, item_names=table.items, connectivity=(4,), min_size=2).hierarchy
    assert read(tree).draw() == expected.draw()
    assert len(read(tree).leaves) == 2
    result = run(app, "cluster", points, "--min-size", "2")
    assert "--min-size requires --connectivity; got none" in str(result.exception)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("one,other\nape,bat\nbta,NA\n", r"did you mean 'bat'\? .*borders.csv, line 3: 'bta' must be an item"),
        ("ape,bat\nbat,NA\n", "must have a header; its first line is the pair 'ape, bat'"),
        ("one\nape\n", "must have two columns, of items that are neighbours; got 'one'"),
        ("2x3", "a grid of 2x3 has 6 cells, and there are 4 items"),
        ("4 --approximate", "--approximate takes no --connectivity; got both"),
    ],
)
def test_refuses_bad_neighbours(app, points, tmp_path, given, message):
    borders = tmp_path / "borders.csv"
    borders.write_text(given)
    result = run(app, "cluster", points, "--connectivity", *([str(borders)] if "\n" in given else given.split()))
    assert isinstance(result.exception, InvalidInputError | FormatError)
    assert re.search(message, str(result.exception))


@pytest.mark.parametrize(("rule", "n"), [(["--at-most", "3"], 3), (["--height", "1"], 3), (["--gap"], 2)])
def test_every_rule_cuts(app, points, tmp_path, rule, n):
    tree = str(tmp_path / "tree.json")
    run(app, "cluster", points, "--linkage", "single", "--out", tree)
    out = str(tmp_path / "labels.csv")
    assert run(app, "cut", tree, *rule, "--out", out).exit_code == 0
    assert len(read(out).leaves) == n
    again = run(app, "cut", tree, *rule, "--out", out)
    assert isinstance(again.exception, InvalidInputError)
    assert run(app, "cut", tree, *rule, "--out", out, "--force").exit_code == 0


def test_items_are_printed_in_the_order_of_the_file(app, points, tmp_path):
    tree = str(tmp_path / "tree.json")
    run(app, "cluster", points, "--out", tree)
    printed = [line.split("\t")[0] for line in run(app, "cut", tree, "-k", "2").output.splitlines()]
    assert printed == list(read(tree).items)
    assert "in the order of the items in the file" in " ".join(run(app, "cut", "--help").output.split())


def test_a_cut_needs_one_rule(app, points, tmp_path):
    tree = str(tmp_path / "tree.nwk")
    run(app, "cluster", points, "--out", tree)
    for rules in ([], ["-k", "2", "--gap"]):
        result = run(app, "cut", tree, *rules)
        assert isinstance(result.exception, InvalidInputError)
        assert "exactly one of -k" in str(result.exception)


def test_a_cut_by_penalty_reads_the_points_in_any_order(app, points, tmp_path):
    tree = str(tmp_path / "tree.nwk")
    run(app, "cluster", points, "--out", tree)
    shuffled = tmp_path / "shuffled.tsv"
    shuffled.write_text("who\tx\ty\nNA\t5\t6.5\nbat\t0\t1\nape\t0\t0\n007\t5\t5\n", encoding="utf-8")
    for given in ([points], [str(shuffled), "--items", "who"]):
        for penalty, n in (("0.01", 4), ("10", 2), ("1e6", 1)):
            done = run(app, "cut", tree, "--penalty", penalty, "--points", *given, "--json")
            assert json.loads(done.stdout)["n_clusters"] == n


def test_a_cut_by_penalty_needs_the_points_of_the_tree(app, points, tmp_path):
    tree = str(tmp_path / "tree.nwk")
    run(app, "cluster", points, "--out", tree)
    other = tmp_path / "other.csv"
    other.write_text("item,x\nape,0\nbat,1\n007,5\nelk,6\n", encoding="utf-8")
    for options, message in (
        (["--penalty", "1"], "--penalty requires --points"),
        (["--penalty", "1", "--points", str(other)], "only in one of the two: 'NA', 'elk'"),
        (["-k", "2", "--points", points], "--points requires --penalty or --dynamic; got it with -k"),
        (["--penalty", "-1", "--points", points], "penalty must be"),
    ):
        failed = run(app, "cut", tree, *options)
        assert isinstance(failed.exception, InvalidInputError)
        assert message in str(failed.exception)


def test_several_levels_are_cut_at_once(app, points, tmp_path):
    tree = str(tmp_path / "tree.json")
    run(app, "cluster", points, "--linkage", "single", "--out", tree)
    alone = {k: run(app, "cut", tree, "-k", k).output.splitlines() for k in ("3", "2")}
    columns = [line.split("\t") for line in run(app, "cut", tree, "-k", "3", "-k", "2").output.splitlines()]
    assert [f"{name}\t{three}" for name, three, _ in columns] == alone["3"]
    assert [f"{name}\t{two}" for name, _, two in columns] == alone["2"]
    several = json.loads(run(app, "cut", tree, "--height", "1", "--height", "9", "--json").stdout)
    assert [cut["n_clusters"] for cut in several] == [3, 1]
    out = str(tmp_path / "levels.csv")
    assert run(app, "cut", tree, "-k", "3", "-k", "2", "--out", out).exit_code == 0
    levels = read(out)
    assert [int((levels.depths == depth).sum()) for depth in range(3)] == [1, 2, 3]


def test_a_dynamic_cut_reads_points_or_distances(app, tmp_path):
    tree, points, distances = (str(tmp_path / name) for name in ("tree.nwk", "points.csv", "distances.csv"))
    x = {"a": 0, "b": 1, "c": 3, "d": 20, "e": 21, "f": 23, "g": 90}
    (tmp_path / "points.csv").write_text("item,x\n" + "".join(f"{k},{v}\n" for k, v in x.items()), encoding="utf-8")
    order = list("gfedcba")
    rows = [",".join([i, *(str(abs(x[i] - x[j])) for j in order)]) for i in order]
    (tmp_path / "distances.csv").write_text("\n".join([",".join(["item", *order]), *rows]), encoding="utf-8")
    run(app, "cluster", points, "--linkage", "average", "--out", tree)
    for given in (["--points", points], ["--distances", distances]):
        done = run(app, "cut", tree, "--dynamic", "3", *given, "--json")
        clusters = {frozenset(cluster) for cluster in json.loads(done.stdout)["clusters"]}
        assert clusters == {frozenset("abc"), frozenset("def"), frozenset("g")}
    (tmp_path / "wrong.csv").write_text("item,a,b\na,0,1\nb,1,0\n", encoding="utf-8")
    swapped = "\n".join([",".join(["item", *sorted(order)]), *rows])
    (tmp_path / "swapped.csv").write_text(swapped, encoding="utf-8")
    for options, message in (
        (["--dynamic", "3"], "--dynamic requires --points or --distances"),
        (["--dynamic", "3", "--points", points, "--distances", distances], "--dynamic requires --points or"),
        (["-k", "2", "--distances", distances], "--distances requires --dynamic; got it with -k"),
        (["--dynamic", "3", "--distances", str(tmp_path / "wrong.csv")], "only in one of the two: 'c', 'd'"),
        (["--dynamic", "3", "--distances", str(tmp_path / "swapped.csv")], "the columns of a table of distances must"),
        (["-k", "2", "--deep-split", "1"], "--deep-split requires --dynamic or --dynamic-tree; got it with -k"),
    ):
        failed = run(app, "cut", tree, *options)
        assert isinstance(failed.exception, InvalidInputError)
        assert message in str(failed.exception)


def test_a_cut_takes_clusters_from_different_heights(app, tmp_path):
    tree = str(tmp_path / "tree.json")
    x = [0, 1, 3, 6, 20, 21, 23, 26, 90]
    grown = agglomerate([[value] for value in x], linkage="average", item_names=list("abcdefghi")).hierarchy
    write(grown, tree)
    for options in (["--max-size", "4"], ["--excess-of-mass", "3"], ["--dynamic-tree", "3"]):
        clusters = json.loads(run(app, "cut", tree, *options, "--json").stdout)["clusters"]
        assert sorted("".join(sorted(cluster)) for cluster in clusters) == ["abcd", "efgh", "i"]
    write(agglomerate(np.random.default_rng(0).normal(size=(60, 2))).hierarchy, tree, force=True)
    once, again = (run(app, "cut", tree, "--dynamic-tree", "4", "--deep-split", n).output for n in "01")
    assert once != again == run(app, "cut", tree, "--dynamic-tree", "4").output
    failed = run(app, "cut", tree, "--dynamic-tree", "3", "--deep-split", "2")
    assert "--deep-split must be 0 or 1 with --dynamic-tree; got 2" in str(failed.exception)


def test_labels_are_printed_as_harmless_text(app, tmp_path):
    points = tmp_path / "points.csv"
    points.write_text('item,x\n"\x1b[31mred",0\nbat,1\n', encoding="utf-8")
    tree = str(tmp_path / "tree.json")
    assert run(app, "cluster", str(points), "--out", tree).exit_code == 0
    assert "\x1b" not in run(app, "cut", tree, "-k", "2").output


def test_long_names_are_printed_whole(app, tmp_path):
    names = ["x" * 500 + end for end in ("a", "b\U000e0001", "c")]
    write(agglomerate([[0.0], [1.0], [5.0]], item_names=names).hierarchy, tmp_path / "tree.json")
    out = run(app, "cut", str(tmp_path / "tree.json"), "-k", "2").output
    assert sorted(line.split("\t")[0][500:] for line in out.splitlines()) == ["a", "b\\U000e0001", "c"]


def test_tables_name_their_items_by_a_column(tmp_path):
    path = tmp_path / "points.tsv"
    path.write_text("name\tx\ty\na\t1\t2\nb\t3\t4e-1\n", encoding="utf-8")
    table = read_points(path, item_column="name")
    assert (table.items, table.columns, table.points.tolist()) == (("a", "b"), ("x", "y"), [[1.0, 2.0], [3.0, 0.4]])
    plain = tmp_path / "plain.csv"
    plain.write_text("x\n1\n2\n", encoding="utf-8")
    assert read_points(plain).items is None
    by_r = tmp_path / "r.csv"
    by_r.write_text('"","x","y"\n"ape",0,1\n"owl",2,3\n', encoding="utf-8")
    assert read_points(by_r).items == ("ape", "owl")
    assert read_points(by_r).columns == ("x", "y")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,x\na,1,2\n", "line 2: every row must have 2 values"),
        ("name,x\na,1\na,2\n", "line 2, column name: must be a number; got a"),
        ("item,x\na,1\nb,nan\n", "line 3, item 'b', column x: every item must have a number; it is missing"),
        ("item,x\na,\n", "line 2, item 'a', column x: every item must have a number; it is missing"),
        ("item,x\na,1e999\n", "line 2, column x: must be a finite number; got 1e999"),
        ("item,x\na,1_000\n", "line 2, column x: must be a number; got 1_000"),
        ("item,x\n", "a header and at least one row"),
        ("1.5,2.5\n0.5,1.5\n", "the first row must name the columns; got a row of numbers, such as '1.5'"),
        ("3,1\n0,2\n1,2\n", "the first row must name the columns; got a row of numbers, such as '3'"),
        ("ape,4,2\nowl,1,2\n", "the first row must name the columns; got a row of numbers, such as '4'"),
        ('item,x\n"a,1\n', "must be a readable table"),
    ],
)
def test_broken_tables_are_refused_with_their_line(tmp_path, text, message):
    path = tmp_path / "points.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((FormatError, InvalidInputError), match=message):
        read_points(path)


@pytest.mark.parametrize(
    "text", ["0,1\n5,6\n", "1,2\n5,6\n", "country,1990,2000\nA,5,6\n", ",7,3\nape,5,6\n", "a,1\n5,6\n"]
)
def test_numbers_name_columns_that_they_count_years_and_columns_beside_others(tmp_path, text):
    (tmp_path / "points.csv").write_text(text, encoding="utf-8")
    assert read_points(tmp_path / "points.csv").points.tolist() == [[5, 6]]


def test_a_table_of_distances_is_never_taken_for_points(app, tmp_path):
    path, out = tmp_path / "distances.csv", str(tmp_path / "tree.nwk")
    path.write_text(",a,b,c\na,0,1,4\nb,1,0,3\nc,4,3,0\n", encoding="utf-8")
    refused = run(app, "cluster", str(path)).exception
    assert isinstance(refused, InvalidInputError)
    assert "it is a table of distances" in str(refused)
    built = run(app, "cluster", str(path), "--distances", "--linkage", "average", "--out", out)
    assert "average on distances" in built.output
    assert sorted(read(out).height) == [0, 0, 0, 1, 3.5]
    assert "are for points" in str(run(app, "cluster", str(path), "--distances", "--metric", "cosine").exception)
    path.write_text(",x,y,z\na,0,1,4\nb,1,0,3\nc,4,3,0\n", encoding="utf-8")
    assert run(app, "cluster", str(path)).exit_code == 0
    assert "must be the items" in str(run(app, "cluster", str(path), "--distances").exception)


def test_other_files_than_tables_are_refused_in_our_words(tmp_path):
    path = tmp_path / "points.xlsx"
    path.write_bytes(b"PK\x03\x04\x94\x8b")
    with pytest.raises(InvalidInputError, match="must be a table in CSV or TSV, of UTF-8; got other data"):
        read_points(path)


def test_missing_files_and_columns_are_refused(tmp_path, points):
    with pytest.raises(InvalidInputError, match=r"cannot read .*none\.csv: No such file"):
        read_points(tmp_path / "none.csv")
    with pytest.raises(
        InvalidInputError, match=r"a column 'age'; its columns are 'item', 'x', 'y' \(item_column= names another\)"
    ):
        read_points(points, item_column="age")


def test_the_tree_of_the_table_is_that_of_its_points(points):
    table = read_points(points)
    tree = agglomerate(table.points, item_names=table.items).hierarchy
    assert cut_count(tree, 2).clusters == [["ape", "bat"], ["007", "NA"]]


def test_a_tie_that_decides_a_cut_is_told(app, tmp_path):
    tree = tmp_path / "tree.nwk"
    tree.write_text("((a:1,b:1):1,(c:1,d:1):1);")
    told = run(app, "cut", str(tree), "-k", "3")
    assert "a tie decides this cut: Cut(4 items in 3 clusters, one of 2 equally good)" in told.stderr
    assert len(told.stdout.splitlines()) == 4
    assert '"n_alternatives": 1' in run(app, "cut", str(tree), "-k", "3", "--json").stdout
    assert "tie" not in run(app, "cut", str(tree), "-k", "2").stderr


def test_cluster_names_the_extra_of_a_device(app, points, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert isinstance(run(app, "cluster", points, "--device", "cuda").exception, MissingExtraError)
    assert json.loads(run(app, "cluster", points, "--device", "auto", "--json").stdout)["device"] is None


MIXED = "kind,length,mass,note\n" + "".join(
    f"{'ab'[i % 2]},{i % 2 * 3 + i / 100},{1000 + 37 * i % 400},x\n" for i in range(12)
)


def test_columns_are_chosen_and_standardized(app, tmp_path):
    table, tree = tmp_path / "x.csv", str(tmp_path / "tree.nwk")
    table.write_text(MIXED)
    values = np.array([[i % 2 * 3 + i / 100, 1000 + 37 * i % 400] for i in range(12)])
    given = ("--column", "length", "--column", "mass", "--standardize")
    result = run(app, "cluster", str(table), *given, "--linkage", "average", "--out", tree)
    assert result.exit_code == 0, result.output
    expected = agglomerate((values - values.mean(axis=0)) / values.std(axis=0), linkage="average").hierarchy
    found = read(tree)
    np.testing.assert_allclose(np.sort(found.height), np.sort(expected.height), rtol=1e-9)
    labels = run(app, "cut", tree, "--penalty", "0.5", "--points", str(table), *given).stdout
    assert labels == run(app, "cut", tree, "-k", str(len(set(labels.split()[1::2])))).stdout


def test_a_column_that_decides_all_distances_is_named(app, tmp_path):
    table = tmp_path / "x.csv"
    table.write_text(MIXED)
    both = ("--column", "length", "--column", "mass")
    with pytest.warns(AssumptionWarning, match="column 'mass' has >99% of the variance of all 2 columns"):
        run(app, "cluster", str(table), *both)
    for args in ((*both, "--standardize"), both[:2]):  # no warning, which would be an error here
        assert run(app, "cluster", str(table), *args).exit_code == 0


def test_a_column_that_numbers_the_rows_is_named(app, tmp_path):
    table = tmp_path / "x.csv"
    table.write_text("ID,x\n1,5\n2,3\n3,9\n")
    with pytest.warns(AssumptionWarning, match="column 'ID' only numbers the rows, but is taken as numbers"):
        run(app, "cluster", str(table))
    assert run(app, "cluster", str(table), "--items", "ID").exit_code == 0  # no warning, which would be an error here
    for head, first in (("ID", 2), ("time", 1)):
        table.write_text(f"{head},x\n{first},5\n{first + 1},3\n{first + 2},9\n")
        assert run(app, "cluster", str(table)).exit_code == 0


@pytest.mark.parametrize("values", [(1e-200, 3e-200), (1e200, 3e200), (0.0, 1.0)])
def test_standardized_columns_do_not_depend_on_their_unit(tmp_path, values):
    rows = [values[i % 2] for i in range(6)]
    (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{v!r},{i}\n" for i, v in enumerate(rows)))
    table = read_points(tmp_path / "x.csv")
    np.testing.assert_allclose(table.standardized().points[:, 0], [-1, 1] * 3)
    if values[1] <= 1:  # against 0 to 5
        np.testing.assert_allclose(table.variance_shares[0], np.var(rows) / (np.var(rows) + np.var(range(6))))
    else:
        np.testing.assert_array_equal(table.variance_shares, [1, 0])


def test_columns_that_cannot_be_taken_are_refused(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("x,y,y,z\n1,2,3,5\n2,3,4,5\n")
    with pytest.raises(InvalidInputError, match="columns must be among 'x', 'y', 'z'; got 'w'"):
        read_points(path, columns=["w"])
    with pytest.raises(FormatError, match="the names of the columns to take must be distinct; 'y' is repeated"):
        read_points(path, columns=["y"])
    with pytest.raises(InvalidInputError, match="a column must vary to be standardized; 'z' does not"):
        read_points(path, columns=["x", "z"]).standardized()
    assert read_points(path, columns=["z", "x"]).points.tolist() == [[5, 1], [5, 2]]
