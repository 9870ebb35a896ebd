"""Spark, with two worker processes: the same overlaps as in memory, also if one of the processes is killed."""

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from tests.engine.tables import expected_overlap, same, table_pairs, write_parquet

from dendrometry import Overlap, compare, from_labels, from_newick, read, write
from dendrometry.engine import ItemTable, cluster_table, overlap_from_tables
from dendrometry.engine.on_spark import Spark
from dendrometry.errors import InvalidInputError, ItemMismatchError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark runs on Java"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets to the workers, which Spark keeps open
]


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """A session on two workers, each a process with one core and 1 GiB."""
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = tmp_path_factory.mktemp("spark")
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.local.dir": str(folder),
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
    }
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("dendrometry")
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@settings(max_examples=6)
@given(pair=table_pairs())
def test_equals_the_overlap_of_the_trees_in_memory(spark, pair):
    with tempfile.TemporaryDirectory() as folder:
        tables = [table.write(Path(folder), name) for table, name in zip(pair, "ab", strict=True)]
        found = overlap_from_tables(*tables, engine=spark, on_mismatch="intersect_any")
    assert same(found, expected_overlap(*pair))


def test_frames_and_the_current_session(spark):
    a = spark.createDataFrame([("cat", "x", 2), ("owl", "y", 3)], "item string, `la.b``el` string, weight int")
    b = spark.createDataFrame([("owl", 0), ("cat", 0)], "item string, label int")
    overlap = overlap_from_tables(ItemTable(source=a, node="la.b`el"), b, engine="spark")
    assert overlap.count.tolist() == [2, 3]
    assert spark.catalog.listTables() == []


def test_files_of_any_name(spark, tmp_path):
    name = "o'clock; [ab]*?\"{a,b} %20#"
    (tmp_path / f"{name}.csv").write_text('item,path\nNA,\n"x, ""y""\nz",a\n007,a\n', encoding="utf-8")
    (tmp_path / "o.csv").write_text("item,path\nother,a\n", encoding="utf-8")
    overlap = overlap_from_tables(tmp_path / f"{name}.csv", tmp_path / f"{name}.csv", engine=spark)
    assert overlap.node_names[0] == ("a", "")
    assert overlap.count.tolist() == [2, 1]


def test_an_apostrophe_before_a_formula_is_taken_off(spark, tmp_path):
    names = ["=x", "-y", "'@z", "\tt", "plain", "-1"]
    tree = from_labels(names, item_names=names)
    for ending in (".csv", ".tsv", ".parquet"):
        write(tree, tmp_path / f"t{ending}")
    for ending in (".csv", ".tsv"):
        overlap = overlap_from_tables(tmp_path / f"t{ending}", tmp_path / "t.parquet", engine=spark)
        assert overlap.node_names[0] == overlap.node_names[1]
        assert set(names) <= set(overlap.node_names[0])


