"""Ctrl-C at any moment of any computation: KeyboardInterrupt before its end, nothing else, and the next one works.

The moments are random, and what must come of it is the same for all of them. benchmarks/interrupt.py prints how soon an
interrupt is heard; here the lines that loops run between two looks at the flag that stops them are counted.
"""

import os
import random
import select
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import _interrupt

pytestmark = pytest.mark.compiled

FOREVER = 900  # seconds after which a process is taken to be deaf


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
        + "\nfrom dendrometry.tree_pair.contraction import contract, size_clock"
        + "\nfrom dendrometry.tree_pair.pair import Pair",
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


def _answer(process):
    """Return the next byte that the process writes, nothing if it has ended, None if it never will."""
    ready, _, _ = select.select([process.stdout], [], [], FOREVER)
    return process.stdout.read(1) if ready else None


def _messages(process):
    """End a process; return what it has written on standard error."""
    process.kill()
    return process.communicate()[1].decode()[-2000:]


def _interrupt_often(case, times, longest, folder):
    """Interrupt a computation at random moments, again and again in one process, which must answer each time."""
    setup, work = CASES[case]
    program = PROGRAM.format(heed=HEED, setup=textwrap.dedent(setup), work=work)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
    process = subprocess.Popen([sys.executable, "-c", program], cwd=folder, **pipes)
    moment = random.Random(case)
    try:
        for _ in range(times):
            answer = _answer(process)
            assert answer == b"R", _messages(process)
            time.sleep(moment.random() * longest)
            process.send_signal(signal.SIGINT)
            answer = _answer(process)
            assert answer == b"K", (process.poll(), _messages(process))
            assert {file.name for file in folder.iterdir()} <= {"interrupted.html", "tables"}
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("case", QUICK)
def test_an_interrupt_ends_a_computation(case, tmp_path):
    _interrupt_often(case, 2, 0.5, tmp_path)


# What is done with an input of a number of items, and that number: it is done again with four times as many.
LOOKING = {
    "from_newick": ("dm.from_newick(dm.to_newick(trees(n)[0]))", 500),
    "compare": ("dm.compare(*trees(n))", 500),
    "profile": ("dm.levels.profile(*trees(n))", 500),
    "hierarchical_f": ("dm.hierarchical_f(*trees(n))", 500),
    "cophenetic_correlation": ("dm.cophenetic_correlation(*trees(n))", 500),
    "single": ("dm.agglomerate(points(n), linkage='single')", 60),
    "ward": ("dm.agglomerate(points(n), linkage='ward')", 30),
    "average": ("dm.agglomerate(points(n), linkage='average')", 60),
    "centroid": ("dm.agglomerate(points(n), linkage='centroid')", 30),
    "bisect": ("dm.cluster.bisect(points(n), rng=0)", 120),
    "cluster_documents": ("dm.text.cluster_documents(documents(n))", 60),
    "near_duplicates": ("dm.text.near_duplicates(documents(n), threshold=0.3)", 60),
}
QUICKLY_LOOKING = ("ward", "average")
LOOKS = """
import functools, sys, threading
import numpy as np
import dendrometry as dm

@functools.cache
def trees(n):
    return [dm.generate.random_tree(n, rng=i) for i in range(2)]

@functools.cache
def points(n):
    return np.random.default_rng(1).random((n, 3))

@functools.cache
def documents(n):
    ranks = np.minimum(np.random.default_rng(1).zipf(1.3, (n, 20)), 500)
    return dm.text.vectorize_documents([" ".join(f"word{{rank}}" for rank in row) for row in ranks])

def longest_stretch(function):
    since, longest = {{}}, {{}}  # the last look, and of all looks, on each thread

    def run(frame, event, value):
        if event == "line":
            thread = threading.get_ident()
            since[thread] = since.get(thread, 0) + 1
            longest[thread] = max(longest.get(thread, 0), since[thread])
        return run

    def enter(frame, event, value):
        if "_kernels" not in frame.f_code.co_filename:
            return None
        if frame.f_code.co_name == "stopped":
            since[threading.get_ident()] = 0
            return None
        return run

    threading.settrace(enter)
    sys.settrace(enter)
    function()
    sys.settrace(None)
    return max(longest.values())

print(*(longest_stretch(lambda: {work}) for n in ({few}, 4 * {few})))
"""


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in QUICKLY_LOOKING else pytest.mark.slow) for case in LOOKING]
)
def test_loops_look_at_the_flag_before_their_work_grows_by_the_square(case):
    """Four times as many items may take four times as long between two looks, or a little more, but not 16 times."""
    work, few = LOOKING[case]
    command = [sys.executable, "-c", LOOKS.format(work=work, few=few)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # lines of compiled loops cannot be counted
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    shorter, longer = map(int, run.stdout.split())
    assert longer < 10 * shorter


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
        "try:\n"
        "    while True: dm.compare(*trees)\n"
        "except KeyboardInterrupt: os.write(1, b'K')\n"
        "dm.compare(*trees)"
    )
    moment = random.Random(2)
    answers = set()
    for i in range(8):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / str(i))}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
        process = subprocess.Popen([sys.executable, "-c", program], env=environment, **pipes)
        assert _answer(process) == b"R"
        time.sleep(5 * moment.random())
        process.send_signal(signal.SIGINT)
        answers.add(_answer(process))
        _, messages = process.communicate(timeout=FOREVER)
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


