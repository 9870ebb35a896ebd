"""What describes the package to others agrees with the package: citation, codemeta, conda recipe, paper, checklists."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from dendrometry import __version__

ROOT = Path(__file__).parents[1]


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def requirements(lines):
    """Requirements as {name: range}, without markers."""
    found = {}
    for line in lines:
        name, _, bounds = re.match(r"\s*-?\s*([\w.-]+?)(\[[\w,]+\])?\s*(>=[\w.,<]+)?\s*(?:;.*)?$", line).groups()
        found[name] = bounds
    return found


def block(recipe, name):
    """The entries of a list in the recipe."""
    return re.search(rf"^  {name}:\n((?:    - .*\n)+)", recipe, re.MULTILINE).group(1).splitlines()


def test_all_name_the_same_version():
    assert re.search(r"^version: (\S+)$", text_of("CITATION.cff"), re.MULTILINE).group(1) == __version__
    assert json.loads(text_of("codemeta.json"))["version"] == __version__
    assert re.search(r'^  version: "(.+)"$', text_of("conda/recipe.yaml"), re.MULTILINE).group(1) == __version__


def test_the_checksum_in_the_recipe_is_text():
    """Digits without quotes are a number in YAML, which no recipe may have there."""
    assert re.search(r'^  sha256: "[0-9a-f]{64}"( #|$)', text_of("conda/recipe.yaml"), re.MULTILINE)


def test_the_paper_counts_the_languages_of_the_study():
    (count,) = re.findall(r"of ([\d,]+) languages", text_of("paper/paper.md"))
    assert f"\n{count} languages of " in text_of("docs/results/languages.txt")


def test_the_recipe_requires_what_the_package_requires():
    project = tomllib.loads(text_of("pyproject.toml"))
    core = requirements(project["project"]["dependencies"])
    recipe = text_of("conda/recipe.yaml")
    run = requirements(block(recipe, "run"))
    assert run.pop("python") == project["project"]["requires-python"]
    assert run == core
    host = requirements(block(recipe, "host"))
    assert core.items() <= host.items()
    assert host["hatchling"] == requirements(project["build-system"]["requires"])["hatchling"]
    extras = project["project"]["optional-dependencies"]
    optional = {name: bounds for lines in extras.values() for name, bounds in requirements(lines).items()}
    other_names = {"matplotlib-base": "matplotlib", "python-duckdb": "duckdb"}
    for name, bounds in requirements(block(recipe, "run_constraints")).items():
        assert optional[other_names.get(name, name)] == bounds


def test_the_paper_cites_what_its_bibliography_has_and_shows_pictures_that_exist():
    paper = text_of("paper/paper.md")
    cited = set(re.findall(r"@(\w+\d{4})", paper))
    assert cited == set(re.findall(r"^@\w+\{(\w+),", text_of("paper/paper.bib"), re.MULTILINE))
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", paper)
    assert pictures
    for picture in pictures:
        assert (ROOT / "paper" / picture).is_file()


def boxes():
    """The rows of the checklists."""
    rows = re.findall(r"^\| ([^|]+) \| (\w+) \| ([^|]+) \|$", text_of("docs/review.md"), re.MULTILINE)
    return [row for row in rows if row[1] != "state"]


@pytest.mark.parametrize(("box", "state", "shown"), boxes(), ids=lambda part: part[:40])
def test_each_box_is_passed_with_a_file_or_open_with_a_reason(box, state, shown):
    paths = re.findall(r"`([^`]+)`", shown)
    for path in paths:
        assert (ROOT / path).exists()
    assert (state == "passed" and paths) or (state == "open" and len(shown.split()) >= 3)
