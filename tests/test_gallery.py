"""Every script of the gallery runs, draws one picture and prints its answer."""

import runpy
from io import BytesIO
from pathlib import Path

import pytest
from matplotlib import pyplot as plt

GALLERY = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "_make" / "gallery.py"))
SCRIPTS = GALLERY["scripts"]()


@pytest.mark.slow  # make docs runs them too
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_draws_a_picture_and_prints_its_answer(script):
    example = GALLERY["run"](script)
    assert example.title
    assert example.text.startswith("You have ")
    assert "You get" in example.text
    assert 1 <= len(example.output.splitlines()) <= 4
    (picture,) = (data for name, data in example.written.items() if name.endswith(".png"))
    pixels = plt.imread(BytesIO(picture))
    assert pixels.shape[1] >= 900
    assert pixels.std() > 0.03
    page = GALLERY["page"](example)
    assert page.startswith(f"# {example.title}\n")
    assert example.source in page
    assert example.output in page
    assert all(f"]({link})" in page for link in example.written_as(""))


def test_every_script_is_in_a_group_and_short():
    folder = GALLERY["GALLERY"]
    assert set(SCRIPTS) == set(folder.glob("**/*.py"))
    assert all(10 <= len(script.read_text(encoding="utf-8").splitlines()) <= 32 for script in SCRIPTS)


def test_running_a_script_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    GALLERY["run"](SCRIPTS[0])
    assert Path.cwd() == tmp_path
    assert not list(tmp_path.iterdir())
    assert not plt.get_fignums()


def test_the_first_page_shows_every_example():
    examples = [
        GALLERY["Example"](f"{group}/one", f"Title of {group}", "", "", "", {"a.png": b"", "b.html": b""})
        for group in GALLERY["GROUPS"]
    ]
    cards = GALLERY["cards"](examples)
    for group, heading in GALLERY["GROUPS"].items():
        assert f"## {heading}\n" in cards
        assert f"- [![]({group}/one/a.png)<br>Title of {group}]({group}/one.md)" in cards
    assert f"{next(iter(GALLERY['GROUPS']))}/one/b.html" in "".join(GALLERY["files"](examples))
