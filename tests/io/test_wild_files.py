"""Files as people have them: each is read in one way, or refused in our words; tests/data/wild/table.tsv says which.

A row of the table is a file, the program or format that writes it, options of `read`, and what must happen: "read"
without a word, "said" (read, and the text in ``says`` is told), "refused" with that text, or "asked": refused, with an
option or function that reads it. Trees are written as ``name[items and children]``, with the height of the root behind
``^``; a line break is a blank.
"""

import csv
import warnings
from pathlib import Path

import pandas as pd
import pytest

import dendrometry as dm
from dendrometry.cli._shared.inputs import Options, trees_at
from dendrometry.errors import AssumptionWarning, DendrometryError, LostMeaningWarning, Remedy

WILD = Path(__file__).parent.parent / "data" / "wild"
TABLE = list(csv.DictReader((WILD / "table.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=3))
IDS = [f"{row['file']} {row['options']}".strip() for row in TABLE]


def notation(tree):
    names = tree.node_names or ("",) * tree.n_nodes
    parts = [[] for _ in range(tree.n_nodes)]
    for v, p in enumerate(tree.parent.tolist()):
        own = tree.own_items(v)
        inside = " ".join(sorted(own + parts[v]))
        alone = not names[v] and len(own) == 1 and not parts[v]
        text = inside if alone and p >= 0 else f"{names[v]}[{inside}]"
        if p >= 0:
            parts[p].append(text)
    return " ".join(text.split()) + ("" if tree.height is None else f"^{tree.height.max():g}")


def options_of(row):
    """The options of a row, such as "levels=order,family"."""
    name, _, value = row["options"].partition("=")
    if not name:
        return {}
    return {name: value.split(",") if name == "levels" else int(value) if value.isdecimal() else value}


def reading(call):
    """The tree that a call returns, and what it told; or its error."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            tree = call()
        except DendrometryError as error:
            return None, error
    assert all(isinstance(each.message, AssumptionWarning | LostMeaningWarning) for each in told)
    return tree, " ".join(str(each.message) for each in told)


@pytest.mark.parametrize("row", TABLE, ids=IDS)
def test_every_file_is_read_said_refused_or_asked(row):
    tree, told = reading(lambda: dm.read(WILD / row["file"], **options_of(row)))
    assert (tree is None) == (row["outcome"] in ("refused", "asked")), told
    assert row["says"] in str(told)
    if row["outcome"] == "asked":
        assert any(isinstance(part, Remedy) and part.argument for part in told.args)
    elif tree is not None:
        assert bool(told) == (row["outcome"] == "said")
        assert notation(tree) == row["tree"]


@pytest.mark.parametrize("row", TABLE, ids=IDS)
def test_the_command_line_reads_the_same_and_says_how(row, capsys):
    options = options_of(row)
    file = str(WILD / row["file"])
    path = f"{file}:{options.pop('tree')}" if "tree" in options else file
    (tree, _), (again, _) = (
        reading(lambda: dm.read(WILD / row["file"], **options_of(row))),
        reading(lambda: trees_at([path], Options(**options))[0]),
    )
    assert (tree is None) == (again is None)
    if again is not None:
        assert notation(again) == notation(tree)
        line = capsys.readouterr().err
        if path.endswith((".csv", ".tsv")) and line:
            assert line.startswith(f"read {path}: ")
            assert f"{tree.n_items} item" in line
            assert " level" in line
            assert "rows dropped" in line or "lineages" in line


@pytest.mark.parametrize("file", sorted({row["file"] for row in TABLE if row["file"].endswith(".csv")}))
def test_a_frame_of_pandas_is_read_as_its_file_or_refused(file):
    try:
        frame = pd.read_csv(WILD / file)
    except (UnicodeDecodeError, pd.errors.ParserError):
        return
    tree, _ = reading(lambda: dm.io.as_hierarchy(frame))
    if tree is None:
        return
    expected, _ = reading(lambda: dm.read(WILD / file))
    assert expected is not None, "the frame is read, the file is refused"
    assert notation(tree) == notation(expected)


def test_the_table_has_every_file_with_its_origin():
    files = {str(path.relative_to(WILD)) for path in WILD.rglob("*") if path.is_file()}
    assert {row["file"] for row in TABLE} == files - {"table.tsv", "ncbi/names.dmp"}
    assert len({row["file"] for row in TABLE}) >= 60
    assert all(row["origin"] for row in TABLE)
    assert {row["outcome"] for row in TABLE} == {"read", "said", "refused", "asked"}
