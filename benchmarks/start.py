"""How long the first call takes after installation, and the next ones: processor time of fresh processes.

The package is installed in two ways: from a wheel with its compiled kernels (make wheel), and as a checkout without
any. The first run of each line has an empty folder for compiled code, the second finds what the first left there; warm
is a second call in one process, once everything is imported and loaded. Python's own bytecode is there in all, as after
an installation.
"""

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from dendrometry import agglomerate, write

ROOT = Path(__file__).parents[1]
SIZES = (4, 2000, 20_000)
MOST = 2.0  # seconds that a first call from a wheel may take beyond a warm one, at 2,000 items
# What is run on the command line, and the number of items up to which it is run.
LINES = {
    "compare --help": ("compare --help", 4),
    "cluster": ("cluster points.csv --force --out tree.nwk", 20_000),
    "cluster --linkage average": ("cluster points.csv --linkage average --force --out tree.nwk", 20_000),
    "cut": ("cut a.nwk -k 2", 20_000),
    "compare": ("compare a.nwk b.nwk", 20_000),
    "compare --report": ("compare a.nwk b.nwk --force --report page.html", 20_000),
    "stages": ("stages a.nwk b.nwk", 20_000),
    "diff": ("diff a.nwk b.nwk", 20_000),
    "stability": ("stability points.csv --replicates 20", 2000),
    "documents": ("documents texts.csv --force --out texts.json", 20_000),
}
# Prints the processor time of the second of two calls of the same command in one process.
WARM = """
import os, sys, time
from dendrometry.cli import main
sys.argv = ["dendrometry", *sys.argv[1:]]
out, sys.stdout = sys.stdout, open(os.devnull, "w")
for _ in range(2):
    start = time.process_time()
    try:
        main()
    except SystemExit as done:
        assert done.code in (None, 0, 1), done.code
    took = time.process_time() - start
print(took, file=out)
"""


def write_inputs(folder, n):
    """Write two trees of n items, n points and n texts."""
    random = np.random.default_rng(n)
    points = random.random((n, 4)).round(4)
    names = [f"item{i}" for i in range(n)]
    for name, linkage in (("a", "average"), ("b", "complete")):
        write(agglomerate(points, linkage=linkage, item_names=names).hierarchy, folder / f"{name}.nwk", force=True)
    rows = (",".join([name, *map(str, row)]) for name, row in zip(names, points, strict=True))
    (folder / "points.csv").write_text("\n".join(["item,w,x,y,z", *rows]))
    words = random.zipf(1.3, (n, 20)) % 5000
    texts = (f"{name},{' '.join(f'word{word}' for word in row)}" for name, row in zip(names, words, strict=True))
    (folder / "texts.csv").write_text("\n".join(["title,text", *texts]))


def install(folder):
    """Return the folders of a package installed from a wheel, and of one without compiled kernels."""
    subprocess.run(["make", "--quiet", "wheel"], cwd=ROOT, check=True)
    (wheel,) = (ROOT / "dist").glob("*.whl")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(folder / "wheel"),
        str(wheel),
    ]
    subprocess.run(pip, check=True)
    shutil.copytree(ROOT / "src", folder / "checkout", ignore=shutil.ignore_patterns("compiled", "__pycache__"))
    for way in ("wheel", "checkout"):
        compileall.compile_dir(folder / way, quiet=1)
    return [folder / "wheel", folder / "checkout"]


def environment(package, cache):
    """Return the environment for a package, with a folder for compiled code."""
    return {**os.environ, "PYTHONPATH": str(package), "NUMBA_CACHE_DIR": str(cache)}


def seconds_of(line, folder, variables):
    """Return the processor time of one run, of the system and the user."""
    before = os.times()
    command = [sys.executable, "-m", "dendrometry.cli", *line.split()]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True)
    assert done.returncode in (0, 1), done.stderr  # 1: diff found differences
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def warm_seconds_of(line, folder, variables):
    """Return the processor time of the second call in one process."""
    command = [sys.executable, "-c", WARM, *line.split()]
    return float(subprocess.run(command, cwd=folder, env=variables, check=True, capture_output=True, text=True).stdout)


def main():
    print(f"{'processor time, seconds':<26} {'items':>6} {'from':<9} {'first':>7} {'next':>7} {'warm':>7}")
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        packages, n_slow = install(folder), 0
        for n in SIZES:
            write_inputs(folder, n)
            for name, (line, most) in LINES.items():
                for package in packages if n <= most else ():
                    variables = environment(package, folder / f"cache {package.name} {name} {n}")
                    first, following = (seconds_of(line, folder, variables) for _ in range(2))
                    warm = warm_seconds_of(line, folder, variables)
                    slow = package.name == "wheel" and n == 2000 and first - warm > MOST
                    n_slow += slow
                    figures = f"{first:>7.2f} {following:>7.2f} {warm:>7.2f}{'  too slow' if slow else ''}"
                    print(f"{name:<26} {n:>6} {package.name:<9} {figures}", flush=True)
    sys.exit(n_slow > 0)


if __name__ == "__main__":
    main()
