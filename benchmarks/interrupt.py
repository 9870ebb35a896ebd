"""How soon Ctrl-C ends a computation: the processor time from the signal until KeyboardInterrupt is raised."""

import os
import random
import signal
import subprocess
import sys
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


def main():
    print(f"{'processor time, seconds':<40} {'median':>7} {'most':>7}   of {TIMES} interrupts")
    for name, (setup, work) in CASES.items():
        found = delays(setup, work)
        note = "" if found[-1] < LIMIT else f"   limit {LIMIT} s: MISSED"
        print(f"{name:<40} {found[TIMES // 2]:7.2f} {found[-1]:7.2f}{note}", flush=True)


if __name__ == "__main__":
    main()
