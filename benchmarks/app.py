"""What the local page costs: until it is shown, and from the press of Compare until the report is there.

Seconds on the clock and seconds of a core, of the server and all of its processes. "empty" asks as soon as the server
answers, "warm" when its processes have loaded what they need, which they do by themselves.

    python benchmarks/app.py
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request

LIMITS = {1_000: 3, 100_000: 15}  # seconds on two cores, from a warm start


def core_seconds(leader):
    """Return the seconds of a core that a process and those that it started have used."""
    ticks = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if leader in (int(name), int(fields[1])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def newick(n_items, seed):
    """Return a random tree of many leaves."""
    rng = random.Random(seed)
    nodes = [f"s{i}" for i in range(n_items)]
    rng.shuffle(nodes)
    while len(nodes) > 1:
        i, above = 0, []
        while i < len(nodes):
            step = rng.choice((2, 2, 3))
            group = nodes[i : i + step]
            above.append(f"({','.join(group)})" if len(group) > 1 else group[0])
            i += step
        nodes = above
    return nodes[0] + ";"


class Server:
    """A server, and the time until it answered."""

    def __init__(self):
        begun = time.perf_counter()
        command = [sys.executable, "-m", "dendrometry", "app", "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.ask("")
        self.ask("static/app.js")
        self.seconds, self.core = time.perf_counter() - begun, core_seconds(self.process.pid)

    def ask(self, path, data=None):
        """Return what a path below the address is answered."""
        body = None if data is None else json.dumps(data).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, body)) as answer:
            return answer.read()

    def compare(self, n_items):
        """Return the seconds of a comparison, on the clock and of a core."""
        given = {name: {"name": f"{name}.nwk", "content": newick(n_items, seed)} for seed, name in enumerate("ab")}
        before, begun = core_seconds(self.process.pid), time.perf_counter()
        files = json.loads(self.ask("api/compare", given))["files"]
        self.ask(files["page"])
        return time.perf_counter() - begun, core_seconds(self.process.pid) - before

    def rest(self):
        """Wait until its processes have loaded what they need: no more work is done."""
        last = -1.0
        while core_seconds(self.process.pid) > last:
            last = core_seconds(self.process.pid)
            time.sleep(1)

    def end(self):
        """End the server, as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def main():
    server = Server()
    print(f"first page: {server.seconds:.2f} s, {server.core:.2f} s of a core (at most 2 s)")
    clock, core = server.compare(1_000)
    print(f"1,000 leaves, empty: {clock:.2f} s, {core:.2f} s of a core, with loading of two processes")
    server.rest()
    for n_items, most in LIMITS.items():
        clock, core = server.compare(n_items)
        print(f"{n_items:,} leaves, warm: {clock:.2f} s, {core:.2f} s of a core (at most {most} s)")
    server.end()


if __name__ == "__main__":
    main()
