"""The command line without standard streams, and with file names that are no Unicode: one line, never a traceback."""

import io
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dendrometry import from_newick, write
from dendrometry.__main__ import main
from dendrometry.errors import InvalidInputError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.nwk").write_text("((a,b),c);", encoding="utf-8")
    (tmp_path / "b.nwk").write_text("((a,c),b);", encoding="utf-8")
    return tmp_path


def shell(folder, arguments, redirections=""):
    """Run the command in a shell; return its exit code and what it said."""
    command = f"{sys.executable} -m dendrometry.cli {arguments} {redirections}"
    run = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, errors="replace")
    assert "Traceback" not in run.stderr, run.stderr
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize("redirections", [">&-", "<&-", "2>&-", ">/dev/full", ">&- 2>&- <&-"])
def test_closed_and_full_streams_end_in_one_line_at_most(folder, redirections):
    code, _, said = shell(folder, "compare a.nwk b.nwk", redirections)
    assert code in (0, 2)
    assert said.count("\n") <= 1


@pytest.mark.parametrize("arguments", ["compare a.nwk b.nwk", "matrix a.nwk b.nwk --json"])
def test_what_cannot_be_printed_is_an_error(folder, arguments):
    code, _, said = shell(folder, arguments, ">&-")
    assert (code, said) == (2, "dendrometry: standard output must be open; it is closed\n")


def test_trees_are_written_only_to_streams_that_take_them(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.BytesIO())
    with pytest.raises(InvalidInputError, match="standard output must be open, and take bytes"):
        write(from_newick("(a,b);"), "-", format="newick")


def test_an_interrupt_while_the_commands_are_loaded_has_its_exit_code(monkeypatch, capsys):
    class Interrupt:
        def find_spec(self, name, *_):
            if name == "dendrometry.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "dendrometry.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupt(), *sys.meta_path])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 130
    assert capsys.readouterr() == ("", "")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"dendrometry": "dendrometry.__main__:main"}


def test_closed_standard_input_is_named(folder):
    code, _, said = shell(folder, "convert - x.json --format newick", "<&-")
    assert (code, said) == (2, "dendrometry: standard input must be open, and give bytes; it is closed or replaced\n")


def test_closed_standard_output_is_named(folder):
    code, _, said = shell(folder, "convert a.nwk - --to json", ">&-")
    assert (code, said) == (2, "dendrometry: standard output must be open, and take bytes; it is closed or replaced\n")


@pytest.mark.parametrize("out", ["m.csv", "m.json"])
def test_names_that_are_no_unicode_are_written_as_escapes(folder, out):
    os.rename(folder / "b.nwk", os.fsencode(folder) + b"/\xff.nwk")
    code, _, said = shell(folder, f"matrix a.nwk *f*.nwk --out {out}".replace("*f*", "[!a]"))
    assert code == 0, said
    assert "xff" in (folder / out).read_text(encoding="utf-8")


def test_names_that_are_no_unicode_are_compared_and_shown_in_one_way(folder):
    os.rename(folder / "b.nwk", os.fsencode(folder) + b"/\xff.nwk")
    code, said, wrote = shell(folder, "compare a.nwk [!a].nwk --report \"$(printf 'r\\377.html')\"")
    assert code == 0, wrote
    assert "a.nwk" in said
    assert "\\xff.nwk" in said
    assert wrote == "wrote r\\xff.html\n"
