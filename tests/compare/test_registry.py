"""The table of measures in the docs says what the registry says."""

from pathlib import Path

import dendrometry as dm

PAGE = Path(__file__).parents[2] / "docs" / "measures.md"


def test_the_table_in_the_docs_is_the_registry():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{m.name}` | {m.symbol} | {m.lower:g} to {m.upper:g} | {m.better} | {'yes' if m.symmetric else 'no'}"
        f" | {'yes' if m.triangle else 'no'} | {'needed' if m.needs_heights else 'not used'} | {m.source} |"
        for m in dm.MEASURES.values()
    ]
