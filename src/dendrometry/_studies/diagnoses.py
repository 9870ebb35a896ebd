"""Diagnoses in four classifications: how alike ICD-9, ICD-10, CCS and CCSR are, at which level, and what moved."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._studies import alike
from dendrometry._studies.inputs.diagnoses import LEVELS, Diagnoses, planted_diagnoses
from dendrometry._studies.inputs.diagnoses import diagnoses as load
from dendrometry._studies.result import StudyResult
from dendrometry._typing import IntArray
from dendrometry.io.formats.paths import from_paths

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLE = "How alike are four classifications of diagnoses, at which level, and what moved most?"
_MOST = 25  # diagnoses in the table of those moved most
_SHOWN = 0.03  # least share of a chapter that is written into the figure
_OLD = (
    *("Infections", "Neoplasms", "Endocrine", "Blood", "Mental", "Nervous, senses", "Circulatory", "Respiratory"),
    *("Digestive", "Genitourinary", "Pregnancy", "Skin", "Musculoskeletal", "Congenital", "Perinatal", "Symptoms"),
    *("Injury", "Health status", "External causes"),
)  # the chapters of ICD-9, numbered from 1
_NEW = {
    "A00-B99": "Infections",
    "C00-D49": "Neoplasms",
    "D50-D89": "Blood, immune",
    "E00-E89": "Endocrine",
    "F01-F99": "Mental",
    "G00-G99": "Nervous",
    "H00-H59": "Eye",
    "H60-H95": "Ear",
    "I00-I99": "Circulatory",
    "J00-J99": "Respiratory",
    "K00-K95": "Digestive",
    "L00-L99": "Skin",
    "M00-M99": "Musculoskeletal",
    "N00-N99": "Genitourinary",
    "O00-O9A": "Pregnancy",
    "P00-P96": "Perinatal",
    "Q00-QA0": "Congenital",
    "R00-R99": "Symptoms",
    "S00-T88": "Injury",
    "V00-Y99": "External causes",
    "Z00-Z99": "Health status",
}


def diagnoses(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Compare four classifications of the diagnoses whose codes in ICD-9-CM and ICD-10-CM correspond one to one.

    The codes correspond if each is the only match of the other in both directions of the general equivalence mappings.
    CCS and CCSR are those of the ICD-10 code; of several CCSR categories of a code, the default for inpatients counts.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` has 120 diagnoses that are made up.

    Returns
    -------
    StudyResult
        Tables "claims", "alike" (measures adjusted for chance, with p-values and 95% intervals), "levels" (chapters and
        categories of one against those of another), "moved" (the diagnoses about which ICD-9 and ICD-10 disagree most)
        and "chapters"; figure "chapters".

    Raises
    ------
    InvalidInputError
        If the data cannot be fetched.

    Examples
    --------
    >>> from dendrometry._studies.diagnoses import diagnoses
    >>> diagnoses(quick=True)
    StudyResult(diagnoses: tables claims, alike, levels, moved, chapters; figures chapters)
    """
    source = random_generator(rng)
    data = planted_diagnoses(120, source) if quick else load()
    views = {name: _view(name, data) for name in LEVELS}
    pairs = list(combinations(views.values(), 2))
    found = alike.agree(pairs, *(alike.QUICK if quick else alike.FULL), source, progress)
    moved = {"ICD": alike.disagreement(views["ICD-9"], views["ICD-10"], source)}
    chapters = [_NEW.get(path[0], path[0]) for path in data.paths["ICD-10"]]
    titles = [f"{item}: {title}" for item, title in zip(data.items, data.titles, strict=True)]
    claims = _claims(found)
    tables = {
        "claims": alike.claims_table(claims),
        "alike": alike.measures_table(found),
        "levels": alike.levels_table(found),
        "moved": alike.moved_table(moved, titles, chapters, _MOST),
        "chapters": alike.groups_table(moved, chapters, 2),
    }
    notes = (_size(data), *alike.claim_notes(claims))
    return StudyResult("diagnoses", _TITLE, tables, notes, figures={"chapters": partial(_figure, data)})