# A command that writes a letter when the given number of long loops has begun, or at once if that is 0.
COMMAND = """
{heed}
from itertools import count
from dendrometry import _interrupt
from dendrometry.cli import main
numbers, run_aside = count(1), _interrupt.run_aside

def run_aside_and_tell(*args, **options):
    if next(numbers) == {number}:
        os.write(1, b"R")
    return run_aside(*args, **options)

_interrupt.run_aside = run_aside_and_tell
if {number} == 0:
    os.write(1, b"R")
main()
"""


def _begin_command(folder, out, number):
    """Begin to compare two files; return the process when it has begun that number of long loops."""
    command = [sys.executable, "-c", COMMAND.format(heed=HEED, number=number)]
    command += ["compare", str(folder / "0.nwk"), str(folder / "1.nwk"), "--report", str(out)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
    process = subprocess.Popen(command, **pipes)
    assert _answer(process) == b"R", _messages(process)
    return process


def _end(process):
    """Wait for the end of a command; return its exit code, without any complaint but its own."""
    messages = process.communicate(timeout=FOREVER)[1].decode()
    assert "Traceback" not in messages
    assert "Exception ignored" not in messages
    return process.returncode


@pytest.mark.parametrize("number", [1, 20])
def test_an_interrupted_command_exits_with_130(two_files, tmp_path, number):
    process = _begin_command(two_files, tmp_path / "report.html", number)
    process.send_signal(signal.SIGINT)
    assert _end(process) == 130
    assert not list(tmp_path.iterdir())


# What a command does when all is written, and the exit code: before its end an interrupt counts, then no longer.
LATE = {
    "before its end": ("commands.announce = lambda path: signal.raise_signal(signal.SIGINT)", 130),
    "at the end of Python": ("atexit.register(signal.raise_signal, signal.SIGINT)", 0),
}


@pytest.mark.parametrize("when", LATE)
def test_an_interrupt_after_writing_leaves_a_whole_file_and_no_death_by_signal(when, tmp_path):
    (tmp_path / "tree.nwk").write_text("((a,b),c);", encoding="utf-8")
    late, code = LATE[when]
    program = f"{HEED}; import atexit; import dendrometry.cli.browse as commands; {late}\n"
    program += "from dendrometry.__main__ import main; main()"
    command = [sys.executable, "-c", program, "browse", "tree.nwk", "--out", "page.html"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stderr.removeprefix("wrote page.html\n")) == (code, "")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.slow
def test_a_command_interrupted_at_random_moments_exits_with_130(two_files, tmp_path):
    out = tmp_path / "report.html"
    start = time.monotonic()
    assert _end(_begin_command(two_files, out, 0)) == 0
    whole, longest = out.read_bytes(), time.monotonic() - start  # of which the moments are parts
    moment = random.Random(1)
    codes = set()
    for i in range(50):
        out.unlink(missing_ok=True)
        process = _begin_command(two_files, out, 0)
        time.sleep(longest * moment.random() if i else 0.0)
        process.send_signal(signal.SIGINT)
        codes.add(code := _end(process))
        written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert written == ({"report.html": whole} if code == 0 else {})  # it may have been over
    assert codes <= {0, 130}
    assert 130 in codes


@pytest.mark.parametrize("linkage", ["ward", "single"])
def test_a_build_runs_all_its_loops_on_one_thread(linkage, monkeypatch):
    points, run_aside, called = np.random.default_rng(0).random((3000, 8)), _interrupt.run_aside, []
    monkeypatch.setattr(_interrupt, "run_aside", lambda *args: called.append(args[0]) or run_aside(*args))
    dm.agglomerate(points, linkage=linkage)
    assert [function.__name__ for function in called].count("_by_vectors") == 1
    assert len(called) < 20  # with the loops before and after the build
