"""The page on hierarchies that people made, and the table of real trees: every number is one of a committed table."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dendrometry._studies import STUDIES
from dendrometry._studies.alike import FULL, RELABELLINGS, Estimate
from tests._studies.committed import committed, committed_text

DOCS = Path(__file__).parents[2] / "docs"
PAIRS = {
    "languages": [
        ("descent", "grammar, average"),
        ("descent", "place, average"),
        ("grammar, average", "place, average"),
    ],
    "diagnoses": [
        ("ICD-9", "ICD-10"),
        ("ICD-9", "CCS"),
        ("ICD-10", "CCS"),
        ("ICD-9", "CCSR"),
        ("ICD-10", "CCSR"),
        ("CCS", "CCSR"),
    ],
    "animals": [
        ("classification", f"{linkage}, range, ties 1") for linkage in ("average", "complete", "ward", "single")
    ],
    "words": [("WordNet", f"GloVe, {way}") for way in ("average", "ward", "bisect")],
}  # shown on the page; the other settings are in the tables
SHOWN = {"languages": 15, "diagnoses": 15, "animals": 10, "words": 15}  # rows of those moved most
SHORT = {"normalized_hierarchical_mutual_information": "hierarchical information"}


def page(name="world.md"):
    return (DOCS / name).read_text(encoding="utf-8")


def interval(value, low, high):
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def claim_lines(name):
    """Each claim with the setting that supports it most and the one that weakens it most."""
    for row in committed(name, "claims").itertuples():
        for_it, against = (
            f"{interval(getattr(row, f'{side}_margin'), getattr(row, f'{side}_low'), getattr(row, f'{side}_high'))}"
            f" by {shorter(getattr(row, side))}"
            for side in ("supports", "weakens")
        )
        yield f"| {row.claim} | {row.state} | {row.above_0} of {row.settings} | {for_it} | {against} |"


def shorter(setting):
    for name, short in SHORT.items():
        setting = setting.replace(name, short)
    return setting.replace("_", " ")


def alike_lines(name):
    """The adjusted values of the chosen pairs."""
    frame = committed(name, "alike").set_index(["first", "second", "measure"])
    measures = frame.index.get_level_values("measure").unique()
    yield f"| {' | '.join(['pair', *(shorter(measure) for measure in measures)])} |"
    for first, second in PAIRS[name]:
        rows = [frame.loc[(first, second, measure)] for measure in measures]
        yield f"| {first}: {second} | {' | '.join(interval(row.adjusted, row.low, row.high) for row in rows)} |"


def level_lines(name):
    """The agreement of the levels of the chosen pairs: of two classifications those of the same place."""
    frame = committed(name, "levels")
    for first, second in PAIRS[name]:
        rows = frame[(frame["first"] == first) & (frame.second == second)]
        if name == "diagnoses":
            order = {level: i for i, level in enumerate(dict.fromkeys(rows.level))}
            best = rows.loc[rows.groupby("level").adjusted_mutual_information.idxmax()]
            rows = best.sort_values("level", key=lambda column, order=order: column.map(order))
        for row in rows.itertuples():
            value = interval(row.adjusted_mutual_information, row.low, row.high)
            other = f"{second}, {row.level_of_second}" if name == "diagnoses" else second
            yield f"| {first}, {row.level} ({row.groups:,}) | {other} ({row.groups_of_second:,}) | {value} |"


def moved_lines(name):
    """The items moved most, with the range over the settings where there are several."""
    for row in committed(name, "moved").head(SHOWN[name]).itertuples():
        span = f" ({row.lowest:.2f} to {row.highest:.2f})" if row.settings > 1 else ""
        yield f"| {row.item} | {row.group} | {row.disagreement:.2f}{span} |"


def group_lines(name):
    """The groups of items moved most and least."""
    frame = committed(name, {"languages": "families", "diagnoses": "chapters", "animals": "classes"}[name])
    for row in pd.concat([frame.head(5), frame.tail(3)]).drop_duplicates().itertuples():
        span = f" ({row.lowest:.2f} to {row.highest:.2f})" if row.settings > 1 else ""
        yield f"| {row.group} | {row.items:,} | {row.disagreement:.2f}{span} |"


def field_lines(name):
    """The fields of words and the clusters that match them best."""
    for row in committed(name, "fields").itertuples():
        yield f"| {row.field} | {row.words:,} | {interval(row.f, row.lowest, row.highest)} | {row.by_chance:.2f} |"


def lines_of(name):
    parts = [claim_lines, alike_lines, level_lines, moved_lines, field_lines if name == "words" else group_lines]
    return {part.__name__: list(part(name)) for part in parts}


@pytest.mark.parametrize("name", PAIRS)
def test_every_row_of_the_page_is_one_of_the_committed_tables(name):
    section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", page(), re.MULTILINE | re.DOTALL).group(1)
    shown = [line for line in section.splitlines() if line.startswith("|") and not line.startswith("|--")]
    expected = [line for lines in lines_of(name).values() for line in lines]
    for line in expected:
        assert line in shown
    assert len(shown) == len(expected) + 4  # the heads of the other tables
    if name != "animals":  # whose numbers are those of the data that come with the package
        assert re.search(r"^[\d,]+ \w+", committed_text(name), re.MULTILINE).group(0) in section


def test_the_page_says_how_many_halves_and_relabellings_there_are():
    n_halves, n_permutations = FULL
    assert f"over {n_halves} random halves" in page()
    assert f"from {n_permutations} relabellings" in page()
    quantile = Estimate(0.0, np.arange(n_halves)).interval[1] / np.arange(n_halves).std(ddof=1)
    assert f"{quantile:.2f} times the standard deviation" in page()
    assert f"are means of {RELABELLINGS} random relabellings" in page()


@pytest.mark.parametrize("name", PAIRS)
def test_the_text_between_the_tables_has_no_numbers_but_those_of_the_data(name):
    section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", page(), re.MULTILINE | re.DOTALL).group(1)
    text = "\n".join(line for line in section.splitlines() if not line.startswith(("|", "!", "`")))
    allowed = set(re.findall(r"\d[\d,.]*\d|\d", committed_text(name) + STUDIES[name].meaning + STUDIES[name].source))
    allowed |= {
        "9",
        "10",
        "20",
        "1",
        "0",
        "3.1",
        "4.0",
        "5.2",
        "1.0",
        "2015",
        "100",
        "16",
        "26",
        "95",
    }  # names, versions, scales
    found = re.findall(r"\d[\d,.]*\d|\d", re.sub(r"\]\([^)]*\)", "", text))
    assert set(found) <= allowed


def choosing_lines():
    """The table of real trees on the page on choosing a measure."""
    frame = committed("sensitivity", "choosing")
    edits = list(frame.columns[2 : list(frame.columns).index("blind to")])
    for row in frame.to_dict("records"):
        losses = ["–" if pd.isna(row[edit]) else "0" if row[edit] == 0 else f"{row[edit]:.2f}" for edit in edits]
        alike = ("–", "–")
        if isinstance(row["ranks most like"], str):
            alike = tuple(f"`{row[f'ranks {side} like']}` {row[f'tau {side}']:.2f}" for side in ("most", "least"))
        yield f"| `{row['measure']}` | {' | '.join((*losses, *alike))} |"


def test_the_page_on_choosing_has_the_table_of_real_trees():
    shown = page("choosing.md").splitlines()
    for line in choosing_lines():
        assert line in shown
