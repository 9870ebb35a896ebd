"""Call the command line in this process."""

import sys

import pytest

from dendrometry.cli import main


@pytest.fixture
def run(monkeypatch, capsys):
    """A function that runs the command with arguments: exit code, what it printed, what it complained."""

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["dendrometry", *map(str, args)])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return call