def _size(data: Diagnoses) -> str:
    """Say how many diagnoses there are, and into how many classes each level divides them."""
    levels = []
    for name, of in LEVELS.items():
        numbers = [len({path[: j + 1] for path in data.paths[name]}) for j in range(len(of))]
        counts = ", ".join(f"{n:,} by {level}" for n, level in zip(numbers, of, strict=True))
        levels.append(f"{name} has {counts}")
    return f"{len(data.items):,} diagnoses; of classes, {'; '.join(levels)}."


def _view(name: str, data: Diagnoses) -> alike.View:
    """Return a classification of the diagnoses, with its levels."""
    paths = data.paths[name]
    levels = {level: _classes([path[: j + 1] for path in paths]) for j, level in enumerate(LEVELS[name])}
    return alike.View(name, from_paths(paths, data.items).without_unary(), levels)


def _classes(paths: Sequence[tuple[str, ...]]) -> IntArray:
    """Return the class of each diagnosis, numbered."""
    number = {path: i for i, path in enumerate(dict.fromkeys(paths))}
    return np.array([number[path] for path in paths])


def _claims(found: Sequence[alike.Agreement]) -> list[alike.Claim]:
    """Return what the study claims, with the margin for each measure."""
    of = {(one.first.name, one.second.name): one for one in found}

    def nearer(one: tuple[str, str], other: tuple[str, str]) -> dict[str, alike.Estimate]:
        return {m: of[one].measured(m) - of[other].measured(m) for m in alike.MEASURES_USED}

    icd = of["ICD-9", "ICD-10"]
    levels = [("chapter", "chapter"), ("category", "category")]
    return [
        alike.Claim("CCSR is nearer to ICD-10 than to ICD-9", nearer(("ICD-10", "CCSR"), ("ICD-9", "CCSR"))),
        alike.Claim("CCS is nearer to ICD-9 than to ICD-10", nearer(("ICD-9", "CCS"), ("ICD-10", "CCS"))),
        alike.Claim("CCS is nearer to CCSR than to ICD-10", nearer(("CCS", "CCSR"), ("ICD-10", "CCS"))),
        alike.Claim(
            "ICD-9 and ICD-10 agree more in their chapters than in their categories",
            {"adjusted_mutual_information": icd.at(*levels[0]) - icd.at(*levels[1])},
        ),
    ]


def _figure(data: Diagnoses) -> "Figure":
    """Draw where the diagnoses of each chapter of ICD-9 are in ICD-10, as shares of the chapter."""
    from matplotlib.figure import Figure

    old = [int(path[0]) - 1 if path[0].isdigit() else int(path[0][2:]) for path in data.paths["ICD-9"]]
    new_names = sorted({path[0] for path in data.paths["ICD-10"]})
    new = [new_names.index(path[0]) for path in data.paths["ICD-10"]]
    counts = np.zeros((max(old) + 1, len(new_names)))
    np.add.at(counts, (old, new), 1)
    share = counts / counts.sum(axis=1, keepdims=True)
    figure = Figure(figsize=(9.5, 7.0), layout="constrained")
    ax = figure.subplots()
    ax.imshow(share, cmap="Blues", vmin=0.0, vmax=1.2, aspect="auto")
    for i, j in np.argwhere(share >= _SHOWN).tolist():
        ax.text(
            j,
            i,
            f"{share[i, j]:.0%}",
            ha="center",
            va="center",
            fontsize=7,
            color="white" if share[i, j] > 0.7 else "black",
        )
    ax.set_xticks(
        range(len(new_names)), [_NEW.get(name, name) for name in new_names], rotation=45, ha="right", fontsize=8
    )
    sizes = counts.sum(axis=1).astype(int).tolist()
    ax.set_yticks(range(len(sizes)), [f"{name} ({n:,})" for name, n in zip(_OLD, sizes, strict=False)], fontsize=8)
    ax.set_xlabel("chapter of ICD-10-CM", fontsize=9)
    ax.set_ylabel("chapter of ICD-9-CM (diagnoses)", fontsize=9)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure
