"""Results as Markdown and LaTeX: every result with a data frame, its numbers, and names that would be markup."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest

import dendrometry as dm
from dendrometry._tabular import Tabular
from dendrometry.comparison import compare_partitions
from dendrometry.errors import InvalidInputError

NASTY = ["a|b", "x_1 & y", r"\input{x}", "50% [of] *all*", "<b>bold</b>", "$x^2$ ~#1{}", "new\nline", "`code`"]


class Frame(Tabular):
    """A result that is a given frame."""

    def __init__(self, *args, **options):
        self.frame = pd.DataFrame(*args, **options)

    def to_frame(self):
        return self.frame


def cells(line):
    """The cells of a line of a Markdown table, without escapes."""
    return [re.sub(r"\\(.)", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]]


def test_names_survive_in_markdown():
    tree = dm.from_labels(range(len(NASTY)), item_names=NASTY)
    lines = dm.item_disagreement(tree, tree).to_markdown().splitlines()
    assert cells(lines[0]) == ["item", "value"]
    assert [cells(line)[0] for line in lines[2:]] == [name.replace("\n", r"\n") for name in NASTY]
    assert len(lines) == len(NASTY) + 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a|b", r"a\textbar{}b"),
        ("x_1 & y", r"x\_1 \& y"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("50% [of] *all*", r"50\% {[}of{]} {*}all{*}"),
        ("<b>", r"\textless{}b\textgreater{}"),
        ("$x^2$ ~#1", r"\$x\textasciicircum{}2\$ \textasciitilde{}\#1"),
        ("new\nline", r"new\textbackslash{}nline"),
    ],
)
def test_names_are_escaped_in_latex(name, expected):
    text = Frame({"name": [name], "n": [1]}).to_latex()
    assert text.splitlines()[4] == rf"{expected} & 1 \\"


def test_numbers_are_rounded_and_aligned():
    table = Frame(
        {"x": [1 / 3, -2.5e-7, np.inf], "n": [10**20, -1, 0], "real": [True, False, None], "in": [("a", "b")] * 3}
    )
    assert table.to_markdown(digits=3).splitlines() == [
        "| x | n | real | in |",
        "|--:|--:|:--|:--|",
        "| 0.333 | 100000000000000000000 | yes | a, b |",
        "| -2.5e-07 | -1 | no | a, b |",
        "| inf | 0 |  | a, b |",
    ]
    lines = table.to_latex().splitlines()
    assert lines[0] == r"\begin{tabular}{rrll}"
    assert lines[4:7] == [
        r"0.3333 & 100000000000000000000 & yes & a, b \\",
        r"$-2.5 \times 10^{-7}$ & $-1$ & no & a, b \\",
        r"$\infty$ & 0 &  & a, b \\",
    ]


def test_an_index_is_shown_if_it_names_the_rows():
    assert Frame({"x": [1]}).to_markdown().splitlines()[0] == "| x |"
    assert Frame({"x": [1]}, index=["a"]).to_markdown().splitlines()[0] == "|  | x |"
    assert Frame({"x": [1]}, index=pd.Index([7], name="node")).to_markdown().splitlines()[2] == "| 7 | 1 |"


def test_a_comparison_and_a_matrix_become_tables():
    a, b = dm.from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);"), dm.from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    result = dm.compare(a, b)
    lines = result.to_markdown().splitlines()
    assert cells(lines[0])[:2] == ["measure", "value"]
    assert {"reason", "sentence"} <= set(result.to_frame()) - set(cells(lines[0]))  # too wide for paper
    assert max(map(len, result.to_latex().splitlines())) < 100
    assert [cells(line)[0] for line in lines[2:]] == [line.name for line in result.lines]
    assert compare_partitions([0, 0, 1], [0, 1, 1]).to_latex().startswith("\\begin{tabular}{l")
    matrix = dm.pairwise_matrix({"first_tree": a, "b&c": b}).to_latex().splitlines()
    assert matrix[2] == r" & first\_tree & b\&c \\"


def test_every_result_with_a_frame_can_be_written_as_a_table():
    rooms = [dm, *(getattr(dm, name) for name in dm.__all__ if inspect.ismodule(getattr(dm, name)))]
    results = {value for room in rooms for name in room.__all__ if inspect.isclass(value := getattr(room, name))}
    with_frames = {kind for kind in results if hasattr(kind, "to_frame")}
    assert len(with_frames) > 10
    assert not [kind.__name__ for kind in with_frames if not issubclass(kind, Tabular)]


def test_refuses_a_number_of_digits_that_is_none():
    with pytest.raises(InvalidInputError, match="digits must be a whole number from 1 to 17; got 0"):
        Frame({"x": [1.0]}).to_markdown(digits=0)
