"""``dendrometry story-clusters``: the clusters of a wire in a table, and what is refused."""

import csv
import json
import os
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from dendrometry.cli.story_clusters import story_clusters
from dendrometry.errors import FormatError, InvalidInputError

ROWS = (
    "1,Dawn,Grain prices rose",
    "2,Blast,Explosion at the chemical plant",
    "2.5,Fire,Fire after explosion at chemical plant",
    "3,Flight,Residents leave the chemical plant after the explosion",
    "9,Copy,Grain prices rose",
    "9,Night,and then",
)


@pytest.fixture
def wire(tmp_path):
    def make(*rows):
        path = tmp_path / "wire.csv"
        path.write_text("\n".join(["sent,title,text", *(rows or ROWS)]), encoding="utf-8")
        return str(path)

    return make


def run(*args):
    app = typer.Typer()
    app.command()(story_clusters)
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_clusters_are_printed_with_what_was_left_out(wire):
    result = run(wire(), "--time", "sent", "--window", 2)
    assert result.exit_code == 0, result.output
    first = next(line.split() for line in result.output.splitlines() if line.startswith("Blast"))
    assert first[:4] == ["Blast", "3", "1", "1.000"]
    assert "1 cluster with 3 of 6 documents" in result.output
    assert "6 documents, of which 1 left out (1 only stop words)" in result.output


def test_the_options_reach_the_stream(wire):
    last = {}
    for name, options in {"all": [], "short": ["--memory", 3], "decay": ["--half-life", 8]}.items():
        told = json.loads(run(wire(), "--time", "sent", "--window", 2, "--json", *options).stdout)
        last[name] = next(one for one in told["documents"] if one["item"] == "Copy")
    assert (last["all"]["novelty"], last["all"]["nearest"]) == (0.0, "Dawn")
    assert last["short"]["novelty"] == 1.0
    assert last["decay"]["novelty"] == pytest.approx(0.5)
    for options in (["--min-size", 4], ["--novelty", 1, "--cosine", 0.9], ["--window", 0.2]):
        assert "0 clusters with 0 of 6 documents" in run(wire(), "--time", "sent", "--window", 2, *options).output


def test_a_cluster_whose_window_is_open_at_the_end_is_reported_too(wire):
    assert "1 cluster with 3 of 4 documents" in run(wire(*ROWS[:4]), "--time", "sent", "--window", 2).output


def test_every_document_is_written_with_its_cluster(wire, tmp_path):
    out = tmp_path / "stories.csv"
    assert run(wire(), "--time", "sent", "--window", 2, "--out", out).exit_code == 0
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert [row["document"] for row in rows if row["cluster"] == "1"] == ["Blast", "Fire", "Flight"]
    assert rows[4] == {
        "document": "Copy",
        "time": "9.0",
        "novelty": "0.0",
        "nearest": "Dawn",
        "first": "no",
        "cluster": "",
        "skipped": "",
    }
    assert rows[5]["skipped"] == "only stop words"
    again = run(wire(), "--time", "sent", "--window", 2, "--out", out)
    assert "exists (force=True replaces it" in str(again.exception)
    as_json = tmp_path / "stories.json"
    assert run(wire(), "--time", "sent", "--window", 2, "--out", as_json).exit_code == 0
    (cluster,) = json.loads(as_json.read_text(encoding="utf-8"))["clusters"]
    assert (cluster["items"], cluster["start"], cluster["end"]) == (["Blast", "Fire", "Flight"], 2.0, 3.0)


def test_what_cannot_be_read_is_refused(wire, tmp_path):
    backwards = run(wire("2,A,storm", "1,B,storm"), "--time", "sent", "--window", 1)
    assert isinstance(backwards.exception, InvalidInputError)
    assert "times must be in ascending order; got 1 after 2" in str(backwards.exception)
    words = run(wire("soon,A,storm"), "--time", "sent", "--window", 1)
    assert isinstance(words.exception, FormatError)
    assert "line 2: a time must be a number, or a date" in str(words.exception)
    folder = run(tmp_path, "--time", "sent", "--window", 1)
    assert "documents with times must be in a table" in str(folder.exception)


def test_messages_name_options(wire):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "dendrometry",
            "story-clusters",
            wire(),
            "--time",
            "sent",
            "--window",
            "2",
            "--memory",
            "1",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (2, "dendrometry: --memory must be a number, at least 2; got 1.0\n")
