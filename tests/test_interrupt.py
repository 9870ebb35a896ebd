"""Ctrl-C at any moment of any computation: KeyboardInterrupt soon after, nothing else, and the next one works."""

import os
import random
import select
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import _interrupt

pytestmark = pytest.mark.compiled

PATIENCE = 1.0  # seconds of the process itself: of the machine that it shares with others nothing is promised


def _trees(n, few=300):
    return (
        "grow = dm.generate.random_tree\n"
        f"large = [grow({n}, rng=i) for i in range(2)]\n"
        f"small = [grow({few}, rng=i) for i in range(2)]"
    )


def _points(n, d, few):
    return f"points = np.random.default_rng(1).random(({n}, {d}))\nlarge = [points]\nsmall = [points[:{few}]]"


WORDS = """
random = np.random.default_rng(1)
words = [f"word{i}" for i in range(5000)]
def write(n):
    texts = [" ".join(words[i] for i in np.minimum(random.zipf(1.3, 60), 5000) - 1) for _ in range(n)]
    return dm.text.vectorize_documents(texts)
large, small = [write(8000)], [write(300)]
"""
NEWICK = """
large = ["(" + ",".join(f"A{i}:1" for i in range(3_000_000)) + ");"]
small = ["((A:1,B:1):1,C:2);"]
"""
TABLES = """
import duckdb
os.makedirs("tables", exist_ok=True)
for name, n in (("large", 3_000_000), ("small", 300)):
    rows = f"SELECT (i * 7919) % 3000017 AS item, i % 1000 AS label FROM range({n}) AS t(i)"
    duckdb.sql(f"COPY ({rows}) TO 'tables/{name}.parquet'")
large, small = ["tables/large.parquet"] * 2, ["tables/small.parquet"] * 2
"""
# What makes a large and a small input, and what is done with either: with the small one first, so that all is compiled.
CASES = {
    "from_newick": (NEWICK, "dm.from_newick"),
    "from_newick_binary": (
        "large = [dm.to_newick(dm.generate.random_tree(500_000, rng=1))]; small = ['((A:1,B:1):1,C:2);']",
        "dm.from_newick",
    ),
    "compare": (_trees(60_000), "dm.compare"),
    "walk_on_two_threads": (
        _trees(200_000, 5000)
        + "\nfrom dendrometry.walk.contraction import contract, size_clock\nfrom dendrometry.walk.pair import Pair",
        "lambda a, b: contract(Pair.of_trees(a, b), size_clock).t",
    ),
    "compare_small": ("large = small = [dm.generate.random_tree(8, rng=i) for i in range(2)]", "dm.compare"),
    "profile": (_trees(150_000), "dm.levels.profile"),
    "hierarchical_f": (_trees(60_000), "dm.hierarchical_f"),
    "cophenetic_correlation": (_trees(150_000), "dm.cophenetic_correlation"),
    "single": (_points(500_000, 2, 20_000), "lambda x: dm.agglomerate(x, linkage='single')"),
    "ward": (_points(30_000, 32, 3000), "lambda x: dm.agglomerate(x, linkage='ward')"),
    "complete": (_points(8000, 16, 3000), "lambda x: dm.agglomerate(x, linkage='complete')"),
    "average": (_points(8000, 16, 3000), "lambda x: dm.agglomerate(x, linkage='average')"),
    "group_average": (_points(8000, 16, 3000), "lambda x: dm.agglomerate(x, linkage='group_average')"),
    "cluster_documents": (WORDS, "dm.text.cluster_documents"),
    "near_duplicates": (WORDS, "lambda x: dm.text.near_duplicates(x, threshold=0.3)"),
    "report": (
        _trees(20_000),
        "lambda a, b: dm.report(dm.compare(a, b), 'interrupted.html', force=True)",
    ),
    "overlap_from_tables": (TABLES, "dm.engine.overlap_from_tables"),
    "cluster_table": (
        _points(200_000, 8, 3000) + "\nos.makedirs('tables', exist_ok=True)",
        "lambda x: dm.engine.cluster_table(x, 'tables/out.nodes.parquet', force=True)",
    ),
    "pairwise_matrix": (
        "large = [[dm.generate.random_tree(20_000, rng=i) for i in range(6)]]; small = [large[0][:2]]",
        "lambda trees: dm.pairwise_matrix(trees, 'cophenetic_correlation')",
    ),
}
QUICK = (
    "from_newick",
    "compare",
    "walk_on_two_threads",
    "compare_small",
    "ward",
    "cophenetic_correlation",
    "overlap_from_tables",
)

# A process started in the background may have been told to ignore SIGINT.
HEED = "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
PROGRAM = """
{heed}
import numpy as np
import dendrometry as dm
{setup}
work = {work}
work(*small)
while True:
    try:
        os.write(1, b"R")
        while True:
            work(*large)
    except KeyboardInterrupt:
        os.write(1, b"K")
"""


