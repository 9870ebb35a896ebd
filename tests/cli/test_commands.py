"""``demo``, ``measures`` and what every command does alike."""

import csv
import json
import re
import threading

import pytest

import dendrometry as dm
from dendrometry import _progress
from dendrometry.cli._shared import inputs
from dendrometry.measures.measure import bibtex_entries
from tests.cli.conftest import SHAPES

HEADINGS = {
    "Compare trees": (
        "app",
        "demo",
        "compare",
        "diff",
        "stages",
        "labels",
        "enrichment",
        "resolutions",
        "matrix",
        "consensus",
        "plot",
    ),
    "Taxonomies": ("taxonomy", "predictions"),
    "Build trees": ("cluster", "cut", "choose", "clustermap", "stability", "splits", "variables"),
    "Documents": ("documents", "label", "browse", "duplicates", "first-stories", "story-clusters"),
    "Data and reference": ("info", "convert", "measures", "reproduce"),
}
COMMANDS = [command for commands in HEADINGS.values() for command in commands]


def test_the_sources_of_all_measures_and_scores_are_printed_once_each(run):
    code, out, _ = run("measures", "--bibtex")
    assert code == 0
    assert all(record.bibtex in out for record in dm.MEASURES.values())
    keys = re.findall(r"^@[a-z]+\{(\w+),\n(?:  [a-z]+ = \{.+\},\n)+\}$", out, re.MULTILINE)
    assert sorted(keys) == sorted({entry.partition("{")[2].partition(",")[0] for entry in bibtex_entries()})
    scores = {"kiritchenko2006", "dasgupta2016", "moseley2017", "calinski1974", "davies1979", "rousseeuw1987"}
    assert scores | {"tibshirani2001", "warnow1993"} <= set(keys)
    assert "--bibtex prints entries; it cannot be combined" in run("measures", "--bibtex", "--json")[2]


def test_tables_are_written_for_notes_and_papers(run, paths, tmp_path):
    for ending in ("md", "tex"):
        assert run("matrix", *paths[:2], "--out", tmp_path / f"matrix.{ending}")[0] == 0
        assert run("compare", *paths[:2], "--out", tmp_path / f"compare.{ending}")[0] == 0
    assert (tmp_path / "matrix.md").read_text(encoding="utf-8").startswith("| tree | a | b |\n|:--|--:|--:|\n| a | 1 |")
    assert r"hierarchy\_agreement & " in (tmp_path / "compare.tex").read_text(encoding="utf-8")


def test_a_matrix_of_one_tree_is_refused(run, paths):
    assert run("matrix", paths[0]) == (2, "", "dendrometry: a matrix needs two trees or more; got 1\n")


@pytest.mark.parametrize("arguments", [["compare"], ["matrix"], ["convert"]])
def test_an_existing_file_needs_force(run, paths, tmp_path, arguments):
    target = tmp_path / "there.json"
    target.write_text("old")
    call = [*arguments, *paths[:2]] if arguments != ["convert"] else ["convert", paths[0], target]
    out = [] if arguments == ["convert"] else ["--out", target]
    code, _, err = run(*call, *out)
    assert (code, target.read_text(), err.count("\n")) == (2, "old", 1)
    assert "exists" in err
    assert run(*call, *out, "--force")[0] == 0
    assert target.read_text() != "old"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_comparison_is_written_as_a_table_or_as_json(run, paths, tmp_path):
    expected = dm.compare(*map(dm.read, paths[:2]), names=("a.nwk", "b.nwk"))
    for ending, tab in (("csv", ","), ("tsv", "\t")):
        target = tmp_path / f"result.{ending}"
        assert run("compare", *paths[:2], "--out", target) == (0, "", f"wrote {target}\n")
        rows = list(csv.DictReader(target.read_text().splitlines(), delimiter=tab))
        assert [row["measure"] for row in rows] == [line.name for line in expected.lines]
        assert float(rows[0]["value"]) == expected.lines[0].value
    target = tmp_path / "result.json"
    run("compare", *paths[:2], "--out", target)
    assert target.read_text() == expected.to_json() + "\n"
    assert (
        "--out must end in .csv, .tsv, .json, .md, .tex; got x.html" in run("compare", *paths[:2], "--out", "x.html")[2]
    )


