"""How long the first call takes after installation, and the next ones: processor time of fresh processes.

The first run of each line has an empty folder for compiled code, the second finds what the first left there. Python's
own bytecode is there in both, as after an installation.
"""

import compileall
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import dendrometry
from dendrometry import agglomerate, write

SIZES = (4, 100, 2000)
CLI = ("-m", "dendrometry.cli")
TEST = "import dendrometry as dm; dm.permutation_test(dm.read('a.nwk'), dm.read('b.nwk'))"
LINES = {  # what is run, and the limits in seconds at the least size: first and next
    "import dendrometry": (("-c", "import dendrometry"), 0.15, 0.15),
    "compare --help": ((*CLI, "compare", "--help"), 0.3, 0.3),
    "compare": ((*CLI, "compare", "a.nwk", "b.nwk"), 5.0, 1.0),
    "cluster": ((*CLI, "cluster", "points.csv", "--force", "--out", "tree.nwk"), 8.0, np.inf),
    "cut": ((*CLI, "cut", "a.nwk", "-k", "2"), 8.0, np.inf),
    "compare --report": ((*CLI, "compare", "a.nwk", "b.nwk", "--force", "--report", "page.html"), 8.0, np.inf),
    "permutation_test()": (("-c", TEST), 8.0, np.inf),
}


def write_inputs(folder, n):
    """Write two trees of n items, and n points."""
    points = np.random.default_rng(n).random((n, 4)).round(4)
    names = [f"item{i}" for i in range(n)]
    for name, linkage in (("a", "average"), ("b", "complete")):
        write(agglomerate(points, linkage=linkage, item_names=names).hierarchy, folder / f"{name}.nwk", force=True)
    rows = (",".join([name, *map(str, row)]) for name, row in zip(names, points, strict=True))
    (folder / "points.csv").write_text("\n".join(["item,w,x,y,z", *rows]))


def seconds_of(arguments, folder, cache):
    """Return the processor time of one run, of the system and the user."""
    before = os.times()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main():
    compileall.compile_dir(Path(dendrometry.__file__).parent, quiet=1)
    print(f"{'processor time, seconds':<24} {'items':>6} {'first':>7} {'next':>7}")
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        for n in SIZES:
            write_inputs(folder, n)
            for i, (line, (arguments, most_first, most_next)) in enumerate(LINES.items()):
                cache = folder / f"cache-{n}-{i}"
                first, following = (seconds_of(arguments, folder, cache) for _ in range(2))
                slow = n == SIZES[0] and (first > most_first or following > most_next)
                print(f"{line:<24} {n:>6} {first:>7.2f} {following:>7.2f}{'  too slow' if slow else ''}", flush=True)


if __name__ == "__main__":
    main()
