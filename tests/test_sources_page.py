"""Every name on the page of sources exists: functions can be imported, studies are registered, items have tests."""

import re
from functools import reduce
from pathlib import Path

import pytest

import dendrometry
from dendrometry._studies import STUDIES

ROOT = Path(__file__).parents[1]


def rows_of(text):
    """The rows of all tables, each with the heading above it as its first cell."""
    heading, rows = "", []
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line[3:]
        elif line.startswith("| ") and not line.startswith("| item "):
            rows.append([heading, *(cell.strip() for cell in line.strip("|").split(" | "))])
    return rows


PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
TABLE = (ROOT / "tests" / "sources.md").read_text(encoding="utf-8")
ROWS = rows_of(PAGE)
TESTS_OF = {tuple(row[:2]): re.findall(r"`([^`]+)`", row[2]) for row in rows_of(TABLE)}
FUNCTIONS = sorted({name for row in ROWS for name in re.findall(r"`([^`]+)`", row[2])})


def test_every_row_says_where_it_is_shown_or_why_not():
    assert len(ROWS) > 100
    for row in ROWS:
        assert len(row) == 4, row
        assert row[1], row
        assert row[2] or row[3], row
        left_out = row[3].startswith("left out: ")
        tested = tuple(row[:2]) in TESTS_OF
        assert left_out != (tested or "](" in row[3]), row


def test_the_table_of_tests_has_the_items_of_the_page():
    assert len(TESTS_OF) == len(rows_of(TABLE)) > 100
    assert set(TESTS_OF) <= {tuple(row[:2]) for row in ROWS}
    assert all(TESTS_OF.values())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_can_be_imported(name):
    assert reduce(getattr, name.split("."), dendrometry) is not None


@pytest.mark.parametrize("name", sorted({name for names in TESTS_OF.values() for name in names}))
def test_tests_are_defined(name):
    path, _, function = name.partition("::")
    assert re.search(rf"^def {function}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_studies_are_registered_and_each_is_named_here_or_has_a_page():
    of_sources = set(re.findall(r"study `([^`]+)`", PAGE))
    others = "".join(
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("world.md", "study.md", "choosing.md")
    )
    shown = set(re.findall(r"^## ([a-z0-9-]+)$|study `([^`]+)`", others, re.MULTILINE))
    assert of_sources <= set(STUDIES)
    assert set(STUDIES) <= of_sources | {name for pair in shown for name in pair}


def test_each_document_has_its_section():
    assert len(re.findall(r"^## ", PAGE, re.MULTILINE)) == 5
    assert {f"Exercise 17.{i}" for i in range(1, 13)} <= {row[1] for row in ROWS}
    figures = {f"17.{i}" for i in range(1, 13)}
    assert figures <= set(re.findall(r"17\.\d+", " ".join(row[1] for row in ROWS if "igure" in row[1])))
