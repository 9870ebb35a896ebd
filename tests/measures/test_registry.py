"""A measure is one file and one line: what a new one needs, and what the records promise."""

import os
import pickle
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import dendrometry as dm
from dendrometry.measures.registry import MEASURES, measure_meant, measure_named, measures_named
from tests.oracles.measures.definition import definition

ROOT = Path(__file__).parents[2]
ADDITION = Path(__file__).with_name("addition")
ACCENTS = {r"{\u{a}}": "ă", r"{\"o}": "ö", r"{\"a}": "ä"}
HOMES = {"same_pairs": "trees", "same_share": "partitions"}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the package, its tests and docs with two more measures: each one file, one line, and its docs."""
    root = tmp_path_factory.mktemp("house")
    for folder in ("src", "tests", "docs"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, root)
    measures, page = root / "src" / "dendrometry" / "measures", root / "docs" / "measures.md"
    stub, text = measures / "__init__.pyi", page.read_text(encoding="utf-8")
    lines = stub.read_text(encoding="utf-8").splitlines(keepends=True)
    for name, home in HOMES.items():
        shutil.copy(ADDITION / f"{name}.py", measures.joinpath(*home.split(".")))
        at = max(i for i, line in enumerate(lines) if f".{home}." in line)
        lines.insert(at + 1, f"from dendrometry.measures.{home}.{name} import {name} as {name}\n")
        text += f"\n<!-- registry: {name} -->\n<!-- end -->\n"
    choosing = root / "docs" / "choosing.md"
    head, rows = "| measure | weakness |\n|---|---|\n", "".join(f"| `{name}` | none |\n" for name in HOMES)
    choosing.write_text(choosing.read_text(encoding="utf-8").replace(head, head + rows), encoding="utf-8")
    stub.write_text("".join(lines), encoding="utf-8")
    page.write_text(text, encoding="utf-8")
    return root


def test_a_new_measure_is_one_file_and_one_line(house):
    """The laws, the command line, reports, p-values, decompositions, profiles and the docs know it, in one process."""
    checks = ["tests/measures/addition/checks.py", "tests/test_laws.py", "tests/test_measures_page.py"]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", "same_pairs or same_share or page or place"]
    environment = {**os.environ, "PYTHONPATH": str(house / "src"), "NUMBA_DISABLE_JIT": "1"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *checks], cwd=house, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 40


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_measure_is_found_by_its_name(name):
    record = dm.MEASURES[name]
    assert record.name == name
    assert record.call.__module__.rpartition(".")[2] == name
    assert getattr(dm.measures, name) is record.call
    assert record.of in record.call.__module__.split(".")


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_measure_has_its_oracle_and_its_proof_in_files_of_its_name(name):
    record = dm.MEASURES[name]
    home = Path(*record.call.__module__.split(".")[1:-1])
    assert (ROOT / "tests" / home / f"test_{name}.py").is_file()
    assert callable(definition(name, record.of))


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_measure_names_its_source_by_authors_and_year(name):
    entry = dm.MEASURES[name].bibtex
    authors, year = (re.search(rf"{field} = {{(.*)}},", entry)[1] for field in ("author", "year"))
    for accented, letter in ACCENTS.items():
        authors = authors.replace(accented, letter)
    names = [author.partition(",")[0] for author in authors.split(" and ")]
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    assert dm.MEASURES[name].source == f"{who} {year}"


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_record_can_be_pickled_and_has_its_source(name):
    record = dm.MEASURES[name]
    assert pickle.loads(pickle.dumps(record)) == record
    assert re.fullmatch(r"@[a-z]+\{\w+,\n(  [a-z]+ = \{.+\},\n)+\}", record.bibtex)
    assert set(re.findall(r"^  ([a-z]+) =", record.bibtex, re.MULTILINE)) >= {"author", "title", "year"}
    assert (record.cost is None) == (not record.slow)
    assert (record.of == "partitions") == (record.properties is not None)


def test_a_source_that_is_not_known_is_refused():
    with pytest.raises(dm.DendrometryError, match=r"bibtex must be a key of references\.bib; got nobody1900"):
        replace(dm.MEASURES["rand"], bibtex="nobody1900")
    assert replace(dm.MEASURES["rand"], title="R").bibtex == dm.MEASURES["rand"].bibtex


def test_measures_are_refused_in_one_wording():
    with pytest.raises(dm.DendrometryError, match=r"^did you mean 'rand'\? measure must be .*; got 'rnd'$"):
        measure_named("rnd")
    with pytest.raises(dm.DendrometryError, match=r"measure must be .*; got 'rand'"):
        measure_named("rand", "trees")
    with pytest.raises(dm.DendrometryError, match="measures must be a sequence of names"):
        measures_named("rand", "partitions")
    shown = [name for name in dm.measures.TREE_MEASURES if dm.MEASURES[name].default]
    assert [record.name for record in measures_named(None, "trees")] == shown
    assert 0 < len(shown) < len(dm.measures.TREE_MEASURES)


def test_the_mapping_of_measures_holds_no_other_name():
    assert "Measure" not in dm.MEASURES
    assert 3 not in dm.MEASURES
    assert repr(dm.MEASURES).startswith(f"<{len(dm.MEASURES)} measures: hierarchy_agreement, ")
    with pytest.raises(KeyError, match="Measure"):
        dm.MEASURES["Measure"]


@pytest.mark.parametrize("measure", dm.MEASURES.values(), ids=dm.MEASURES.keys())
def test_names_take_the_place_of_both_trees_or_partitions(measure):
    text = measure.describe("Ann", "Ben")
    assert "the first" not in text
    assert "the second" not in text
    assert not re.search(r"(Ann|Ben) (tree|partition)", text)


def test_other_names_are_those_of_one_measure():
    names = [name for measure in MEASURES.values() for name in (measure.name, *measure.aliases)]
    plain = [re.sub(r"\W|_", "", name).lower() for name in names]
    assert sorted(set(plain)) == sorted(plain)
    for name in MEASURES:
        for alias in MEASURES[name].aliases:
            assert measure_meant(alias.lower().replace(" ", "_")) == name
