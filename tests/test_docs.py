"""Every example in README.md and docs/ is run; blocks of one page share their names."""

import doctest
import re
import runpy
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import dendrometry
from dendrometry import from_newick, stages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("**/*.md"))]
REFERENCE = runpy.run_path(str(DOCS / "_make" / "reference.py"))


def examples(page):
    """The text of all pycon blocks of a page, each kept at its line."""
    text = page.read_text(encoding="utf-8")
    kept = [""] * (text.count("\n") + 1)
    for block in re.finditer(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, block.start(1))
        for offset, content in enumerate(block.group(1).splitlines()):
            kept[line + offset] = content
    return "\n".join(kept)


@pytest.mark.parametrize(
    "page",
    [PAGES[0], *(pytest.param(page, marks=pytest.mark.further) for page in PAGES[1:])],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    output = []
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)


def test_the_readme_has_an_example():
    assert ">>>" in examples(ROOT / "README.md")


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_page_is_in_the_nav_and_on_the_first_page(page):
    name = page.relative_to(DOCS).as_posix()
    assert re.search(rf"[:-] {re.escape(name)}$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    if name != "index.md":
        assert f"({name})" in (DOCS / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_page_opens_with_what_the_reader_can_do_there(page):
    title, blank, opening = page.read_text(encoding="utf-8").splitlines()[:3]
    assert title.startswith("# ")
    assert not blank
    assert re.match(r"[A-Z`]\w", opening), opening


HOUSE_WORDS = re.compile(r"\b(doors?|rooms?|in silence|company|so many|is no (tree|metric))\b", re.IGNORECASE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_prose_has_the_words_of_users_and_not_of_the_house(page):
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert not HOUSE_WORDS.search(prose)


@pytest.mark.parametrize("module", [name.rpartition(".")[2] for name in REFERENCE["modules"]()])
def test_every_module_has_a_page_of_its_name(module):
    page = DOCS / ("faq.md" if module == "errors" else f"{module}.md")
    assert page.is_file()


@pytest.mark.further
def test_the_first_page_of_the_reference_lists_what_the_package_shows():
    rows = re.findall(r"^\| \[`dendrometry\.(\w+)`\]", REFERENCE["content"]("dendrometry"), re.MULTILINE)
    assert rows == dendrometry.__all__
    assert sorted([*rows, "__version__"]) == dir(dendrometry)


@pytest.mark.parametrize("module", REFERENCE["modules"]())
def test_a_module_shows_lists_and_describes_the_same_names(module):
    room = import_module(module)
    headings = re.findall(r"^ +heading: (\S+)$", REFERENCE["page"](module), re.MULTILINE)
    described = sorted(heading.rpartition(".")[2] for heading in headings)
    assert described == sorted(room.__all__) == [name for name in dir(room) if not name.startswith("__")]
    assert set(headings) <= {f"{place}.{name}" for place in ("dendrometry", module) for name in described}


@pytest.mark.parametrize("module", REFERENCE["modules"]())
def test_no_name_of_a_module_is_hidden_by_a_submodule(module):
    room = import_module(module)
    for name in room.__all__:
        if hasattr(room, "__path__") and find_spec(f"{module}.{name}") is not None:
            import_module(f"{module}.{name}")
        assert not isinstance(getattr(room, name), ModuleType)


@pytest.mark.further
def test_every_public_name_is_described_once_where_it_is_defined():
    pages = [REFERENCE["content"]("dendrometry"), *REFERENCE["pages"]().values()]
    entries = [e for page in pages for e in re.findall(r"^::: (\S+)\.(\w+)\n.*\n +heading: (\S+)$", page, re.MULTILINE)]
    described = [id(getattr(import_module(module), name)) for module, name, _ in entries]
    assert len(set(described)) == len(described)
    assert described == [id(REFERENCE["value"](heading)) for *_, heading in entries]
    public = [f"dendrometry.{name}" for name in dendrometry.__all__]
    public += [
        f"{module}.{name}"
        for module in REFERENCE["modules"]()
        for name in getattr(import_module(module), "__all__", ())
    ]
    assert {id(REFERENCE["value"](name)) for name in public if name not in REFERENCE["modules"]()} == set(described)


def test_the_picture_of_the_contraction_is_what_its_script_draws():
    script = runpy.run_path(str(DOCS / "_make" / "contraction.py"))
    assert script["PICTURE"].read_text(encoding="utf-8") == script["drawn"](), "run: python docs/_make/contraction.py"


def test_the_picture_of_the_contraction_counts_what_stages_counts():
    script = runpy.run_path(str(DOCS / "_make" / "contraction.py"))
    a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    drawn = list(zip(script["stages"](script["MERGES_A"]), script["stages"](script["MERGES_B"]), strict=True))
    together = script["n_together"]
    counted = [(together(x), together(y), together(x, y)) for x, y in drawn[2:0:-1]]
    series = stages(a, b)
    assert counted == list(zip(series.p.tolist(), series.q.tolist(), series.t.tolist(), strict=True))
