"""How soon Ctrl-C ends a computation, and a command: the processor time from the signal.

For a computation it counts until KeyboardInterrupt is raised, for a command until its process has ended, which must be
with code 130. ``python benchmarks/interrupt.py`` runs everything, ``python benchmarks/interrupt.py compare diff`` the
commands that begin with one of these words.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMES = 20
LIMIT = 1.0  # seconds
TREES = "large = [dm.generate.random_tree({}, rng=i) for i in range(2)]"
POINTS = "large = [np.random.default_rng(1).random(({}, {}))]"
NEWICK = "large = ['(' + ','.join(f'A{i}:1' for i in range(3_000_000)) + ');']"
CASES = {
    "from_newick, 3,000,000 items": (NEWICK, "dm.from_newick"),
    "compare, 60,000 items": (TREES.format(60_000), "dm.compare"),
    "cophenetic_correlation, 150,000 items": (TREES.format(150_000), "dm.cophenetic_correlation"),
    "ward, 30,000 x 32": (POINTS.format(30_000, 32), "dm.agglomerate"),
    "average, 8,000 x 16": (POINTS.format(8_000, 16), "lambda x: dm.agglomerate(x, linkage='average')"),
    "single, 500,000 x 2": (POINTS.format(500_000, 2), "lambda x: dm.agglomerate(x, linkage='single')"),
}
PROGRAM = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
import dendrometry as dm
{setup}
work = {work}
work(*large)
while True:
    try:
        os.write(1, b"R")
        while True:
            work(*large)
    except KeyboardInterrupt:
        os.write(1, b"K")
"""


def core_seconds(process):
    """Return the seconds that a process has worked, on all threads; the time of day where the system does not say."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def delays(setup, work):
    """Return how long each of some interrupts at random moments took."""
    program = PROGRAM.format(setup=setup, work=work)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, bufsize=0)
    moment, found = random.Random(0), []
    for _ in range(TIMES):
        assert process.stdout.read(1) == b"R"
        time.sleep(3.0 * moment.random())
        start = core_seconds(process)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read(1) == b"K"
        found.append(core_seconds(process) - start)
    process.kill()
    process.wait()
    return sorted(found)


MOMENTS = 5  # of a command, evenly over the time that it takes
INPUTS = """
import numpy as np
import dendrometry as dm
draw = np.random.default_rng(1)
for name, n in (("a", 200_000), ("b", 200_000), ("c", 20_000), ("d", 20_000), ("e", 20_000), ("f", 2_000)):
    dm.write(dm.generate.random_tree(n, rng=ord(name)), f"{name}.nwk")
names = [f"g{i}" for i in range(12)]
for name, n in (("x", 12_000), ("y", 1_000)):
    rows = draw.normal(size=(n, 12)) + 4.0 * draw.integers(0, 3, size=(n, 1))
    lines = [",".join(["item", *names]), *(",".join([f"i{i}", *map(repr, row)]) for i, row in enumerate(rows.tolist()))]
    open(f"{name}.csv", "w").write("\\n".join(lines))
items = dm.read("c.nwk").items
layers = [draw.integers(0, k, size=len(items)) for k in (4, 20, 100, 500)]
lines = [f"{item}," + ",".join(f"c{layer[i]}" for layer in layers) for i, item in enumerate(items)]
open("layers.csv", "w").write("\\n".join(["item,r1,r2,r3,r4", *lines]))
open("labels.csv", "w").write("\\n".join(["item,label", *(f"{item},{layers[1][i]}" for i, item in enumerate(items))]))
words = np.array([f"word{i}" for i in range(20_000)])
texts = [" ".join(words[np.minimum(draw.zipf(1.3, 80), 20_000) - 1]) for _ in range(8_000)]
open("news.csv", "w").write("\\n".join(["title,text", *(f"t{i},{text}" for i, text in enumerate(texts))]))
nodes = [(f"t{i}", f"t{i // k}") for i in range(1, 20_000) for k in (3, 7)]
for name, rest in (("old", nodes), ("new", [(child, above) for child, above in nodes if int(child[1:]) % 9])):
    open(f"{name}.dag.csv", "w").write("\\n".join(["child,parent", *map(",".join, rest)]))
for name in ("truth", "found"):
    terms = draw.integers(0, 15_000, size=40_000)
    open(f"{name}.csv", "w").write("\\n".join(["item,term", *(f"i{i},t{term}" for i, term in enumerate(terms))]))