def test_measures_are_json_and_a_table_too(run, tmp_path):
    entries = json.loads(run("measures", "--json")[1])
    assert [entry["measure"] for entry in entries if entry["of"] == "trees"] == list(dm.measures.TREE_MEASURES)
    assert [entry["measure"] for entry in entries if entry["of"] == "partitions"] == list(
        dm.measures.PARTITION_MEASURES
    )
    run("measures", "--out", tmp_path / "m.csv")
    with open(tmp_path / "m.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    unguarded = [{name: cell.lstrip("'") for name, cell in row.items() if cell} for row in rows]
    assert unguarded == entries  # "-1 to 1" would be a formula in a spreadsheet


def test_a_cut_is_json_and_a_build_says_how_it_was_made(run, paths, tmp_path):
    clusters = json.loads(run("cut", paths[0], "-k", "2", "--json")[1])
    found = dm.cut_count(dm.read(paths[0]), 2)
    assert clusters == {"n_items": 8, "n_clusters": 2, "n_alternatives": 0, "clusters": found.clusters}
    points = tmp_path / "points.csv"
    points.write_text("item,x\nape,0\ncat,1\nowl,5\n")
    assert json.loads(run("cluster", points, "--json")[1])["n_items"] == 3
    assert "├─ owl" in run("cluster", points)[1]


def test_the_demo_replaces_nothing_by_itself(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "tanglegram.png").write_text("mine")
    code, out, err = run("demo")
    assert (code, out) == (2, "")
    assert "demo/tanglegram.png exists (--force replaces it" in err
    (tmp_path / "taken").write_text("")
    assert run("demo", "--out", "taken")[2] == "dendrometry: cannot make the folder taken: File exists\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_a_complete_example(run, command):
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: dendrometry {command}")
    assert f"\n    dendrometry {command}" in out
    assert "dendrometry.read" not in out
    assert run(command, "-h") == (0, out, "")
    assert not set("{}<") & set(re.sub(r"\n    dendrometry .*", "", out))  # no types or brackets of Python
    assert "[x" not in out
    assert "=True" not in out


def test_every_command_is_listed_with_a_whole_line(run):
    _, out, _ = run("--help")
    for heading, commands in HEADINGS.items():
        listed = out.split(f"\n{heading}:\n")[1].split("\n\n")[0].splitlines()
        assert [line.split()[0] for line in listed] == list(commands)
        assert "..." not in "".join(listed)
    assert run()[:2] == (0, out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare"], "dendrometry compare: missing argument 'A' (see 'dendrometry compare --help')\n"),
        (
            ["cut", "a.nwk", "--clusters"],
            "dendrometry cut: no such option: --clusters (see 'dendrometry cut --help')\n",
        ),
        (["cut", "a.nwk", "-k", "two"], "dendrometry cut: invalid value for '-k': "),
        (["measure"], "dendrometry: no such command 'measure'. Did you mean 'measures'? (see 'dendrometry --help')\n"),
        (["matrix", "."], "dendrometry: cannot read .: Is a directory\n"),
        (["cluster", "none.csv"], "dendrometry: cannot read none.csv: No such file or directory\n"),
    ],
)
def test_wrong_usage_is_one_line_that_says_where_help_is(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(message)


def test_an_interrupt_ends_quietly(run, paths, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("dendrometry.cli._shared.inputs.trees_at", interrupted)
    assert run("cut", paths[0], "-k", "2") == (130, "", "")


def test_lack_of_memory_is_one_line(run, paths, monkeypatch):
    def too_much(*_, **__):
        raise MemoryError("Unable to allocate 3 TiB")

    monkeypatch.setattr("dendrometry.cli._shared.inputs.trees_at", too_much)
    code, _, err = run("cut", paths[0], "-k", "2")
    assert (code, err) == (2, "dendrometry: there is not enough memory: Unable to allocate 3 TiB\n")


@pytest.mark.parametrize("terminal", [False, True])
def test_long_work_shows_that_it_goes_on_where_someone_watches(run, paths, monkeypatch, terminal):
    begun, drawing, trees_at = threading.Event(), _progress._drawing, inputs.trees_at

    def draw(*args, **options):
        begun.set()
        return drawing(*args, **options)

    def slow_trees_at(*args, **options):
        if terminal:
            begun.wait()
        return trees_at(*args, **options)

    monkeypatch.setattr(_progress, "_drawing", draw)
    monkeypatch.setattr(inputs, "trees_at", slow_trees_at)
    monkeypatch.setattr("dendrometry.cli.cut.on_terminal", lambda: terminal)
    monkeypatch.setattr(_progress, "_DELAY", 0.0)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    code, _, err = run("cut", paths[0], "-k", "2")
    assert (code, "cutting" in err) == (0, terminal)


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["cut", "a.nwk", "-k", "99"], "-k"),
        (["cut", "a.nwk", "--at-most", "0"], "--at-most"),
        (["cluster", "points.csv", "--linkage", "upgma"], "--linkage"),
        (["matrix", "a.nwk", "b.nwk", "--measure", "rands"], "--measure"),
        (["documents", "texts", "--clusters", "9"], "--clusters"),
        (["documents", "texts", "--dimensions", "50"], "--dimensions"),
        (["duplicates", "texts", "--threshold", "2"], "--threshold"),
        (["first-stories", "texts", "--threshold", "2"], "--threshold"),
    ],
)
def test_a_refused_value_is_named_by_its_option(run, tmp_path, monkeypatch, arguments, option):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.nwk").write_text(SHAPES["a"], encoding="utf-8")
    (tmp_path / "points.csv").write_text("item,x\nape,0\ncat,1\nowl,5\n", encoding="utf-8")
    (tmp_path / "texts").mkdir()
    for i, text in enumerate(("oil and gas", "ships left", "gas prices")):
        (tmp_path / "texts" / f"{i}.txt").write_text(text, encoding="utf-8")
    code, _, err = run(*arguments)
    assert code == 2
    assert err.startswith("dendrometry: ")
    assert f" {option} must be " in err
