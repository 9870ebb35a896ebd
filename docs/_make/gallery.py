"""The pages of the gallery: every script of ``docs/gallery`` is run, and shown with its picture and what it prints.

A script runs in a folder of its own that has ``docs/gallery/data`` as ``data``, without a screen. It saves one picture,
prints its answer, and may write pages of HTML.
"""

import ast
import shutil
import tempfile
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from runpy import run_path
from typing import NamedTuple

import matplotlib as mpl

GALLERY = Path(__file__).parents[1] / "gallery"
GROUPS = {
    "inputs": "From what you have to a tree",
    "trees": "Compare trees",
    "clusters": "Flat clusterings",
    "texts": "Texts",
    "taxonomies": "Taxonomies and predictions",
}


class Example(NamedTuple):
    """A script that has been run: ``name`` is its folder and stem, ``written`` holds the files it wrote by name."""

    name: str
    title: str
    text: str
    source: str
    output: str
    written: dict[str, bytes]

    @property
    def stem(self) -> str:
        """The name without the folder, which is also the folder of the files that the script wrote."""
        return Path(self.name).name

    def written_as(self, suffix: str) -> list[str]:
        """Return the files of one kind, as a page beside the script links to them."""
        return [f"{self.stem}/{name}" for name in self.written if name.endswith(suffix)]


def scripts() -> list[Path]:
    """Return all scripts, group by group."""
    return [path for group in GROUPS for path in sorted((GALLERY / group).glob("*.py"))]


def run(script: Path) -> Example:
    """Run a script, and return what it says, prints and writes."""
    from matplotlib import pyplot as plt

    source = script.read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, text = (ast.get_docstring(tree) or "").partition("\n\n")
    code = "".join(source.splitlines(keepends=True)[tree.body[0].end_lineno :]).lstrip("\n")
    output = StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), mpl.rc_context(), redirect_stdout(output):
        mpl.use("Agg")
        shutil.copytree(GALLERY / "data", "data")
        run_path(str(script), run_name="__main__")
        plt.close("all")
        written = {path.name: path.read_bytes() for path in sorted(Path().glob("*.*"))}
    return Example(f"{script.parent.name}/{script.stem}", title.rstrip("."), text, code, output.getvalue(), written)


def files(examples: list[Example]) -> dict[str, str | bytes]:
    """Return the page of each example and all that the examples wrote, by their places in the site."""
    pages = {f"gallery/{example.name}.md": page(example) for example in examples}
    written = {f"gallery/{e.name}/{name}": data for e in examples for name, data in e.written.items()}
    return {**pages, **written}


def page(example: Example) -> str:
    """Return the page of an example: what it is about, the picture, what is printed, the script."""
    pictures = [f"![{example.title}]({picture})" for picture in example.written_as(".png")]
    frames = [
        f'<iframe class="page" src="{name}" title="{example.title}"></iframe>\n\n[Open this page alone]({name})'
        for name in example.written_as(".html")
    ]
    printed = f"It prints:\n\n```text\n{example.output}```"
    script = f"The script, [{example.stem}.py]({example.stem}.py):\n\n```python\n{example.source}```"
    return "\n\n".join([f"# {example.title}", example.text, *pictures, printed, *frames, script]) + "\n"


def cards(examples: list[Example]) -> str:
    """Return the pictures of all examples with their titles, group by group, each a link to its page."""
    parts = []
    for group, heading in GROUPS.items():
        lines = [
            f"- [![]({group}/{e.written_as('.png')[0]})<br>{e.title}]({e.name}.md)"
            for e in examples
            if e.name.startswith(f"{group}/")
        ]
        parts.append("\n".join([f"## {heading}\n", '<div class="gallery" markdown>\n', *lines, "\n</div>\n"]))
    return "\n".join(parts)