def test_columns_of_several_files_are_matched_by_name(spark, tmp_path):
    write_parquet(tmp_path / "1.parquet", {"item": ["cat"], "label": ["x"]})
    write_parquet(tmp_path / "2.parquet", {"label": ["y"], "item": ["owl"]})
    write_parquet(tmp_path / "3.parquet", {"item": ["jay"], "label": ["y"], "weight": [3]})
    one, two, three = (tmp_path / f"{i}.parquet" for i in (1, 2, 3))
    assert overlap_from_tables([one, two], [two, one], engine=spark).node_names[0] == ("x", "y", "")
    with pytest.raises(InvalidInputError, match=r"have a weight of at least 1; 1 item \('cat'\) without one"):
        overlap_from_tables([one, three], one, engine=spark)
    (tmp_path / "1.csv").write_text("item,label\ncat,x\n", encoding="utf-8")
    (tmp_path / "2.csv").write_text("label,item\nx,owl\n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"Spark cannot do this: .*2\.csv"):
        overlap_from_tables([tmp_path / "1.csv", tmp_path / "2.csv"], one, engine=spark)


def test_the_pair_of_tables_that_write_makes(spark, tmp_path):
    a, b = from_newick("((x:1,y:1):1,(z:1,w:1):1);"), from_newick("((x:1,z:1):2,(y:2,w:2):1);")
    write(a, tmp_path / "a.items.parquet")
    write(b, tmp_path / "b.items.parquet")
    found = overlap_from_tables(tmp_path / "a.items.parquet", tmp_path / "b.items.parquet", engine=spark)
    assert same(found, Overlap.of(a, b))


def test_what_cannot_be_counted(spark, tmp_path):
    write_parquet(tmp_path / "a.parquet", {"item": ["cat", "owl", "owl"], "label": ["x", "y", "z"]})
    write_parquet(tmp_path / "b.parquet", {"item": ["cat", "jay"], "label": ["x", "y"]})
    write_parquet(tmp_path / "c.parquet", {"item": ["cat", "jay"], "label": ["x", None]})
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    with pytest.raises(InvalidInputError, match=r"the first table: item names must be distinct; .*repeated: 'owl'$"):
        overlap_from_tables(tmp_path / "a.parquet", tmp_path / "b.parquet", engine=spark)
    with pytest.raises(InvalidInputError, match=r"a path or a label; 1 item \('jay'\) without one"):
        overlap_from_tables(tmp_path / "b.parquet", tmp_path / "c.parquet", engine=spark)
    with pytest.raises(InvalidInputError, match="Spark cannot do this: "):
        overlap_from_tables(tmp_path / "b.parquet", tmp_path / "broken.parquet", engine=spark)
    with pytest.raises(InvalidInputError, match="database is for the engine duckdb"):
        overlap_from_tables(ItemTable(source="t", database="d"), tmp_path / "b.parquet", engine=spark)
    with pytest.raises(InvalidInputError, match="a Spark DataFrame must be counted by the engine spark"):
        overlap_from_tables(spark.range(3), tmp_path / "b.parquet")
    (tmp_path / "d.csv").write_text("item,label\ncat,x\nelk,x\n", encoding="utf-8")
    with pytest.raises(ItemMismatchError, match="1 item of the first tree not in the second: 'jay'"):
        overlap_from_tables(tmp_path / "b.parquet", tmp_path / "d.csv", engine=spark)


def test_a_server_that_cannot_be_reached(tmp_path):
    pytest.importorskip("pyspark.sql")
    (tmp_path / "a.csv").write_text("item,label\ncat,x\n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"Spark Connect cannot be reached at 127\.0\.0\.1:1: "):
        overlap_from_tables(tmp_path / "a.csv", tmp_path / "a.csv", engine="sc://127.0.0.1:1")


def test_points_on_the_workers_give_the_tree_of_this_machine(spark, tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3)) + 5.0 * rng.integers(0, 4, size=(500, 1))
    parquet.write_table(pa.table({"item": [f"i{i}" for i in range(500)], "point": list(X)}), tmp_path / "x.parquet")
    reports = [
        cluster_table(tmp_path / "x.parquet", tmp_path / f"{name}.nodes.parquet", n_cells=5, engine=engine)
        for name, engine in (("home", "duckdb"), ("away", spark))
    ]
    assert reports[0] == reports[1]
    home, away = (read(tmp_path / f"{name}.nodes.parquet") for name in ("home", "away"))
    assert compare(home, away)["hierarchy_agreement"].value == 1
    assert np.allclose(np.sort(home.height), np.sort(away.height))
    X[7, 1] = np.nan
    parquet.write_table(pa.table({"item": [f"i{i}" for i in range(500)], "point": list(X)}), tmp_path / "x.parquet")
    with pytest.raises(InvalidInputError, match="3 finite numbers each; those of item 'i7' are not"):
        cluster_table(tmp_path / "x.parquet", tmp_path / "bad.nodes.parquet", n_sample=5, engine=spark)
    assert sorted(path.name.partition(".")[0] for path in tmp_path.iterdir()) == ["away", "away", "home", "home", "x"]


def workers() -> list[int]:
    """Return the processes of the workers, which descend from this one."""
    parents, found = {}, []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = status.read_text(encoding="utf-8", errors="replace")
            command = (status.parent / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended
        pid = int(status.parent.name)
        parents[pid] = int(lines.partition("PPid:")[2].split()[0])
        if b"CoarseGrainedExecutorBackend" in command:
            found.append(pid)

    def descends(pid: int) -> bool:
        while pid not in (0, os.getpid()):
            pid = parents.get(pid, 0)
        return pid == os.getpid()

    return [pid for pid in found if descends(pid)]


def test_a_worker_killed_during_the_count(spark, monkeypatch):
    n, begun = 3_000_000, threading.Event()
    numbers = Spark.numbers
    monkeypatch.setattr(Spark, "numbers", lambda self, statement: begun.set() or numbers(self, statement))
    i = spark.range(n, numPartitions=16)
    a = i.selectExpr("concat('item number ', id) AS item", "id div 7 % 10 AS label")
    b = i.selectExpr("concat('item number ', id) AS item", "id div 11 % 10 AS label")
    found, killed = [], []
    thread = threading.Thread(target=lambda: found.append(overlap_from_tables(a, b, engine=spark)))
    thread.start()
    begun.wait()
    tracker = spark.sparkContext.statusTracker()
    while thread.is_alive() and not killed:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage.numTasks == 16 and stage.numCompletedTasks >= 4 for stage in stages if stage is not None):
            killed = workers()[:1]
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    thread.join()
    assert killed, "the count was over before a worker could be killed"
    number = np.arange(n)
    assert found[0].count.tolist() == np.bincount(number // 7 % 10 * 10 + number // 11 % 10).tolist()
