"""The overlap that DuckDB counts is that of the trees in memory; what does not fit together is told with examples."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests.engine.tables import Drawn, expected_overlap, same, table_pairs, write_parquet

from dendrometry import Overlap, compare, from_labels, from_newick, from_paths, report, write
from dendrometry.comparison import compare_overlap
from dendrometry.engine import ItemTable, overlap_from_tables
from dendrometry.engine.on_duckdb import DuckDB, open_database
from dendrometry.errors import AssumptionWarning, InvalidInputError, ItemMismatchError


@given(table_pairs())
def test_equals_the_overlap_of_the_trees_in_memory(pair: tuple[Drawn, Drawn]):
    with tempfile.TemporaryDirectory() as folder:
        tables = [table.write(Path(folder), name) for table, name in zip(pair, "ab", strict=True)]
        found = overlap_from_tables(*tables, on_mismatch="intersect_any")
    assert same(found, expected_overlap(*pair))


def test_counts_a_large_table_in_little_memory(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    n, files = 2_000_000, (str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet"))
    for file, step in zip(files, (7, 11), strict=True):
        duckdb.sql(
            f"COPY (SELECT 'item number ' || i AS item, (i // {step}) % 10 AS node FROM range({n}) AS t(i)) TO '{file}'"
        )
    overlap = overlap_from_tables(*files, max_memory=2**26)
    i = np.arange(n)
    expected = np.bincount(i // 7 % 10 * 10 + i // 11 % 10)
    assert overlap.count.tolist() == expected.tolist()


def csv(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def animals(tmp_path):
    """Two small tables as CSV."""
    return (
        csv(tmp_path / "a.csv", "item,path\ncat,mammals/pets\nfox,mammals\nowl,birds\n007,birds\n"),
        csv(tmp_path / "b.csv", "owl,y\n007,y\ncat,x\nfox,x\n".replace("owl", "item,label\nowl", 1)),
    )


def test_every_measure_and_the_report_work_on_it(animals, tmp_path):
    overlap = overlap_from_tables(*animals)
    paths = {"007": "birds", "owl": "birds", "fox": "mammals", "cat": "mammals/pets"}
    other = from_labels(["x", "x", "y", "y"], item_names=["cat", "fox", "owl", "007"])
    expected = Overlap.of(from_paths(paths), other)
    assert same(overlap, expected)
    lines = compare(from_paths(paths), other).lines
    assert [(line.name, line.value) for line in compare_overlap(overlap).lines] == [
        (line.name, line.value) for line in lines
    ]
    report(compare_overlap(overlap), tmp_path / "report.html")
    assert "counted elsewhere" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_reads_the_pair_of_tables_that_write_makes(tmp_path):
    a, b = from_newick("((x:1,y:1):1,(z:1,w:1):1);"), from_newick("((x:1,z:1):2,(y:2,w:2):1);")
    write(a, tmp_path / "a.items.parquet")
    write(b, tmp_path / "b.nodes.parquet")
    found = overlap_from_tables(tmp_path / "a.items.parquet", tmp_path / "b.nodes.parquet")
    assert same(found, Overlap.of(a, b))


def test_takes_several_files_folders_and_patterns(tmp_path, animals):
    folder = tmp_path / "parts"
    folder.mkdir()
    csv(folder / "1.csv", "item,path\ncat,mammals/pets\nfox,mammals\n")
    csv(folder / "2.csv", "item,path\nowl,birds\n007,birds\n")
    whole = overlap_from_tables(*animals)
    for source in (folder, str(folder / "*.csv"), [folder / "2.csv", folder / "1.csv"]):
        assert same(overlap_from_tables(source, animals[1]), whole)


def test_columns_of_several_files_are_matched_by_name(tmp_path, animals):
    one = csv(tmp_path / "1.csv", "item,path\ncat,mammals/pets\nfox,mammals\n")
    two = csv(tmp_path / "2.csv", "path,item\nbirds,owl\nbirds,007\n")
    assert same(overlap_from_tables([one, two], animals[1]), overlap_from_tables(*animals))
    other = csv(tmp_path / "3.csv", "id,group\nowl,birds\n007,birds\n")
    with pytest.raises(InvalidInputError, match="every row must name its item; 2 rows without one"):
        overlap_from_tables([one, other], animals[1])
    write_parquet(tmp_path / "1.parquet", {"item": ["cat"], "label": ["x"]})
    write_parquet(tmp_path / "2.parquet", {"label": ["x"], "item": ["owl"], "weight": [3]})
    with pytest.raises(InvalidInputError, match=r"have a weight of at least 1; 1 item \('cat'\) without one"):
        overlap_from_tables([tmp_path / "1.parquet", tmp_path / "2.parquet"], animals[1])


@pytest.mark.parametrize("name", ["o'clock", 'a"b', "x; DROP TABLE y", "[ab]*?", "{a,b}", "year=2024", "ü %20#"])
def test_a_file_name_is_only_a_file_name(tmp_path, name, animals):
    for ending, text in ((".csv", "item,label\ncat,x\n"), (".tsv", "item\tlabel\ncat\tx\n")):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        csv(tmp_path / f"other{ending}", text.replace("x", "y"))
        file = csv(folder / f"{name}{ending}", text)
        assert overlap_from_tables(file, file).node_names[0] == ("x", "")
    write_parquet(tmp_path / f"{name}.parquet", {"item": ["cat"], "label": ["z"]})
    assert overlap_from_tables(tmp_path / f"{name}.parquet", file).node_names[0] == ("z", "")


def test_lines_of_csv_that_begin_with_a_hash_are_rows(tmp_path):
    a = csv(tmp_path / "a.csv", "item,label\n#1,x\n# 2,x\nowl,y\n")
    assert overlap_from_tables(a, a).count.tolist() == [2, 1]


def test_empty_quoted_and_odd_values_of_csv_stay_text(tmp_path):
    a = csv(tmp_path / "a.csv", 'item,path\nNA,\n"x, ""y""\nz",a\n007,a\n')
    overlap = overlap_from_tables(a, a)
    assert overlap.node_names[0] == ("a", "")
    assert overlap.count.tolist() == [2, 1]


def test_whole_numbers_and_text_are_matched_by_their_text(tmp_path):
    write_parquet(tmp_path / "a.parquet", {"item": [1, 2], "label": [0, 1]})
    b = csv(tmp_path / "b.csv", "item,label\n2,p\n1,q\n")
    assert overlap_from_tables(tmp_path / "a.parquet", b).n_items == 2


def test_labels_that_look_like_paths_are_told(tmp_path):
    a = csv(tmp_path / "a.csv", "item,group\nx,a > b\ny,a > c\n")
    with pytest.warns(AssumptionWarning, match=r"the first table: column 'group' is taken as paths separated by ' > '"):
        overlap = overlap_from_tables(a, ItemTable(source=a, sep=""))
    assert (overlap.a.parent.size, overlap.b.parent.size) == (4, 3)


def test_weights_are_added(tmp_path):
    a = csv(tmp_path / "a.csv", "item,label\ncat,x\ndog,x\nowl,y\n")
    write_parquet(
        tmp_path / "b.parquet", {"item": ["owl", "dog", "cat"], "label": ["p", "p", "q"], "weight": [5, 2, 9]}
    )
    overlap = overlap_from_tables(a, tmp_path / "b.parquet")
    rows = zip(overlap.a.node.tolist(), overlap.b.node.tolist(), overlap.count.tolist(), strict=True)
    assert list(rows) == [(0, 0, 2), (0, 1, 9), (1, 0, 5)]
    unweighted = overlap_from_tables(a, ItemTable(source=tmp_path / "b.parquet", weight=""))
    assert unweighted.count.tolist() == [1, 1, 1]


def test_left_out_items_are_counted(tmp_path, animals):
    b = csv(tmp_path / "c.csv", "item,label\nowl,y\nfox,x\ncat,x\nelk,x\nape,x\n")
    overlap = overlap_from_tables(animals[0], b, on_mismatch="intersect")
    assert overlap.left_out == (1, 2)
    assert overlap.n_items == 3


def test_a_mismatch_is_told_as_for_trees_in_memory(tmp_path):
    a = csv(tmp_path / "a.csv", "item,label\n" + "".join(f"i{n},x\n" for n in range(9)))
    b = csv(tmp_path / "b.csv", "item,label\ni0,x\nI1,x\n")
    message = (
        r"must hold the same items; 8 items of traits not in genes: 'i1', 'i2', 'i3', 'i4', 'i5' and 3 more;"
        r" 1 item of genes not in traits: 'I1'; perhaps the same: 'i1' and 'I1'"
    )
    with pytest.raises(ItemMismatchError, match=message):
        overlap_from_tables(a, b, names=("traits", "genes"))
    with pytest.raises(ItemMismatchError, match="they share 1 of 9 and 1 of 2"):
        overlap_from_tables(a, b, on_mismatch="intersect")
    assert overlap_from_tables(a, b, on_mismatch="intersect_any").left_out == (8, 1)


def test_progress_goes_from_nothing_to_all(animals, monkeypatch):
    steps: list[int] = []
    monkeypatch.setattr(DuckDB, "__init__", _recording(DuckDB.__init__, steps))
    overlap_from_tables(*animals)
    assert sum(steps) == 300
    assert min(steps) >= 0


def _recording(make, steps):
    return lambda self, duckdb, database, _: make(self, duckdb, database, steps.append)


def test_progress_is_known_while_a_statement_runs_and_not_printed_by_duckdb():
    with open_database(None) as (_, database):
        settings = "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'enable_progress_bar%' ORDER BY name"
        assert database.execute(settings).fetchall() == [
            ("enable_progress_bar", "true"),
            ("enable_progress_bar_print", "false"),
        ]


def test_changed_tables_are_noticed(animals, monkeypatch):
    numbers = DuckDB.numbers

    def late(self, statement):
        animals[1].write_text("item,label\nowl,y\n007,y\ncat,x\n", encoding="utf-8")
        return numbers(self, statement)

    monkeypatch.setattr(DuckDB, "numbers", late)
    with pytest.raises(InvalidInputError, match="must stay as they are while they are counted; they were changed"):
        overlap_from_tables(*animals)
