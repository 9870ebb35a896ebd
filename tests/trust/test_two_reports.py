"""Two processes write reports of 200,000 items at once: each is right and whole, and memory is bounded."""

import hashlib
import html
import json
import os
import subprocess
import sys

import pytest

import dendrometry as dm

pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled,
    pytest.mark.skipif(os.name != "posix", reason="memory is measured as POSIX does"),
]
N = 200_000
MOST_MEMORY = 3 * 2**29  # of one process, which takes half of that
PROGRAM = """
import hashlib, json, pathlib, resource, sys
import dendrometry as dm
folder, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2])
result = dm.compare(*(dm.generate.random_tree({n}, rng=2 * seed + i) for i in range(2)), n_permutations=0)
dm.report(result, folder / f"{{seed}}.html")
print("written", flush=True)
sys.stdin.readline()  # so that both write the same file at once
dm.report(result, folder / "shared.html", force=True)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
values = {{line.name: line.score.value for line in result.lines if line.score is not None}}
print(json.dumps({{"peak": peak, "values": values, "verdict": result.verdict}}))
"""


def test_two_reports_at_once(tmp_path):
    command = [sys.executable, "-c", PROGRAM.format(n=N), str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([*command, str(seed)], **pipes) for seed in range(2)]
    assert [process.stdout.readline() for process in processes] == ["written\n"] * 2
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    told = []
    for process in processes:
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert err == ""
        told.append(json.loads(out))
    pages = [(tmp_path / f"{seed}.html").read_bytes() for seed in range(2)]
    assert (tmp_path / "shared.html").read_bytes() in pages
    assert sorted(os.listdir(tmp_path)) == ["0.html", "1.html", "shared.html"]
    for seed, (page, one) in enumerate(zip(pages, told, strict=True)):
        alone = dm.compare(*(dm.generate.random_tree(N, rng=2 * seed + i) for i in range(2)), n_permutations=0)
        assert one["values"] == {line.name: line.score.value for line in alone.lines if line.score is not None}
        assert html.escape(alone.verdict) in page.decode()
        assert page.endswith(b"</html>\n")
        assert one["peak"] < MOST_MEMORY
    print({"pages": [hashlib.sha256(page).hexdigest()[:8] for page in pages], "peaks": [one["peak"] for one in told]})