def _answer(process, seconds):
    """Return the next byte that the process writes, nothing if it has ended, None if it takes longer."""
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    return process.stdout.read(1) if ready else None


def _clock(process):
    """Return the seconds that a process has worked, on all threads; the time of day where the system does not say."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _interrupt_often(case, times, longest, folder):
    """Interrupt a computation at random moments, again and again in one process, which must answer each time."""
    setup, work = CASES[case]
    program = PROGRAM.format(heed=HEED, setup=textwrap.dedent(setup), work=work)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
    process = subprocess.Popen([sys.executable, "-c", program], cwd=folder, **pipes)
    moment = random.Random(case)
    delays = []
    try:
        for _ in range(times):
            answer = _answer(process, 300)
            assert answer == b"R", process.communicate(timeout=10)[1].decode()[-2000:]
            time.sleep(moment.random() * longest)
            start = _clock(process)
            process.send_signal(signal.SIGINT)
            answer = _answer(process, 60)
            delays.append(_clock(process) - start)
            assert answer == b"K", (process.poll(), process.communicate(timeout=10)[1].decode()[-2000:])
            assert {file.name for file in folder.iterdir()} <= {"interrupted.html", "tables"}
    finally:
        process.kill()
        process.communicate()
    assert max(delays) < PATIENCE, sorted(delays)[-5:]


@pytest.mark.parametrize("case", QUICK)
def test_an_interrupt_ends_a_computation_soon(case, tmp_path):
    _interrupt_often(case, 2, 0.5, tmp_path)


def test_compiling_on_another_thread_ends_when_loops_are_to_end(monkeypatch):
    step = pytest.importorskip("dendrometry._kernels._compiler")._Step(float("inf"))
    step.on_start(None)
    monkeypatch.setattr(_interrupt, "_stop", np.ones(1, dtype=np.int64))
    with pytest.raises(KeyboardInterrupt):
        step.on_start(None)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_interrupts_at_random_moments_end_in_one_way(case, tmp_path):
    _interrupt_often(case, 30, 3.0, tmp_path)


@pytest.mark.slow
def test_an_interrupted_compilation_is_no_loss(tmp_path):
    program = (
        f"{HEED}; import dendrometry as dm; trees = [dm.generate.random_tree(3000, rng=i) for i in range(2)]\n"
        "os.write(1, b'R')\n"
        "try: dm.compare(*trees); os.write(1, b'D')\n"
        "except KeyboardInterrupt: os.write(1, b'K')\n"
        "dm.compare(*trees)"
    )
    moment = random.Random(2)
    answers = set()
    for i in range(8):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / str(i))}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
        process = subprocess.Popen([sys.executable, "-c", program], env=environment, **pipes)
        assert _answer(process, 300) == b"R"
        time.sleep(5 * moment.random())
        process.send_signal(signal.SIGINT)
        answers.add(_answer(process, 60))
        _, messages = process.communicate(timeout=300)
        assert process.returncode == 0, messages.decode()[-2000:]
        assert messages == b""
        assert not list((tmp_path / str(i)).rglob("*.tmp*"))
    assert answers == {b"K"}


@pytest.fixture(scope="module")
def two_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    for i in range(2):
        dm.write(dm.generate.random_tree(200_000, rng=i), folder / f"{i}.nwk")
    return folder


def _interrupt_command(folder, out, seconds):
    """Interrupt the comparison of two files; return the exit code, the messages and the delay."""
    start = f"{HEED}; from dendrometry.cli import main; os.write(1, b'R'); main()"
    command = [sys.executable, "-c", start, "compare", str(folder / "0.nwk"), str(folder / "1.nwk")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
    process = subprocess.Popen([*command, "--report", str(out)], **pipes)
    assert _answer(process, 300) == b"R"
    time.sleep(seconds)
    start = _clock(process)
    process.send_signal(signal.SIGINT)
    assert _answer(process, 60) == b""
    delay = _clock(process) - start
    messages = process.communicate(timeout=60)[1].decode()
    return process.returncode, messages, delay


def _is_clean(outcome, out):
    code, messages, delay = outcome
    assert code == 130, (code, messages[-2000:])
    assert "Traceback" not in messages
    assert "Exception ignored" not in messages
    assert delay < PATIENCE
    assert not list(out.parent.iterdir())


def test_an_interrupted_command_exits_with_130(two_files, tmp_path):
    out = tmp_path / "report.html"
    _is_clean(_interrupt_command(two_files, out, 2.0), out)


@pytest.mark.slow
def test_a_command_interrupted_at_random_moments_exits_with_130(two_files, tmp_path):
    out = tmp_path / "report.html"
    moment = random.Random(1)
    for _ in range(50):
        _is_clean(_interrupt_command(two_files, out, 0.05 + 6 * moment.random()), out)
