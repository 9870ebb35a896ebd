"""The page for agents: twenty tasks, run by tests/test_docs.py, with adjusted values and p-values."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
TASKS = re.findall(r"^## (\d+)\. (.+)$", (DOCS / "agents.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_there_are_twenty_tasks_and_each_is_listed():
    assert [int(number) for number, _ in TASKS] == list(range(1, 21))
    listed = re.findall(r"^- \[(.+)\]\(agents\.html#([^)]+)\)", (DOCS / "llms.txt").read_text("utf-8"), re.MULTILINE)
    assert [title for title, _ in listed] == [title for _, title in TASKS]
    for (title, anchor), (number, _) in zip(listed, TASKS, strict=True):
        assert anchor == re.sub("[^a-z0-9]+", "-", f"{number} {title}".lower()).strip("-")


def test_every_page_that_is_listed_is_there():
    for page in re.findall(r"\(([a-z_]+)\.html", (DOCS / "llms.txt").read_text("utf-8")):
        assert (DOCS / f"{page}.md").exists()


def test_every_task_that_gives_a_value_says_whether_it_is_beyond_chance():
    for section in (DOCS / "agents.md").read_text("utf-8").split("\n## ")[1:]:
        title = section.splitlines()[0]
        if title != "4. Write a report for a person":
            assert re.search(r"p = 0|p_value|p-values are|0\.05", section), title
