"""The overlap of two tables counted by DuckDB, beside the trees in memory; points by cells.

``python benchmarks/tables.py points`` builds trees of points by cells alone.
``python benchmarks/tables.py large`` counts 100,000,000 rows; it needs 10 GB of disk.
``python benchmarks/tables.py relabel`` tests 3,000,000 and 30,000,000 counted items by 99 relabellings.
``python benchmarks/tables.py spark`` counts 1,000,000 and 5,000,000 rows by Spark on two threads; it needs pyspark and
Java.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np

from dendrometry import Overlap, read
from dendrometry.comparison import compare_overlap
from dendrometry.engine import cluster_table, overlap_from_tables
from dendrometry.engine.cells import nearest
from timing import Figure, fresh, once, show, within

SIZES = (10**6, 10**7)
LARGE = 10**8
N_NODES = 1_000
COUNTED = (3 * 10**6, 3 * 10**7)
RELABELLED = ((20, 100), (1_000, 1_000))  # nodes with items
DRAWN = (5_000, 5_000)  # of so many, compare relabels items drawn at random
N_RELABELLINGS = 99
POINTS = ((200_000, 16), (1_000_000, 64))
MEMORY = 3 * 2**29  # bytes that DuckDB may use; the process itself needs some more


def tables(folder, n):
    """Write two tables of n items, in different orders, at random nodes; return their files."""
    files = [os.path.join(folder, f"{name}{n}.parquet") for name in "ab"]
    database = duckdb.connect()
    database.execute("SET enable_progress_bar = false")
    for seed, file in enumerate(files):
        if not os.path.exists(file):
            database.sql(
                f"SELECT (i * {(7_919, 104_729)[seed]}) % {n} AS item, CAST(hash(i + {seed * n}) % {N_NODES} AS"
                f" INTEGER) AS label FROM range({n}) AS t(i)"
            ).to_parquet(file)
    return files


def count(files):
    return overlap_from_tables(*files, max_memory=MEMORY)


def load(files):
    return Overlap.of(*map(read, files))


def overlap(n, n_a, n_b):
    """Return the counts of n items at nodes of two trees of two levels, nine in ten at the node of the same number."""
    rng = np.random.default_rng(0)
    parents = [
        np.append(k + np.arange(k) // 10, np.append(np.full(-(-k // 10), k + -(-k // 10)), -1)) for k in (n_a, n_b)
    ]
    same = np.column_stack((np.arange(n_b) % n_a, np.arange(n_b), np.full(n_b, n * 9 // 10 // n_b)))
    cells = np.unique(rng.integers(0, n_a * n_b, 20 * n_b))
    moved = np.column_stack((*np.divmod(cells, n_b), np.full(cells.size, max(n // 10 // cells.size, 1))))
    return Overlap.from_triples(*parents, np.concatenate((same, moved)))


def relabel(counted):
    return compare_overlap(counted, measures=["hierarchy_agreement"], n_permutations=N_RELABELLINGS).chance


def relabellings():
    relabel(overlap(10**4, 20, 100))
    for n in COUNTED:
        for n_a, n_b in RELABELLED:
            counted = overlap(n, n_a, n_b)
            figure = once(lambda counted=counted: relabel(counted))[0]
            show(f"{N_RELABELLINGS} relabellings of {counted.n_items:,} items at {n_a:,} x {n_b:,} nodes", figure)
        counted = overlap(n, *DRAWN)
        figure, found = once(lambda counted=counted: compare_overlap(counted, measures=["hierarchy_agreement"]).chance)
        title = f"{found.n} relabellings of {found.n_drawn:,} of {counted.n_items:,} items"
        show(f"{title} at {DRAWN[0]:,} x {DRAWN[1]:,} nodes", figure)


def core_seconds(pid):
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def on_spark(sizes):
    """Count tables of growing size by Spark, after a small one, as the first count compiles."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    process = session.sparkContext._gateway.proc.pid
    with tempfile.TemporaryDirectory() as folder:
        overlap_from_tables(*tables(folder, 10**5), engine=session)
        for n in sizes:
            files = tables(folder, n)
            start, before = time.perf_counter(), core_seconds(process)
            overlap_from_tables(*files, engine=session)
            figure = Figure(time.perf_counter() - start, None, core_seconds(process) - before)
            show(f"overlap_from_tables by Spark, {n:,} rows x 2", figure)
    session.stop()


def mapped(folder, n, d):
    """Write n points of d columns; return the file."""
    file = os.path.join(folder, "points.npy")
    rng = np.random.default_rng(0)
    centre = rng.normal(size=(100, d)) * 4
    np.save(file, centre[rng.integers(0, 100, n)] + rng.normal(size=(n, d)))
    return file


def cluster(file):
    with tempfile.TemporaryDirectory() as folder:
        return cluster_table(np.load(file, mmap_mode="r"), os.path.join(folder, "tree.nodes.parquet"))


def warm():
    with tempfile.TemporaryDirectory() as folder:
        files = tables(folder, 1_000)
        count(files)
        load(files)
        cluster(mapped(folder, 6_000, 4))


def main(sizes):
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            by_database = fresh(tables, count, folder, n, warm=warm)
            if n == LARGE:
                within(f"overlap_from_tables, {n:,} rows x 2", by_database, seconds=180, peak_mb=2_000)
                continue
            show(f"overlap_from_tables, {n:,} rows x 2", by_database)
            in_memory = fresh(tables, load, folder, n, warm=warm)
            work, memory = in_memory.core_seconds / by_database.core_seconds, in_memory.peak_mb / by_database.peak_mb
            show(f"read() of both, Overlap.of, {n:,} rows x 2", in_memory, f"work {work:.1f} x, memory {memory:.1f} x")


def by_cells():
    with tempfile.TemporaryDirectory() as folder:
        for n, d in POINTS:
            show(f"cluster_table, {n:,} x {d} points", fresh(mapped, cluster, folder, n, d, warm=warm))
    rng = np.random.default_rng(0)
    points, centres = rng.normal(size=(20_000, 64)), rng.normal(size=(10_000, 64))
    nearest(points[:100], centres)
    show("nearest of 10,000 centres, 20,000 x 64 points", once(lambda: nearest(points, centres))[0])


if __name__ == "__main__":
    words = sys.argv[1:]
    if words == ["spark"]:
        on_spark((10**6, 5 * 10**6))
    elif words == ["large"]:
        main((LARGE,))
    elif words == ["relabel"]:
        relabellings()
    else:
        if words != ["points"]:
            main(SIZES)
        by_cells()
