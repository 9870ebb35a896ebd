"""Every ``console`` block of docs/cli.md is run: ``$ cat FILE`` makes the file that it shows, the rest is ours."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
SAME = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def steps(text):
    """The commands of all console blocks, each with what the page says it prints."""
    for block in re.finditer(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for step in re.split(r"^\$ ", block.group(1), flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            yield command, output


def test_commands_print_what_the_page_says(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    n_run = 0
    for command, expected in steps(PAGE.read_text(encoding="utf-8")):
        program, *arguments = shlex.split(command)
        if program == "cat":
            (tmp_path / arguments[0]).write_text(expected, encoding="utf-8")
            continue
        assert program == "dendrometry", f"the page may show only dendrometry and cat; got {command}"
        code, out, err = run(*arguments)
        n_run += 1
        assert doctest.OutputChecker().check_output(expected, out + err, SAME), f"$ {command}\n{out}{err}"
        refused = err.startswith("dendrometry") and "warning" not in err
        assert code == (2 if refused else int(arguments[0] == "diff" or "\nnot read: " in out))
    assert n_run > 10
    assert (tmp_path / "demo" / "report.html").read_bytes().startswith(b"<!DOCTYPE html>")
    for name in ("tanglegram", "matches", "item_disagreement"):
        assert (tmp_path / "demo" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


COMMANDS = ["demo", "compare", "matrix", "cluster", "cut", "convert", "measures", "reproduce"]
COMMANDS += [
    "documents",
    "label",
    "browse",
    "choose",
    "stability",
    "splits",
    "labels",
    "diff",
    "resolutions",
    "clustermap",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_part_of_the_page(command):
    assert f"\n## {command}: " in PAGE.read_text(encoding="utf-8")
