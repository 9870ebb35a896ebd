"""Every example in README.md and docs/ is run; blocks of one page share their names."""

import doctest
import re
import runpy
from pathlib import Path

import pytest

from dendrometry import from_newick, stages

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def examples(page):
    """The text of all pycon blocks of a page, each kept at its line."""
    text = page.read_text(encoding="utf-8")
    kept = [""] * (text.count("\n") + 1)
    for block in re.finditer(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, block.start(1))
        for offset, content in enumerate(block.group(1).splitlines()):
            kept[line + offset] = content
    return "\n".join(kept)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    output = []
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)


def test_the_readme_has_an_example():
    assert ">>>" in examples(ROOT / "README.md")


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.name)
def test_every_page_is_in_the_nav_and_on_the_first_page(page):
    assert f": {page.name}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    if page.name != "index.md":
        assert f"({page.name})" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_that_are_there(page):
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        name, _, heading = target.partition("#")
        file = page.parent / name if name else page
        assert file.is_file(), target
        assert not heading or heading in headings(file), target


def headings(page):
    """The names by which links reach the headings of a page."""
    found = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip()) for heading in found}


def test_the_picture_of_the_contraction_is_what_its_script_draws():
    script = runpy.run_path(str(ROOT / "docs" / "_make" / "contraction.py"))
    assert script["PICTURE"].read_text(encoding="utf-8") == script["drawn"](), "run: python docs/_make/contraction.py"


def test_the_picture_of_the_contraction_counts_what_stages_counts():
    script = runpy.run_path(str(ROOT / "docs" / "_make" / "contraction.py"))
    a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    drawn = list(zip(script["stages"](script["MERGES_A"]), script["stages"](script["MERGES_B"]), strict=True))
    together = script["n_together"]
    counted = [(together(x), together(y), together(x, y)) for x, y in drawn[2:0:-1]]
    series = stages(a, b)
    assert counted == list(zip(series.p.tolist(), series.q.tolist(), series.t.tolist(), strict=True))
