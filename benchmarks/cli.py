"""How long the command line takes to answer, start of Python included: many runs of each, the median and the least."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dendrometry import from_linkage, write
from shapes import SHAPES

RUNS = 20
LIMITS = {"--help": 0.3, "compare a.nwk b.nwk": 2.0}  # seconds
LINES = (
    "--help",
    "--version",
    *(f"{name} --help" for name in ("demo", "compare", "matrix", "cluster", "cut", "convert", "measures")),
    "measures",
    "cut a.nwk -k 5",
    "compare a.nwk b.nwk",
)


def seconds_of(line, folder):
    """Return the wall-clock seconds of one run, and of its work on a processor."""
    before = os.times()
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "dendrometry.cli", *line.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    wall, after = time.perf_counter() - start, os.times()
    return wall, sum(after[2:4]) - sum(before[2:4])


def main():
    print(
        f"{'dendrometry ...':<24} {'median':>9} {'least':>9} {'processor':>10}   of {RUNS} runs; trees of 1,000 leaves"
    )
    with tempfile.TemporaryDirectory() as folder:
        for i, name in enumerate(("a.nwk", "b.nwk")):
            write(from_linkage(SHAPES["random"](1000, i)), Path(folder, name))
        for line in LINES:
            seconds_of(line, folder)
            walls, works = zip(*(seconds_of(line, folder) for _ in range(RUNS)), strict=True)
            limit = LIMITS.get(line)
            note = "" if limit is None else f"   limit {limit} s{'' if min(walls) <= limit else ': MISSED'}"
            middle, work = statistics.median(walls), statistics.median(works)
            print(f"{line:<24} {middle:8.3f}s {min(walls):8.3f}s {work:9.3f}s{note}", flush=True)


if __name__ == "__main__":
    main()
