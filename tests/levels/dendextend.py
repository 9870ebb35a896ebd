"""Two trees of R's USArrests, and what dendextend says of them: see ``data/dendextend.R``."""

import csv
from pathlib import Path

import numpy as np

from dendrometry import Hierarchy, from_hclust

DATA = Path(__file__).parent / "data"


def recorded(name: str) -> dict[str, np.ndarray]:
    """A table as its columns."""
    with (DATA / name).open() as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([row[key] for row in rows], dtype=float) for key in rows[0]}


def trees_of_arrests() -> list[Hierarchy]:
    """Average and complete linkage."""
    trees = recorded("dendextend_trees.csv")
    return [from_hclust(np.column_stack([trees[f"left_{x}"], trees[f"right_{x}"]]), trees[f"height_{x}"]) for x in "ab"]
