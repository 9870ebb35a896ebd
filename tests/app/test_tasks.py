"""Every task by its job: what the page is given, what the lines of Python give, and what wrong files give."""

import contextlib
import csv
import io
import json
import shlex
import sys

import numpy as np
import pytest

from dendrometry.app.tasks import TASKS
from dendrometry.app.workspace import EXAMPLES
from dendrometry.cli.app import run_command
from tests.app.conftest import A, B

OLD, NEW = "shop, spring.csv", "shop, autumn.csv"
TREES = ["animals by traits.nwk", "animals by traits, ward.nwk", "animals by traits, single.nwk"]
POINTS = "points of three groups.csv"  # few: they are clustered again very often
ROWS = "x,item,y\n" + "".join(f"{i % 3 * 9 + i * i % 7 / 4},i{i},{i % 3 * 5 + i * i % 5 / 3}\n" for i in range(30))
GUESSES = ["animals by descent.csv", "animals, families.csv", "animals, families guessed.csv"]
ASKED = {
    "compare": (["animals by descent.csv", "animals by traits.nwk"], {"n_permutations": 19}),
    "diff": ([OLD, NEW], {}),
    "taxonomy": ([OLD, NEW], {"match_names": "loose"}),
    "predictions": (GUESSES, {"below": "Chordata", "unknown": "leave_out"}),
    "cluster": (["animals, traits.csv"], {"linkage": "average"}),
    "choose": ([POINTS], {"max_clusters": 4}),
    "stability": ([POINTS], {"n_replicates": 6, "max_clusters": 3, "seed": 1}),
    "splits": ([POINTS], {"linkage": "average"}),
    "matrix": (TREES, {}),
    "consensus": (TREES, {"threshold": 0.75}),
    "documents": (["news.csv"], {}),
}


def files(server, names):
    if POINTS in names and POINTS not in server.json("state")["uploads"]:
        server.put(POINTS, ROWS)
    return [{"file": f"{'uploads' if name == POINTS else 'examples'}/{name}"} for name in names]


def given_in(folder, names):
    """Put the files of a task in a folder."""
    for name in names:
        (folder / name).write_bytes(ROWS.encode() if name == POINTS else (EXAMPLES / name).read_bytes())


def job_of(server, task, given, options):
    number = server.json("jobs", {"task": task, "files": given, "options": options})["number"]
    return server.wait(number)


@pytest.fixture(scope="module")
def results(server):
    """Each task done once, when it is asked for."""
    done = {}

    def of(task):
        if task not in done:
            names, options = ASKED[task]
            done[task] = job_of(server, task, files(server, names), options)
        return done[task]

    return of


