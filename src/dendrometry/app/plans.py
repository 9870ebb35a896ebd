"""The commands of each task, with the files that they write, and the same in Python."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dendrometry.app import python_lines
from dendrometry.app.python_lines import Source
from dendrometry.app.reading import file_of, is_table, options_of
from dendrometry.errors import InvalidInputError


class Command(NamedTuple):
    """A command: its arguments, and the file that what it prints is written to, "" for none."""

    arguments: tuple[str, ...]
    printed_to: str = ""


class Plan(NamedTuple):
    """What a job does: its commands, the same in Python, and the files that it writes by what they are."""

    commands: tuple[Command, ...]
    python: str
    files: Mapping[str, str]


class Asked(NamedTuple):
    """What a job is asked for: files, options by name and as arguments, and names that no file has."""

    sources: Sequence[Source]
    options: Mapping[str, Any]
    given: Sequence[str]
    free: Callable[[str], str]


def _converted(asked: Asked) -> tuple[list[Command], list[str]]:
    """Return the commands that convert each file that is read in some way, and how the files are then named."""
    first, names = [], []
    for source in asked.sources:
        way = options_of(source.reading)
        name = asked.free(f"{source.name.partition('.')[0]}.json") if way else file_of(source)
        if way:
            first.append(Command(("convert", file_of(source), name, *way)))
        names.append(name)
    return first, names


def _read_alike(asked: Asked) -> tuple[list[Command], list[str], list[str]]:
    """Return the commands that come first, how the files are then named, and how they are then read.

    Options of a command are for all of its files. Where files are read in different ways, each that is read in some
    way is converted first.
    """
    ways = [options_of(source.reading) for source in asked.sources]
    told = [way for source, way in zip(asked.sources, ways, strict=True) if way or is_table(source)]
    if all(way == told[0] for way in told):
        return [], [file_of(source) for source in asked.sources], told[0] if told else []
    return *_converted(asked), []


def compare(asked: Asked) -> Plan:
    """Compare two trees."""
    first, names, how = _read_alike(asked)
    page, table, summary = map(asked.free, ("report.html", "measures.csv", "comparison.json"))
    given = [*how, *asked.given, "--report", page, "--out", table, "--json"]
    files = {"page": page, "table": table, "json": summary}
    python = python_lines.compare(asked.sources, asked.options, files)
    return Plan((*first, Command(("compare", *names, *given), summary)), python, files)


def diff(asked: Asked) -> Plan:
    """Tell what changed between two trees."""
    first, names, how = _read_alike(asked)
    page, table, summary = map(asked.free, ("changes.html", "items.csv", "changes.json"))
    given = [*how, *asked.given, "--report", page, "--out", table, "--json"]
    files = {"page": page, "table": table, "json": summary}
    python = python_lines.diff(asked.sources, asked.options, files)
    return Plan((*first, Command(("diff", *names, *given), summary)), python, files)


def taxonomy(asked: Asked) -> Plan:
    """Compare two taxonomies, concept by concept."""
    first, names = _converted(asked)
    page, table, summary = map(asked.free, ("concepts.html", "changes.csv", "taxonomy.json"))
    given = [*asked.given, "--report", page, "--out", table, "--json"]
    files = {"page": page, "table": table, "json": summary}
    python = python_lines.taxonomy(asked.sources, names, asked.options, files)
    return Plan((*first, Command(("taxonomy", *names, *given), summary)), python, files)


def predictions(asked: Asked) -> Plan:
    """Score predicted terms of a taxonomy."""
    first, (terms, truth, predicted) = _converted(asked)
    page, table, summary = map(asked.free, ("predictions.html", "scores.csv", "scores.json"))
    given = ["--taxonomy", terms, *asked.given, "--report", page, "--out", table, "--json"]
    files = {"page": page, "table": table, "json": summary}
    python = python_lines.predictions(asked.sources, asked.options, files)
    return Plan((*first, Command(("predictions", truth, predicted, *given), summary)), python, files)


def cluster(asked: Asked) -> Plan:
    """Build a tree from points."""
    (points,) = asked.sources
    tree, picture, table, summary = map(asked.free, ("tree.nwk", "tree.svg", "tree.csv", "cluster.json"))
    given = [*options_of(points.reading), *asked.given, "--out", tree, "--json"]
    commands = (
        Command(("cluster", points.name, *given), summary),
        Command(("convert", tree, table)),
        Command(("plot", "dendrogram", tree, "--top", "40", "--out", picture)),
    )
    files = {"picture": picture, "tree": tree, "table": table, "json": summary}
    return Plan(commands, python_lines.cluster(points, asked.options, files), files)


def choose(asked: Asked) -> Plan:
    """Find how many clusters points have."""
    (points,) = asked.sources
    picture, table, summary = map(asked.free, ("choice.svg", "choice.csv", "choice.json"))
    given = [*options_of(points.reading), *asked.given, "--out", picture, "--out", table, "--json"]
    files = {"picture": picture, "table": table, "json": summary}
    command = Command(("choose", points.name, *given), summary)
    return Plan((command,), python_lines.choose(points, asked.options, files), files)


def stability(asked: Asked) -> Plan:
    """Find which clusters come back when the data are drawn again."""
    (points,) = asked.sources
    page, table, tree, summary = map(asked.free, ("stability.html", "clusters.csv", "support.nwk", "stability.json"))
    outs = [part for name in (page, table, tree) for part in ("--out", name)]
    given = [*options_of(points.reading), *asked.given, *outs, "--json"]
    files = {"page": page, "table": table, "tree": tree, "json": summary}
    command = Command(("stability", points.name, *given), summary)
    return Plan((command,), python_lines.stability(points, asked.options, files), files)


def splits(asked: Asked) -> Plan:
    """Find which splits of a tree are of two groups."""
    (points,) = asked.sources
    page, table, groups, summary = map(asked.free, ("splits.html", "splits.csv", "groups.csv", "splits.json"))
    given = [*options_of(points.reading), *asked.given, "--out", page, "--out", table, "--clusters", groups, "--json"]
    files = {"page": page, "table": table, "groups": groups, "json": summary}
    command = Command(("splits", points.name, *given), summary)
    return Plan((command,), python_lines.splits(points, asked.options, files), files)


def matrix(asked: Asked) -> Plan:
    """Compare each of several trees with each."""
    first, names, how = _read_alike(asked)
    page, table = map(asked.free, ("trees.html", "matrix.csv"))
    given = [*how, *asked.given, "--report", page, "--out", table]
    files = {"page": page, "table": table}
    python = python_lines.matrix(asked.sources, asked.options, files)
    return Plan((*first, Command(("matrix", *names, *given))), python, files)


def consensus(asked: Asked) -> Plan:
    """Find the clusters that most of several trees share."""
    first, names, how = _read_alike(asked)
    tree, table, picture, summary = map(
        asked.free, ("consensus.nwk", "consensus.csv", "consensus.svg", "consensus.json")
    )
    commands = (
        *first,
        Command(("consensus", *names, *how, *asked.given, "--out", tree, "--json"), summary),
        Command(("convert", tree, table)),
        Command(("plot", "dendrogram", tree, "--out", picture)),
    )
    files = {"picture": picture, "tree": tree, "table": table, "json": summary}
    return Plan(commands, python_lines.consensus(asked.sources, asked.options, files), files)


def documents(asked: Asked) -> Plan:
    """Build a labelled tree of texts, and a page to browse it."""
    texts = asked.sources[0].name if is_table(asked.sources[0]) else "."
    if len(asked.sources) > 1 and any(map(is_table, asked.sources)):
        raise InvalidInputError("texts must be one table, or files of one text each")
    page, tree, table = map(asked.free, ("documents.html", "tree.json", "tree.csv"))
    columns = [
        part for name in ("text", "title") if name in asked.options for part in (f"--{name}", asked.options[name])
    ]
    commands = (
        Command(("documents", texts, *asked.given, "--out", tree)),
        Command(("convert", tree, table)),
        Command(("browse", tree, "--texts", texts, *columns, "--out", page)),
    )
    files = {"page": page, "tree": tree, "table": table}
    return Plan(commands, python_lines.documents(texts, asked.options, files), files)
