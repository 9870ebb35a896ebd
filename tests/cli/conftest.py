"""Call the command line in this process."""

import sys

import pytest

from dendrometry.cli import main

SHAPES = {
    "a": "((((a:1,b:1):1,c:2):1,d:3):1,((e:1,f:1):1,(g:1,h:1):1):2);",
    "b": "((((a:1,b:1):1,c:2):1,d:3):2,((e:1,f:1):1,(g:1,h:1):2):2);",
    "c": "((((a:1,b:1):1,d:2):1,c:3):1,((e:1,f:1):1,(g:1,h:1):1):2);",
    "d": "((((a:1,b:1):1,c:2):1,d:3):1,((e:1,g:1):1,(f:1,h:1):1):2);",
    "odd": "((a:1,h:1):1,(b:1,g:1):1,(c:1,f:1):1,(d:1,e:1):1);",
}


@pytest.fixture
def run(monkeypatch, capsys):
    """A function that runs the command with arguments: exit code, what it printed, what it complained.

    How tables were read, a line for each, is in its ``read``.
    """

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["dendrometry", *map(str, args)])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        lines = err.splitlines(keepends=True)
        call.read = [line for line in lines if line.startswith("read ")]
        return end.value.code, out, "".join(line for line in lines if line not in call.read)

    return call


@pytest.fixture
def paths(tmp_path):
    for name, text in SHAPES.items():
        (tmp_path / f"{name}.nwk").write_text(text)
    return [str(tmp_path / f"{name}.nwk") for name in SHAPES]


A, B = "(((ape:1,cat:1):1,elk:2):1,owl:3);", "((ape:1,cat:1):2,(elk:2,owl:2):1);"


@pytest.fixture
def trees(tmp_path):
    for name, text in (("a", A), ("b", B)):
        (tmp_path / f"{name}.nwk").write_text(text)
    return [str(tmp_path / "a.nwk"), str(tmp_path / "b.nwk")]
