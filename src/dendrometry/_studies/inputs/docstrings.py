"""The docstrings of installed packages as documents, with the modules they come from as topics."""

import ast
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from dendrometry._extras import require
from dendrometry.datasets.corpora import Corpus
from dendrometry.io.formats.paths import from_paths

_PACKAGES = {
    "matplotlib": "plot",
    "networkx": "graph",
    "numpy": None,
    "pandas": "tables",
    "scipy": None,
    "sklearn": "text",
}
_LEFT_OUT = frozenset({"tests", "testing", "externals", "_vendor"})


def docstrings() -> Corpus:
    """Return the docstrings of public functions and classes of six packages; nothing of these is executed.

    The topic of a docstring is its package and the first module below that, such as ``scipy.stats``.
    """
    found: dict[str, tuple[str, str]] = {}
    for package, extra in _PACKAGES.items():
        require(package, extra=extra, for_="this study")
        spec = find_spec(package)
        for folder in () if spec is None else spec.submodule_search_locations or ():
            for file in sorted(Path(folder).rglob("*.py")):
                found |= _of_file(package, file, file.relative_to(folder).with_suffix("").parts)
    items, (labels, texts) = tuple(found), zip(*found.values(), strict=True)
    return Corpus(items, texts, labels, from_paths(list(labels), items, sep="."))


def versions() -> str:
    """Return the packages with their versions."""
    names = ("scikit-learn" if package == "sklearn" else package for package in _PACKAGES)
    return ", ".join(f"{name} {version(name)}" for name in names)


def _of_file(package: str, file: Path, parts: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Return the topic and the docstring of each public function and class of a file."""
    where = [part for part in parts if part != "__init__"]
    if not where or _LEFT_OUT.intersection(parts) or any(part.startswith("test_") for part in parts):
        return {}
    topic = f"{package}.{where[0].lstrip('_')}"
    found = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            text = ast.get_docstring(node)
            if text:
                found[".".join((package, *where, node.name))] = (topic, text)
    return found
