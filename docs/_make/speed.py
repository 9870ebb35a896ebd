"""Write the figures of docs/results/speed.csv into the pages: ``python docs/_make/speed.py``.

A page marks the places with ``<!-- speed: NAME -->`` and ``<!-- end -->``, where NAME is a group of the table, or
``beside`` for the rows with another package. What stands between is replaced. The tests fail where a page and the table
differ. ``python benchmarks/speed.py`` writes the table.
"""

import csv
import re
from itertools import groupby
from pathlib import Path

DOCS = Path(__file__).parents[1]
TABLE = DOCS / "results" / "speed.csv"
PAGES = [DOCS.parent / "README.md", DOCS / "speed.md"]
PLACE = re.compile(r"(<!-- speed: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
BESIDE = {"building", "comparing", "dividing"}  # groups in the table of the README

Row = dict[str, str]


def rows() -> list[Row]:
    """Return the rows of the table."""
    with TABLE.open(newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


def filled(text: str) -> str:
    """Return a page with every marked place as the table has it."""
    found = rows()
    return PLACE.sub(lambda place: f"{place[1]}\n{_content(place[2], found)}\n{place[3]}", text)


def _content(name: str, found: list[Row]) -> str:
    if name == "beside":
        return _tables([row for row in found if row["rival"] and row["group"] in BESIDE])
    return _tables([row for row in found if row["group"] == name])


def _tables(found: list[Row]) -> str:
    """Return a table for each processor."""
    found = sorted(found, key=lambda row: row["processor"])  # stable: the order of the file within each
    parts = [f"{on}:\n\n{_table(list(some))}" for on, some in groupby(found, key=lambda row: row["processor"])]
    return "\n".join(parts).rstrip("\n")


def _table(some: list[Row]) -> str:
    """Return rows as a table; columns that are empty in all are left out."""
    head = {
        "task": lambda row: f"`{row['task']}`" if re.fullmatch(r"\w+", row["task"]) else row["task"],
        "size": lambda row: f"{int(row['size']):,}" + (f" x {int(row['columns']):,}" if row["columns"] else ""),
        "data": lambda row: row["data"],
        "core s": lambda row: row["ours_core_s"],
        "by the clock, s": lambda row: row["ours_wall_s"],
        "peak MB": lambda row: row["memory_mb"],
        "other package": lambda row: row["rival"],
        "its core s": lambda row: row["rival_core_s"],
        "times as long": lambda row: row["ratio"],
    }
    lines = [[read(row) for read in head.values()] for row in some]
    used = [i for i in range(len(head)) if any(line[i] for line in lines)]
    table = [list(head), ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(line[i] for i in used)} |\n" for line in table)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
