"""Every name on the page of sources exists: functions can be imported, tests are defined, studies are registered."""

import re
from functools import reduce
from pathlib import Path

import pytest

import dendrometry
from dendrometry._studies import STUDIES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| item ")
]
TESTS = sorted(set(re.findall(r"`(tests/[^`]+)`", PAGE)))
FUNCTIONS = sorted({name for row in ROWS for name in re.findall(r"`([^`]+)`", row[1])})


def test_every_row_has_four_cells_and_says_where_it_is_shown_or_why_not():
    assert len(ROWS) > 100
    for row in ROWS:
        assert len(row) == 4, row
        assert row[0], row
        assert any(row[1:]), row
        assert row[1] or row[2] or row[3].startswith("left out: "), row
        assert row[2] or row[3], row


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_can_be_imported(name):
    assert reduce(getattr, name.split("."), dendrometry) is not None


@pytest.mark.parametrize("name", TESTS)
def test_tests_are_defined(name):
    path, _, function = name.partition("::")
    assert re.search(rf"^def {function}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_studies_are_registered_and_each_is_named():
    assert set(re.findall(r"study `([^`]+)`", PAGE)) == set(STUDIES)


def test_each_document_has_its_section():
    assert len(re.findall(r"^## ", PAGE, re.MULTILINE)) == 5
    assert {f"Exercise 17.{i}" for i in range(1, 13)} <= {row[0] for row in ROWS}
    figures = {f"17.{i}" for i in range(1, 13)}
    assert figures <= set(re.findall(r"17\.\d+", " ".join(row[0] for row in ROWS if "igure" in row[0])))
