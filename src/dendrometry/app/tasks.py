"""What can be asked for: each task as commands of the command line, with the files that they write."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dendrometry.app import python_lines
from dendrometry.app.names import free_name
from dendrometry.app.python_lines import Source
from dendrometry.app.schema import Schema, require
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.format_names import ENDINGS


class Command(NamedTuple):
    """A command: its arguments, and the file that what it prints is written to, "" for none."""

    arguments: tuple[str, ...]
    printed_to: str = ""


class Plan(NamedTuple):
    """What a job does: its commands, the same in Python, and the files that it writes by what they are."""

    commands: tuple[Command, ...]
    python: str
    files: Mapping[str, str]


class Option(NamedTuple):
    """An option of a task: what it may be, its sentence, and the option or the switches of the command."""

    schema: Schema
    says: str
    flag: str | Mapping[str, str]


class Task(NamedTuple):
    """Something that can be asked for; ``inputs`` are "tree", "points" or "texts"."""

    title: str
    inputs: str
    fewest: int
    most: int
    options: Mapping[str, Option]
    plan: Callable[[Sequence[Source], Mapping[str, Any], Callable[[str], str]], Plan]


_TEXT: Schema = {"type": "string", "maxLength": 1000}
_READING: dict[str, tuple[Schema, str, str]] = {
    "format": ({"type": "string", "enum": list(ENDINGS)}, "--format", "The format, if the name does not tell it."),
    "item": (_TEXT, "--items", "The column that names the items."),
    "path_column": (_TEXT, "--path-column", "The column of paths."),
    "sep": (_TEXT, "--sep", "The separator of paths."),
    "levels": (
        {"type": "array", "items": _TEXT, "maxItems": 100},
        "--levels",
        "The columns that are levels, from the top down.",
    ),
    "missing": ({"type": "string", "enum": ["refuse", "skip_rank", "own_node"]}, "--missing", "If a rank is missing."),
    "repeats": ({"type": "string", "enum": ["refuse", "split"]}, "--repeats", "If a name lies in several groups."),
    "noise": ({"type": "string", "enum": ["label", "singletons", "drop"]}, "--noise", "What the label -1 means."),
    "exact_heights": ({"type": "boolean"}, "--exact-heights", "Whether all digits of lengths are exact."),
    "missing_lengths": (
        {"type": "string", "enum": ["error", "zero", "no_heights"]},
        "--missing-lengths",
        "If only some branches have lengths.",
    ),
    "parents": ({"type": "string", "enum": ["error", "first", "longest"]}, "--parents", "If a term has several."),
    "tree": ({"type": "string", "maxLength": 200}, "", "Which tree of the file: its number or name."),
}
READING: Schema = {
    "type": "object",
    "description": "How a file is read: arguments of dendrometry.read().",
    "properties": {name: {**schema, "description": says} for name, (schema, _, says) in _READING.items()},
}


def make_plan(task: str, sources: Sequence[Source], options: Mapping[str, Any]) -> Plan:
    """Return what a job does; raise an error for an unknown option, or one that is not as it must be."""
    wanted = TASKS[task]
    if not wanted.fewest <= len(sources) <= wanted.most:
        number = f"{wanted.fewest}" if wanted.fewest == wanted.most else f"{wanted.fewest} to {wanted.most:,}"
        raise InvalidInputError(f"{task} takes {number} file{'s' * (number != '1')}; got {len(sources)}")
    require(dict(options), options_schema(task), task)
    for source in sources:
        require(dict(source.reading), READING, source.name)
    taken = {source.name for source in sources}
    return wanted.plan(sources, options, lambda name: free_name(name, taken))


def options_schema(task: str) -> Schema:
    """Return what the options of a task must be."""
    options = TASKS[task].options
    return {
        "type": "object",
        "properties": {name: {**one.schema, "description": one.says} for name, one in options.items()},
    }


def _given(task: str, options: Mapping[str, Any]) -> list[str]:
    """Return options as arguments of the command."""
    given: list[str] = []
    for name, value in options.items():
        flag = TASKS[task].options[name].flag
        if isinstance(flag, Mapping):
            given += [flag[value]] if flag[value] else []
        else:
            given += [flag] * value if isinstance(value, bool) else [flag, str(value)]
    return given


def _how(reading: Mapping[str, Any]) -> list[str]:
    """Return how a file is read as arguments of the command."""
    given: list[str] = []
    for name, value in reading.items():
        flag = _READING[name][1]
        if isinstance(value, bool):
            given += [flag] * value
        elif flag:
            given += [part for one in (value if isinstance(value, list) else [value]) for part in (flag, str(one))]
    return given


def _file(source: Source) -> str:
    """Return how a command names a file, or one of its trees."""
    return f"{source.name}:{source.reading['tree']}" if "tree" in source.reading else source.name


def _read_alike(sources: Sequence[Source], free: Callable[[str], str]) -> tuple[list[Command], list[str], list[str]]:
    """Return the commands that come first, how the files are then named, and how they are then read.

    Options of a command are for all of its files. Where files are read in different ways, each that is read in some
    way is converted first.
    """
    ways = [_how(source.reading) for source in sources]
    told = [way for source, way in zip(sources, ways, strict=True) if way or _is_table(source)]
    if all(way == told[0] for way in told):
        return [], [_file(source) for source in sources], told[0] if told else []
    first, names = [], []
    for source, way in zip(sources, ways, strict=True):
        name = free(f"{source.name.partition('.')[0]}.json") if way else _file(source)
        if way:
            first.append(Command(("convert", _file(source), name, *way)))
        names.append(name)
    return first, names, []


def _is_table(source: Source) -> bool:
    """Whether options about columns would say something about a file."""
    bare = source.name.lower().removesuffix(".gz")
    return bare.endswith((".csv", ".tsv", ".parquet", ".xlsx", ".xlsm", ".h5ad"))


def _compare(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    first, names, how = _read_alike(sources, free)
    page, table, summary = free("report.html"), free("measures.csv"), free("comparison.json")
    given = [*how, *_given("compare", options), "--report", page, "--out", table, "--json"]
    command = Command(("compare", *names, *given), summary)
    files = {"page": page, "table": table, "json": summary}
    return Plan((*first, command), python_lines.compare(sources, options, files), files)


def _diff(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    first, names, how = _read_alike(sources, free)
    page, table, summary = free("changes.html"), free("items.csv"), free("changes.json")
    given = [*how, *_given("diff", options), "--report", page, "--out", table, "--json"]
    files = {"page": page, "table": table, "json": summary}
    return Plan((*first, Command(("diff", *names, *given), summary)), python_lines.diff(sources, options, files), files)


def _cluster(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    (points,) = sources
    tree, picture, table, summary = free("tree.nwk"), free("tree.svg"), free("tree.csv"), free("cluster.json")
    given = [*_how(points.reading), *_given("cluster", options), "--out", tree, "--json"]
    commands = (
        Command(("cluster", points.name, *given), summary),
        Command(("convert", tree, table)),
        Command(("plot", "dendrogram", tree, "--top", "40", "--out", picture)),
    )
    files = {"picture": picture, "tree": tree, "table": table, "json": summary}
    return Plan(commands, python_lines.cluster(points, options, files), files)


def _choose(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    (points,) = sources
    picture, table, summary = free("choice.svg"), free("choice.csv"), free("choice.json")
    given = [*_how(points.reading), *_given("choose", options), "--out", picture, "--out", table, "--json"]
    files = {"picture": picture, "table": table, "json": summary}
    return Plan(
        (Command(("choose", points.name, *given), summary),), python_lines.choose(points, options, files), files
    )


def _stability(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    (points,) = sources
    page, table, tree, summary = (
        free("stability.html"),
        free("clusters.csv"),
        free("support.nwk"),
        free("stability.json"),
    )
    outs = [part for name in (page, table, tree) for part in ("--out", name)]
    given = [*_how(points.reading), *_given("stability", options), *outs, "--json"]
    files = {"page": page, "table": table, "tree": tree, "json": summary}
    return Plan(
        (Command(("stability", points.name, *given), summary),), python_lines.stability(points, options, files), files
    )


def _matrix(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    first, names, how = _read_alike(sources, free)
    page, table = free("trees.html"), free("matrix.csv")
    given = [*how, *_given("matrix", options), "--report", page, "--out", table]
    files = {"page": page, "table": table}
    return Plan((*first, Command(("matrix", *names, *given))), python_lines.matrix(sources, options, files), files)


def _consensus(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    first, names, how = _read_alike(sources, free)
    tree, table, picture, summary = (
        free("consensus.nwk"),
        free("consensus.csv"),
        free("consensus.svg"),
        free("consensus.json"),
    )
    commands = (
        *first,
        Command(("consensus", *names, *how, *_given("consensus", options), "--out", tree, "--json"), summary),
        Command(("convert", tree, table)),
        Command(("plot", "dendrogram", tree, "--out", picture)),
    )
    files = {"picture": picture, "tree": tree, "table": table, "json": summary}
    return Plan(commands, python_lines.consensus(sources, options, files), files)


def _documents(sources: Sequence[Source], options: Mapping[str, Any], free: Callable[[str], str]) -> Plan:
    texts = sources[0].name if _is_table(sources[0]) else "."
    if len(sources) > 1 and any(map(_is_table, sources)):
        raise InvalidInputError("texts must be one table, or files of one text each")
    page, tree, table = free("documents.html"), free("tree.json"), free("tree.csv")
    columns = {name: value for name, value in options.items() if name in ("text", "title")}
    titled = _given("documents", columns)
    commands = (
        Command(("documents", texts, *_given("documents", options), "--out", tree)),
        Command(("convert", tree, table)),
        Command(("browse", tree, "--texts", texts, *titled, "--out", page)),
    )
    files = {"page": page, "tree": tree, "table": table}
    return Plan(commands, python_lines.documents(texts, options, files), files)


_MATCH_NAMES = Option(
    {"type": "string", "enum": ["exact", "loose"]},
    "How names of items are matched; loose ignores case, underscores and spaces.",
    "--match-names",
)
_LINKAGE = Option(
    {"type": "string", "enum": ["ward", "average", "complete", "single", "weighted", "centroid", "median"]},
    "How the distance of two clusters is defined.",
    "--linkage",
)
_METRIC = Option(
    {"type": "string", "enum": ["euclidean", "cosine", "cityblock", "correlation"]},
    "How the distance of two items is defined.",
    "--metric",
)
_MOST_CLUSTERS = Option(
    {"type": "integer", "minimum": 2, "maximum": 1000}, "The largest number of clusters.", "--max-clusters"
)
_SEED = Option({"type": "integer", "minimum": 0, "maximum": 2**31}, "The seed of random numbers.", "--seed")

TASKS: dict[str, Task] = {
    "compare": Task(
        "Compare two trees",
        "tree",
        2,
        2,
        {
            "on_mismatch": Option(
                {"type": "string", "enum": ["error", "intersect", "intersect_any"]},
                "If the trees do not hold the same items: refuse, or compare the common ones; intersect needs half of"
                " each.",
                {"error": "", "intersect": "--intersect", "intersect_any": "--intersect-any"},
            ),
            "match_names": _MATCH_NAMES,
            "n_permutations": Option(
                {"type": "integer", "minimum": 0, "maximum": 9999},
                "Number of random relabellings for each test, of every measure; by default only the verdict's measure"
                " is tested.",
                "--permutations",
            ),
        },
        _compare,
    ),
    "diff": Task("What changed between two versions", "tree", 2, 2, {"match_names": _MATCH_NAMES}, _diff),
    "cluster": Task("Build a tree from points", "points", 1, 1, {"linkage": _LINKAGE, "metric": _METRIC}, _cluster),
    "choose": Task(
        "How many clusters points have",
        "points",
        1,
        1,
        {"linkage": _LINKAGE, "metric": _METRIC, "max_clusters": _MOST_CLUSTERS},
        _choose,
    ),
    "stability": Task(
        "Which clusters come back when the data are drawn again",
        "points",
        1,
        1,
        {
            "linkage": _LINKAGE,
            "metric": _METRIC,
            "n_replicates": Option(
                {"type": "integer", "minimum": 6, "maximum": 10_000}, "How often the data are drawn.", "--replicates"
            ),
            "max_clusters": _MOST_CLUSTERS,
            "seed": _SEED,
        },
        _stability,
    ),
    "matrix": Task("Several trees, each with each", "tree", 2, 200, {}, _matrix),
    "consensus": Task(
        "The clusters that most of several trees share",
        "tree",
        2,
        200,
        {
            "threshold": Option(
                {"type": "number", "minimum": 0.5, "maximum": 1},
                "Clusters must occur in more than this share of the trees.",
                "--threshold",
            )
        },
        _consensus,
    ),
    "documents": Task(
        "A tree of texts",
        "texts",
        1,
        5000,
        {
            "text": Option(_TEXT, "The column of a table with the texts.", "--text"),
            "title": Option(_TEXT, "The column of a table with the titles.", "--title"),
            "method": Option(
                {"type": "string", "enum": ["bisect", "buckshot", "group_average"]},
                "How the tree is built.",
                "--method",
            ),
        },
        _documents,
    ),
}
