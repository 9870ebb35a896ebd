"""The figures of speed: one table, from which the pages are written."""

import csv
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "results" / "speed.csv"
MAKER = runpy.run_path(str(ROOT / "docs" / "_make" / "speed.py"))


def rows():
    with TABLE.open(newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


@pytest.mark.parametrize("page", MAKER["PAGES"], ids=lambda page: page.name)
def test_pages_hold_what_the_table_says(page):
    text = page.read_text(encoding="utf-8")
    assert text == MAKER["filled"](text), "run: python docs/_make/speed.py"


def test_every_group_has_its_place():
    places = [
        place[2] for page in MAKER["PAGES"] for place in MAKER["PLACE"].finditer(page.read_text(encoding="utf-8"))
    ]
    assert sorted(places) == sorted({"beside"} | {row["group"] for row in rows()})


def test_every_row_says_how_long():
    for row in rows():
        seconds = [float(row[name]) for name in ("ours_core_s", "ours_wall_s") if row[name]]
        assert seconds, row
        assert min(seconds) > 0
        assert bool(row["rival"]) == bool(row["ratio"])


def test_every_row_is_of_one_task_on_one_processor():
    keys = [tuple(row[name] for name in ("group", "task", "size", "columns", "data", "processor")) for row in rows()]
    assert len(set(keys)) == len(keys)
    assert all(re.search(r"\d+ cores?$", key[-1]) or "GPU" in key[-1] for key in keys)


def test_ratios_are_those_of_the_core_seconds():
    found = [row for row in rows() if row["rival_core_s"]]
    assert found
    for row in found:
        assert float(row["ratio"]) == pytest.approx(float(row["rival_core_s"]) / float(row["ours_core_s"]), rel=0.1)
