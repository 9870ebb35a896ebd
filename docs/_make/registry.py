"""Write what the registries of measures say into the pages: ``python docs/_make/registry.py``.

A page marks the places with ``<!-- registry: NAME -->`` and ``<!-- end -->``, where NAME is a measure, or one of the
tables below; on a single line, it is one of the numbers and lists below. What stands between is replaced. The tests
fail where a page and the registries differ. The README is a page too.
"""

import re
from collections.abc import Callable
from pathlib import Path

from dendrometry.cluster import LINKAGES
from dendrometry.measures import MEASURES, PARTITION_MEASURES, TREE_MEASURES, Measure
from dendrometry.measures.other_names import OTHER_NAMES

DOCS = Path(__file__).parents[1]
PAGES = [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]
PLACE = re.compile(r"(<!-- registry: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
WORDS = re.compile(r"(<!-- registry: (\w+) -->)(?!\n).*?(<!-- end -->)")


def filled(text: str) -> str:
    """Return a page with every marked place as the registries have it."""
    text = WORDS.sub(lambda place: f"{place[1]}{FACTS[place[2]]()}{place[3]}", text)
    return PLACE.sub(lambda place: f"{place[1]}\n{_content(place[2])}\n{place[3]}", text)


def _content(name: str) -> str:
    if name in TABLES:
        return TABLES[name]()
    return _section(MEASURES[name])


def _section(measure: Measure) -> str:
    """Return what holds for one measure: what it says, formula, range, chance and source."""
    meaning = measure.describe()
    meaning = meaning[0].upper() + meaning[1:]
    facts = f"- Range: {_range(measure)}.\n- By chance: {measure.chance}.\n- Source: {_source(measure)}.\n"
    if measure.aliases:
        facts += f"- Also called: {', '.join(measure.aliases)}.\n"
    return f"{meaning}.\n\n```text\n{measure.formula}\n```\n\n{facts}"


def _source(measure: Measure) -> str:
    """Return the source, with a link if it has a DOI."""
    doi = re.search(r"doi = \{(.*)\}", measure.bibtex)
    return f"{measure.source}, [doi:{doi[1]}](https://doi.org/{doi[1]})" if doi else measure.source


def _range(measure: Measure) -> str:
    """Return the range, which end is more alike, and the value of a thing with itself."""
    if measure.better == "neither":
        return f"{measure.span}; neither end is more alike"
    return f"{measure.span}; {measure.better} is more alike, {measure.identical:g} if identical"


def _table(head: str, rows: list[list[str]]) -> str:
    columns = head.split(", ")
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _yes(claim: bool) -> str:
    return "yes" if claim else "no"


def _chance(measure: Measure) -> str:
    """Return in a word what is known of the value by chance."""
    if not measure.expects:
        return "no formula"
    return "0" if measure.chance.startswith("0,") else "exact"


def _hierarchies() -> str:
    """Return the table of all measures of two hierarchies."""
    return _table(
        "measure, symbol, range, more alike, by chance, symmetric, triangle, heights, source",
        [
            [
                f"[`{m.name}`](measures.md#{m.name})",
                m.symbol,
                m.span,
                m.better,
                _chance(m),
                _yes(m.symmetric),
                _yes(m.triangle),
                "needed" if m.needs_heights else "not used",
                m.source,
            ]
            for m in map(MEASURES.__getitem__, TREE_MEASURES)
        ],
    )


def _partitions() -> str:
    """Return the table of all measures of two partitions."""
    return _table(
        "measure, what it says, range, more alike",
        [
            [f"[`{m.name}`](measures.md#{m.name})", m.describe(), m.span, m.better]
            for m in map(MEASURES.__getitem__, PARTITION_MEASURES)
        ],
    )


def _unrooted() -> str:
    """Return the table of the measures that have a meaning without a root."""
    measures = [measure for measure in map(MEASURES.__getitem__, TREE_MEASURES) if measure.unrooted]
    return _table(
        "measure, what it says of two unrooted trees, range, more alike, by chance",
        [
            [
                f"[`{m.name}`](measures.md#{m.name})",
                m.describe(unrooted=True),
                (m.unrooted and m.unrooted.reached) or m.span,
                m.better,
                _chance(m),
            ]
            for m in measures
        ],
    )


def _linkages() -> str:
    """Return the table of the other names of linkages."""
    return _table(
        "term, here",
        [
            [_bold(rule.aliases), f'`linkage="{name}"`: {rule.summary.partition(" (")[0]}.']
            for name, rule in LINKAGES.items()
            if rule.aliases
        ],
    )


def _other_names() -> str:
    """Return the table of names that stand for something other than a measure or a linkage, in the order of names."""
    rows = sorted(OTHER_NAMES, key=lambda row: row.names[0].casefold())
    return _table(
        "term, here",
        [
            [
                _bold(row.names),
                f"{'' if row.is_here else 'Not in this package; the nearest: '}`{row.call}`: {row.meaning}.",
            ]
            for row in rows
        ],
    )


def _bold(names: tuple[str, ...]) -> str:
    """Return names as text."""
    return ", ".join(f"**{name}**" for name in names).replace("_", r"\_")


TABLES: dict[str, Callable[[], str]] = {
    "hierarchies": _hierarchies,
    "partitions": _partitions,
    "unrooted": _unrooted,
    "linkages": _linkages,
    "other_names": _other_names,
}

EXACT = [measure for measure in MEASURES.values() if measure.expects]


def _in_words(names: list[str]) -> str:
    """Return names of measures as text, each a link to its section."""
    links = [f"[`{name}`](measures.md#{name})" for name in names]
    return f"{', '.join(links[:-1])} and {links[-1]}"


FACTS: dict[str, Callable[[], str]] = {
    "n_measures": lambda: str(len(MEASURES)),
    "n_tree_measures": lambda: str(len(TREE_MEASURES)),
    "n_partition_measures": lambda: str(len(PARTITION_MEASURES)),
    "n_exact": lambda: str(len(EXACT)),
    "without_exact": lambda: _in_words([name for name, measure in MEASURES.items() if not measure.expects]),
    "roots": lambda: _in_words([measure.name for measure in EXACT if measure.is_root]),
    "n_quick": lambda: str(sum("O(n log n) time" in (MEASURES[name].call.__doc__ or "") for name in TREE_MEASURES)),
}


if __name__ == "__main__":
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(filled(text), encoding="utf-8")