stamps = [f"{i},{text}" for i, text in enumerate(texts)]
open("wire.csv", "w").write("\\n".join(["sent,text", *stamps]))
tree = dm.generate.random_tree(8_000, rng=1)
dm.write(dm.Hierarchy(tree.parent, tree.height, tree.item_node, [f"t{i}" for i in range(8_000)]), "news.json")
"""
COMMANDS = (
    "compare a.nwk b.nwk",
    "compare c.nwk d.nwk --report out.html",
    "compare f.nwk f.nwk --permutations 99999",
    "diff a.nwk b.nwk",
    "diff c.nwk d.nwk --report out.html",
    "stages c.nwk d.nwk",
    "labels c.nwk labels.csv",
    "enrichment c.nwk labels.csv",
    "resolutions layers.csv",
    "matrix c.nwk d.nwk e.nwk",
    "consensus a.nwk b.nwk a.nwk",
    "plot dendrogram a.nwk --out out.png",
    "plot tanglegram c.nwk d.nwk --out out.png",
    "cluster x.csv --linkage ward",
    "cluster x.csv --linkage average",
    "cluster x.csv --linkage group_average",
    "cut a.nwk -k 50",
    "choose x.csv",
    "clustermap x.csv --out out.png",
    "stability x.csv --replicates 20 --references 2 --out out.html",
    "stability y.csv --out out.html",
    "splits y.csv --references 19 --max-depth 2 --out out.html",
    "variables y.csv --permutations 99",
    "taxonomy old.dag.csv new.dag.csv --out out.csv",
    "predictions truth.csv found.csv --taxonomy old.dag.csv",
    "documents news.csv --out out.json",
    "label news.json news.csv --out out.json",
    "browse news.json --texts news.csv --out out.html",
    "duplicates news.csv --threshold 0.3",
    "first-stories news.csv",
    "story-clusters wire.csv --time sent --window 10",
    "info a.nwk",
    "convert a.nwk out.json",
    "measures",
    "reproduce worsening --out out.folder",
    "demo --out out.demo",
)


def end_of(line, folder, moment):
    """Interrupt a command after some seconds; return its exit code, and its seconds from then on and in all."""
    for path in Path(folder).glob("out.*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    command = [sys.executable, "-m", "dendrometry", *line.split()]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, **quiet)
    try:
        process.wait(moment)
        return process.returncode, 0.0, time.monotonic() - start
    except subprocess.TimeoutExpired:
        begun = core_seconds(process)
        process.send_signal(signal.SIGINT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime - begun, time.monotonic() - start


def commands(wanted):
    """Show for each command how soon it ends, at moments over the whole of its time."""
    print(f"\n{'processor time, seconds':<64} {'median':>7} {'most':>7}   of {MOMENTS} moments, and the codes")
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a process in the background may have been told to ignore it
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", INPUTS], cwd=folder, check=True)
        for line in COMMANDS:
            if wanted and not any(line.startswith(some) for some in wanted):
                continue
            for _ in range(2):  # the first run also reads the files of Python and of the package
                code, _, whole = end_of(line, folder, 600)
                assert code in (0, 1), (line, code)  # diff ends with 1 if there are changes
            ends = [end_of(line, folder, whole * (i + 0.5) / MOMENTS) for i in range(MOMENTS)]
            late = sorted(seconds for _, seconds, _ in ends)  # 0 if it was over by then
            codes = sorted({code for code, _, _ in ends[1:]})  # at the first moment Python itself may be starting
            note = "" if late[-1] < LIMIT and set(codes) <= {0, 1, 130} else f"   limit {LIMIT} s, code 130: MISSED"
            print(f"{line:<64} {late[len(late) // 2]:7.2f} {late[-1]:7.2f}   {codes}{note}", flush=True)


def main():
    print(f"{'processor time, seconds':<40} {'median':>7} {'most':>7}   of {TIMES} interrupts")
    for name, (setup, work) in CASES.items():
        found = delays(setup, work)
        note = "" if found[-1] < LIMIT else f"   limit {LIMIT} s: MISSED"
        print(f"{name:<40} {found[TIMES // 2]:7.2f} {found[-1]:7.2f}{note}", flush=True)


if __name__ == "__main__":
    if not sys.argv[1:]:
        main()
    commands(sys.argv[1:])
