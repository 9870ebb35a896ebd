"""What can be asked for: each task with its files and options, which `plans.py` makes commands of."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dendrometry.app import plans
from dendrometry.app.names import free_name
from dendrometry.app.plans import Asked, Plan
from dendrometry.app.python_lines import Source
from dendrometry.app.reading import READING, TEXT
from dendrometry.app.schema import Schema, require
from dendrometry.errors import InvalidInputError


class Option(NamedTuple):
    """An option of a task: what it may be, its sentence, and the option or the switches of the command."""

    schema: Schema
    says: str
    flag: str | Mapping[str, str]


class Task(NamedTuple):
    """Something that can be asked for; ``inputs`` is what `inspect` calls its files."""

    title: str
    inputs: str
    fewest: int
    most: int
    options: Mapping[str, Option]
    plan: Callable[[Asked], Plan]


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
    return wanted.plan(Asked(sources, options, _given(task, options), lambda name: free_name(name, taken)))


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
        plans.compare,
    ),
    "diff": Task("What changed between two versions", "tree", 2, 2, {"match_names": _MATCH_NAMES}, plans.diff),
    "taxonomy": Task(
        "Two taxonomies, concept by concept",
        "taxonomies",
        2,
        2,
        {
            "by": Option(
                {"type": "string", "enum": ["terms", "names"]},
                "What concepts are matched by: their identifiers, or their names.",
                "--by",
            ),
            "match_names": _MATCH_NAMES,
        },
        plans.taxonomy,
    ),
    "predictions": Task(
        "Predictions against a taxonomy",
        "predictions",
        3,
        3,
        {
            "below": Option(TEXT, "Score this term and those below it only.", "--below"),
            "unknown": Option(
                {"type": "string", "enum": ["error", "leave_out"]},
                "What to do about labels that are no terms, and about predicted items without truth: refuse, or leave"
                " them out and count them.",
                "--unknown",
            ),
            "information": Option(
                {"type": "string", "enum": ["annotations", "intrinsic"]},
                "What the weights of terms are based on: the true labels, or the taxonomy alone.",
                "--information",
            ),
        },
        plans.predictions,
    ),
    "cluster": Task(
        "Build a tree from points", "points", 1, 1, {"linkage": _LINKAGE, "metric": _METRIC}, plans.cluster
    ),
    "choose": Task(
        "How many clusters points have",
        "points",
        1,
        1,
        {"linkage": _LINKAGE, "metric": _METRIC, "max_clusters": _MOST_CLUSTERS},
        plans.choose,
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
        plans.stability,
    ),
    "splits": Task(
        "Which splits of the tree are real",
        "points",
        1,
        1,
        {
            "linkage": Option(
                {"type": "string", "enum": ["ward", "average", "complete", "single"]}, _LINKAGE.says, _LINKAGE.flag
            ),
            "metric": Option({"type": "string", "enum": ["euclidean", "cosine"]}, _METRIC.says, _METRIC.flag),
            "alpha": Option(
                {"type": "number", "minimum": 0.001, "maximum": 0.5},
                "The chance that any node is named whose items are one group, over the whole tree.",
                "--alpha",
            ),
            "seed": _SEED,
        },
        plans.splits,
    ),
    "matrix": Task("Several trees, each with each", "tree", 2, 200, {}, plans.matrix),
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
        plans.consensus,
    ),
    "documents": Task(
        "A tree of texts",
        "texts",
        1,
        5000,
        {
            "text": Option(TEXT, "The column of a table with the texts.", "--text"),
            "title": Option(TEXT, "The column of a table with the titles.", "--title"),
            "method": Option(
                {"type": "string", "enum": ["bisect", "buckshot", "group_average"]},
                "How the tree is built.",
                "--method",
            ),
        },
        plans.documents,
    ),
}
