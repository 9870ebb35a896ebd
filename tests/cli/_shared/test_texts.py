"""``dendrometry duplicates`` and ``dendrometry first-stories``."""

import csv
import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from dendrometry.cli.duplicates import duplicates
from dendrometry.cli.first_stories import first_stories
from dendrometry.errors import FormatError, InvalidInputError

TABLE = (
    "headline,body\nStorm,storm hits the coast\nGrain,grain prices rise\n=Storm,Storm hits the coast!\nNight,and then\n"
)
COLUMNS = ["--text", "body", "--title", "headline"]


@pytest.fixture
def app():
    made = typer.Typer()
    made.command()(duplicates)
    made.command()(first_stories)
    return made


@pytest.fixture
def news(tmp_path):
    path = tmp_path / "news.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def run(app, *args):
    return CliRunner().invoke(app, list(args))


def test_groups_are_printed_with_what_they_stand_on(app, news):
    result = run(app, "duplicates", news, *COLUMNS)
    assert result.exit_code == 0, result.output
    assert "Storm, =Storm" in result.output
    assert "1 group with 2 of 3 documents" in result.output
    assert "linked by a cosine of at least 0.9" in result.output
    assert "4 documents, of which 1 left out (1 only stop words)" in result.output


def test_groups_as_json_and_as_a_table_with_cosines_without_single_documents(app, news, tmp_path):
    out = str(tmp_path / "groups.json")
    result = run(app, "duplicates", news, *COLUMNS, "--json", "--out", out)
    told = json.loads(result.stdout)
    assert told["groups"] == [["Storm", "=Storm"]]
    assert told["links"] == [{"first": "Storm", "second": "=Storm", "similarity": 1.0}]
    assert told["skipped"] == [{"item": "Night", "reason": "only stop words"}]
    assert json.loads((tmp_path / "groups.json").read_text()) == told
    assert run(app, "duplicates", news, *COLUMNS, "--out", str(tmp_path / "groups.csv")).output.startswith("1 group")
    with open(tmp_path / "groups.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["document", "group", "nearest", "cosine"]
    assert rows[1:] == [["Storm", "1", "'=Storm", "1.0"], ["'=Storm", "1", "Storm", "1.0"]]
    again = run(app, "duplicates", news, *COLUMNS, "--out", out)
    assert isinstance(again.exception, InvalidInputError)
    assert "exists (force=True replaces it" in str(again.exception)
    assert run(app, "duplicates", news, *COLUMNS, "--out", out, "--force").exit_code == 0


def test_a_folder_without_duplicates_says_so(app, tmp_path):
    for name, text in (("a", "oil"), ("b", "wheat")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = run(app, "duplicates", str(tmp_path))
    assert "0 groups with 0 of 2 documents" in result.output
    assert "2 documents, none left out" in result.output


def test_first_stories_are_printed(app, news):
    result = run(app, "first-stories", news, *COLUMNS)
    assert result.exit_code == 0, result.output
    assert ["Storm", "1.000", "-"] in [line.split() for line in result.output.splitlines()]
    assert "2 documents with a novelty of at least 0.8" in result.output
    assert "4 documents, of which 1 left out" in result.output


def test_every_story_is_written_and_guarded(app, news, tmp_path):
    out = tmp_path / "stories.csv"
    assert run(app, "first-stories", news, *COLUMNS, "--out", str(out)).exit_code == 0
    printed = run(app, "first-stories", news, *COLUMNS, "--out", str(out), "--force").stdout
    assert printed.startswith("2 documents with a novelty")
    rows = list(csv.reader(out.read_text(encoding="utf-8").splitlines()))
    assert rows == [
        ["document", "novelty", "nearest", "first", "skipped", "exact"],
        ["Storm", "1.0", "", "yes", "", "yes"],
        ["Grain", "1.0", "", "yes", "", "yes"],
        ["'=Storm", "0.0", "Storm", "no", "", "yes"],
        ["Night", "", "", "no", "only stop words", "yes"],
    ]
    assert (
        run(app, "first-stories", news, *COLUMNS, "--exact-above", "0.5", "--out", str(out), "--force").exit_code == 0
    )
    bounded = list(csv.reader(out.read_text(encoding="utf-8").splitlines()))
    assert bounded[3] == ["'=Storm", "0.0", "Storm", "no", "", "no"]
    told = json.loads(run(app, "first-stories", news, *COLUMNS, "--json").stdout)
    assert [story["novelty"] for story in told] == [1.0, 1.0, 0.0, None]
    as_json = tmp_path / "stories.json"
    assert run(app, "first-stories", news, *COLUMNS, "--out", str(as_json)).exit_code == 0
    assert json.loads(as_json.read_text(encoding="utf-8")) == told
    other = run(app, "first-stories", news, *COLUMNS, "--out", str(tmp_path / "stories.nwk"))
    assert isinstance(other.exception, InvalidInputError)
    assert "--out must end in .csv, .tsv, .json, .md, .tex" in str(other.exception)


def test_stop_words_and_encodings_can_be_chosen(app, tmp_path):
    path = tmp_path / "news.csv"
    path.write_bytes(b"title,text\na,and the\nb,the and\nc,caf\xe9\n")
    broken = run(app, "duplicates", str(path), "--stop-words", "none")
    assert isinstance(broken.exception, FormatError)
    assert "line 4" in str(broken.exception)
    kept = run(app, "duplicates", str(path), "--stop-words", "none", "--skip-bad-encoding")
    assert "a, b" in kept.output
    assert "(1 wrong encoding)" in kept.output
    assert run(app, "first-stories", str(path), "--encoding", "latin-1", "--stop-words", "none").exit_code == 0


def test_stop_words_may_come_from_a_file(app, tmp_path):
    path, words = tmp_path / "news.csv", tmp_path / "german.txt"
    path.write_text("title,text\na,Der Hund\nb,und die\nc,der hund\n", encoding="utf-8")
    words.write_text("\ufeffder die\nund\n", encoding="utf-8")
    for command in ("duplicates", "first-stories"):
        done = run(app, command, str(path), "--stop-words", str(words))
        assert (done.exit_code, "3 documents, of which 1 left out (1 only stop words)" in done.output) == (0, True)
    words.write_bytes(b"\xfcber")
    for name, kind, message in (
        (str(words), FormatError, "stop words must be in UTF-8; byte 0 is not"),
        ("german", InvalidInputError, "--stop-words must be english, none, or a file of words; cannot read german: No"),
    ):
        refused = run(app, "duplicates", str(path), "--stop-words", name)
        assert isinstance(refused.exception, kind)
        assert message in str(refused.exception)


def test_what_is_refused_is_one_line_and_code_2(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "dendrometry.cli", "first-stories", str(tmp_path / "none")],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"dendrometry: cannot read {tmp_path / 'none'}: there is no such file or folder\n"


@pytest.mark.parametrize("command", ["duplicates", "first-stories"])
def test_empty_folders_and_wild_thresholds_are_refused(app, command, news, tmp_path):
    (tmp_path / "empty").mkdir()
    empty = run(app, command, str(tmp_path / "empty"))
    assert isinstance(empty.exception, InvalidInputError)
    assert "there must be at least one document; got none" in str(empty.exception)
    wild = run(app, command, news, *COLUMNS, "--threshold", "7")
    assert isinstance(wild.exception, InvalidInputError)
    assert "threshold must be a" in str(wild.exception)


def test_a_wild_threshold_is_refused_before_any_work(app, news, monkeypatch):
    monkeypatch.setattr("dendrometry.text.vectorize.read_documents", None)
    wild = run(app, "duplicates", news, "--threshold", "0")
    assert isinstance(wild.exception, InvalidInputError)


@pytest.mark.parametrize("command", ["duplicates", "first-stories"])
def test_help_has_an_example(app, command):
    text = " ".join(run(app, command, "--help").output.split())
    assert f"Examples: dendrometry {command} news.csv --text body --title headline" in text
    assert "--threshold" in text
