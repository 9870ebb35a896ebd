"""The tables of full runs that are committed with the docs, and whether a run gives them again."""

import os
from pathlib import Path

import pandas as pd
import pytest

_RESULTS = Path(__file__).parents[2] / "docs" / "results"


def committed(study, table):
    """A table of the full run that is shown in the docs, numbers with six significant digits."""
    return pd.read_csv(_RESULTS / f"{study}-{table}.csv", true_values=["yes"], false_values=["no"])


def committed_text(study):
    """What the command prints, as shown in the docs."""
    return (_RESULTS / f"{study}.txt").read_text(encoding="utf-8")


def assert_as_committed(result, rtol=1e-5, without=()):
    """Compare all tables of a full run, but for times, and what its notes say, with those of the docs."""
    tables = {**result.tables, **({"comparison": result.comparison()} if result.printed else {})}
    for name in tables.keys() - set(without):
        pd.testing.assert_frame_equal(
            tables[name].to_frame(), committed(result.name, name), check_dtype=False, rtol=rtol, atol=1e-9, obj=name
        )
    text = committed_text(result.name)
    for note in result.notes:
        assert note in text


def reuters_21578():
    """The user's copy of Reuters-21578, a folder or an archive; the test is skipped where there is none."""
    path = os.environ.get("DENDROMETRY_REUTERS")
    if path is None:
        pytest.skip(
            "needs a copy of Reuters-21578, which may not be passed on: DENDROMETRY_REUTERS names the path of one"
        )
    return path