def test_all_tasks_are_tried():
    assert list(ASKED) == list(TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_a_task_gives_its_files(server, results, task):
    job = results(task)
    assert job["state"] == "done", job["message"]
    assert set(job["files"]) >= {"table"}
    assert {"page", "picture"} & set(job["files"])
    for kind, name in job["files"].items():
        status, headers, body = server.ask(f"jobs/{job['number']}/files/{name}?save")
        assert (status, headers["Content-Disposition"].startswith("attachment")) == (200, True)
        if kind == "json":
            json.loads(body)
        if kind == "table":
            rows = list(csv.reader(body.decode().splitlines()))
            assert len(rows) > 1
            assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("task", TASKS)
def test_the_command_lines_write_the_same_files(server, results, task, tmp_path, monkeypatch):
    job = results(task)
    given_in(tmp_path, ASKED[task][0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [])
    for line in job["commands"]:
        _, *arguments = shlex.split(line)  # as a shell does
        printed, target = io.StringIO(), arguments[arguments.index(">") + 1] if ">" in arguments else None
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            code = run_command(arguments[:-2] if target else arguments)
        assert code in (0, 1 if task == "diff" else 0)
        if target:
            (tmp_path / target).write_text(printed.getvalue(), encoding="utf-8")
    for kind, name in job["files"].items():
        if kind != "picture":  # its identifiers are random
            assert (tmp_path / name).read_bytes() == server.ask(f"jobs/{job['number']}/files/{name}")[2], name


@pytest.mark.parametrize("task", TASKS)
def test_the_lines_of_python_run(server, results, task, tmp_path, monkeypatch):
    job = results(task)
    given_in(tmp_path, ASKED[task][0])
    monkeypatch.chdir(tmp_path)
    found = {}
    exec(job["python"], found)
    made = [name for name in job["files"].values() if (tmp_path / name).exists()]
    assert made or task == "choose"
    for name in made:
        if task != "documents":  # its command adds names from centroids, and folds by the number of documents
            assert (tmp_path / name).read_bytes() == server.ask(f"jobs/{job['number']}/files/{name}")[2], name
    if task == "choose":
        kept = json.loads(server.ask(f"jobs/{job['number']}/files/{job['files']['json']}")[2])
        assert found["found"].n_clusters == kept["recommended"] == 3
        assert kept["verdict"].startswith("ward with 3 clusters")


@pytest.mark.parametrize("task", ["compare", "diff", "matrix"])
def test_files_that_are_read_in_different_ways_are_converted_first(server, task):
    server.put("left.csv", "id,x\nape,1\ncat,1\nelk,2\nowl,2\n")
    server.put("right.csv", "x,name\n1,ape\n2,cat\n1,elk\n2,owl\n")
    given = [
        {"file": "uploads/left.csv", "reading": {"item": "id"}},
        {"file": "uploads/right.csv", "reading": {"item": "name", "levels": ["x"]}},
    ]
    job = job_of(server, task, given, {})
    assert job["state"] == "done", job["message"]
    assert [line.split()[1] for line in job["commands"]] == ["convert", "convert", task]


def test_a_second_tree_of_a_file_is_taken(server):
    server.put("two.nex", f"#NEXUS\nbegin trees;\ntree one = {A}\ntree two = {B}\nend;\n")
    given = [{"file": "uploads/two.nex", "reading": {"tree": "two"}}, {"file": "folder/below/b.nwk"}]
    job = job_of(server, "compare", given, {})
    assert job["state"] == "done", job["message"]
    assert "two.nex:two b.nwk" in job["commands"][0]


def test_many_files_of_one_text_are_a_collection(server):
    texts = ["the sea and the ship", "a ship at sea in a storm", "bread and soup", "soup of the day with bread"]
    names = [server.put(f"text{i}.txt", text)["name"] for i, text in enumerate(texts)]
    job = job_of(server, "documents", [{"file": f"uploads/{name}"} for name in names], {})
    assert job["state"] == "done", job["message"]


def test_two_files_of_one_name_are_both_kept(server):
    names = [server.put("twice.nwk", text)["name"] for text in (A, B)]
    assert names == ["twice.nwk", "twice (2).nwk"]
    job = job_of(server, "compare", [{"file": f"uploads/{name}"} for name in names], {})
    assert job["state"] == "done", job["message"]
    same = job_of(server, "compare", [{"file": "uploads/twice.nwk"}] * 2, {})
    assert same["state"] == "done", same["message"]


def test_a_job_that_fails_says_why(server):
    server.put("other.nwk", "((x,y),z);")
    job = job_of(server, "compare", [{"file": "folder/a.nwk"}, {"file": "uploads/other.nwk"}], {})
    assert job["state"] == "failed"
    assert "the trees must share at least one item" in job["message"]
    assert job["files"] == {}


def test_a_job_is_forgotten_with_its_files(server):
    given = [{"file": "folder/a.nwk"}, {"file": "folder/below/b.nwk"}]
    job = job_of(server, "diff", given, {})
    assert server.json(f"jobs/{job['number']}/forget", {}) == {}
    assert server.ask(f"jobs/{job['number']}/files/changes.html")[0] == 422
    assert server.ask(f"jobs/{job['number']}/cancel", {})[0] == 422


def test_a_cancelled_job_ends_and_those_behind_it_run(server):
    rng = np.random.default_rng(0)
    rows = "\n".join(f"i{i}," + ",".join(f"{x:.3f}" for x in row) for i, row in enumerate(rng.normal(size=(500, 8))))
    server.put("long.csv", "item,a,b,c,d,e,f,g,h\n" + rows)
    long = {"task": "stability", "files": [{"file": "uploads/long.csv"}], "options": {"n_replicates": 10_000}}
    numbers = [server.json("jobs", long)["number"] for _ in range(3)]
    server.wait(numbers[0], ("running",))
    server.wait(numbers[1], ("running",))
    assert server.wait(numbers[2], ("waiting", "running"))["state"] == "waiting"
    for number in numbers:
        assert server.json(f"jobs/{number}/cancel", {})["state"] == "cancelled"
    given = [{"file": "folder/a.nwk"}, {"file": "folder/below/b.nwk"}]
    assert job_of(server, "compare", given, {})["state"] == "done"


def test_a_file_that_is_too_large_is_refused(tmp_path):
    from tests.app.conftest import serving

    with serving("--max-upload", "1KiB") as server:
        assert "at most 1,024 bytes" in server.put("a.nwk", b"x" * 1025, refused=True)["error"]
        assert server.json("state")["uploads"] == []
        for i in range(4):
            server.put(f"a{i}.nwk", b"x" * 1024)
        assert "at most 0 bytes" in server.put("a.nwk", b"x", refused=True)["error"]
        server.json("files/remove", {"name": "a1.nwk"})
        server.put("a.nwk", b"x")
