"""Tables on a narrow terminal: no number is wrapped."""

import os

import pytest

from dendrometry.cli._shared import table
from dendrometry.cli._shared.table import print_table

HEAD = ["measure", *(f"number {i}" for i in range(8))]
ROWS = [["rand", *("0.123456" for _ in range(8))], ["van_dongen", *("12" for _ in range(8))]]


@pytest.fixture
def terminal(monkeypatch):
    def narrow(columns):
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setattr(table, "get_terminal_size", lambda: os.terminal_size((columns, 24)))

    return narrow


@pytest.mark.parametrize("columns", [30, 40, 80])
def test_columns_follow_in_tables_that_fit_with_the_first_column_in_each(terminal, capsys, columns):
    terminal(columns)
    print_table(HEAD, ROWS)
    blocks = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert len(blocks) > 1
    assert all(len(line) <= columns for block in blocks for line in block.splitlines())
    assert [line.split()[0] for block in blocks for line in block.splitlines()[::2]] == ["measure", "rand"] * len(
        blocks
    )
    shown = [name for block in blocks for name in block.splitlines()[0].split("   ") if name.startswith("number")]
    assert [name.strip() for name in shown] == HEAD[1:]


def test_a_wide_terminal_and_a_file_have_one_table(terminal, capsys):
    print_table(HEAD, ROWS)
    in_file = capsys.readouterr().out
    terminal(200)
    print_table(HEAD, ROWS)
    assert capsys.readouterr().out == in_file
    assert "\n\n" not in in_file


def test_a_column_wider_than_the_terminal_is_shown_whole(terminal, capsys):
    terminal(20)
    print_table(["node", "words"], [["1", "a" * 50]])
    assert capsys.readouterr().out.splitlines()[-1] == "1      " + "a" * 50
