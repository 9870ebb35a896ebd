"""The lines of Python that do what the commands of a job do."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_START = "import dendrometry as dm\n\n"


class Source(NamedTuple):
    """A file of a job: its name in the folder of the job, and how it is read, as arguments of `read`."""

    name: str
    reading: Mapping[str, Any] = {}


def _call(function: str, *values: str, **named: Any) -> str:
    """Return a call as text."""
    given = [*values, *(f"{name}={value!r}" for name, value in named.items())]
    return f"{function}({', '.join(given)})"


def _reads(sources: Sequence[Source], names: Sequence[str]) -> str:
    """Return the lines that read trees."""
    return "".join(
        f"{name} = {_call('dm.read', repr(source.name), **source.reading)}\n"
        for name, source in zip(names, sources, strict=True)
    )


def _called(sources: Sequence[Source]) -> dict[str, Any]:
    """Return the names of two trees as an argument: those of their files, if they differ."""
    names = tuple(source.name for source in sources)
    return {"names": names} if len(set(names)) > 1 else {}


def compare(sources: Sequence[Source], options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that compare two trees."""
    return (
        f"{_START}{_reads(sources, 'ab')}"
        f"result = {_call('dm.compare', 'a', 'b', **_called(sources), **options)}\n"
        f"print(result.verdict)\n{_call('dm.report', 'result', repr(files['page']))}\n"
    )


def diff(sources: Sequence[Source], options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that tell what changed."""
    return (
        f"{_START}{_reads(sources, ('old', 'new'))}"
        f"changes = {_call('dm.diff', 'old', 'new', **options, **_called(sources))}\n"
        f"print(changes)\n{_call('dm.report', 'changes', repr(files['page']))}\n"
    )


def taxonomy(
    sources: Sequence[Source], called: Sequence[str], options: Mapping[str, Any], files: Mapping[str, str]
) -> str:
    """Return the lines that compare two taxonomies; ``called`` are their files as the command takes them."""
    given = [_call("dm.read", repr(one.name), **one.reading) if one.reading else repr(one.name) for one in sources]
    names = tuple(name.partition(".")[0] for name in called)
    named = {"names": names if names[0] != names[1] else ("old", "new")}
    return (
        f"{_START}found = {_call('dm.taxonomy.compare_taxonomies', *given, **named, **options)}\n"
        f"print(found.tell())\n{_call('dm.report', 'found', repr(files['page']))}\n"
    )


def predictions(sources: Sequence[Source], options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that score predicted terms."""
    terms, truth, predicted = sources
    given = dict(options)
    below = given.pop("below", None)
    read = _call("dm.read", repr(terms.name), **terms.reading) if terms.reading else repr(terms.name)
    part = "" if below is None else f".below({below!r})"
    scored = _call("dm.taxonomy.score_predictions", "truth", "predicted", "taxonomy=taxonomy", **given)
    return (
        "import dendrometry as dm\nimport pandas as pd\n\n"
        f"taxonomy = dm.io.as_dag({read}){part}\n"
        f"truth = {_labels(truth)}\npredicted = {_labels(predicted)}\n"
        f"found = {scored}\nprint(found.verdict)\n{_call('dm.report', 'found', repr(files['page']))}\n"
    )


def _labels(labels: Source) -> str:
    """Return a call that reads a table of items, terms and perhaps scores."""
    tabs = labels.name.lower().removesuffix(".gz").endswith(".tsv")
    given: dict[str, Any] = {"sep": "\t"} if tabs else {}
    types = "dtype={'item': str, 'term': str}"
    return _call("pd.read_csv", repr(labels.name), types, keep_default_na=False, **given)


def _points(points: Source) -> str:
    """Return the lines that read a table of points."""
    column = points.reading.get("item")
    read = _call("read_points", repr(points.name), **({} if column is None else {"item_column": column}))
    return (
        f"import dendrometry as dm\nfrom dendrometry.cluster.table import read_points\n\npoints, items, *_ = {read}\n"
    )


def _tree(options: Mapping[str, Any]) -> str:
    """Return the line that builds a tree of points."""
    way = {name: options[name] for name in ("linkage", "metric") if name in options}
    return f"tree = {_call('dm.agglomerate', 'points', 'item_names=items', **way)}.hierarchy\n"


def cluster(points: Source, options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that build a tree."""
    return f"{_points(points)}{_tree(options)}{_call('dm.write', 'tree', repr(files['tree']))}\n"


def choose(points: Source, options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that choose a number of clusters."""
    given = {name: value for name, value in options.items() if name != "metric"}  # it has one metric
    found = _call("dm.recommend", "points", **given)
    return f"{_points(points)}found = {found}\nprint(found.verdict)\n"


def stability(points: Source, options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that judge clusters by data drawn again."""
    given = {("rng" if name == "seed" else name): value for name, value in options.items()}
    return (
        f"{_points(points)}{_tree(options)}found = {_call('dm.stability', 'points', 'tree=tree', **given)}\n"
        f"print(found)\n{_call('dm.report', 'found', repr(files['page']))}\n"
    )


def splits(points: Source, options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that test the splits of a tree."""
    given = {("rng" if name == "seed" else name): value for name, value in options.items()}
    return (
        f"{_points(points)}{_tree(options)}found = {_call('dm.significance.splits', 'points', 'tree', **given)}\n"
        f"print(found.verdict)\n{_call('dm.report', 'found', repr(files['page']))}\n"
    )


def _several(sources: Sequence[Source]) -> str:
    """Return the lines that read several trees by name."""
    rows = "".join(
        f"    {source.name.split('.')[0]!r}: {_call('dm.read', repr(source.name), **source.reading)},\n"
        for source in sources
    )
    return f"{_START}trees = {{\n{rows}}}\n"


def matrix(sources: Sequence[Source], options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that compare each tree with each."""
    return (
        f"{_several(sources)}matrix = {_call('dm.pairwise_matrix', 'trees', **options)}\n"
        f"print(matrix)\n{_call('dm.report', 'matrix', repr(files['page']))}\n"
    )


def consensus(sources: Sequence[Source], options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that find what most trees share."""
    return (
        f"{_several(sources)}found = {_call('dm.consensus', 'trees', **options)}\n"
        f"print(found)\n{_call('dm.write', 'found.hierarchy', repr(files['tree']))}\n"
    )


def documents(texts: str, options: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the lines that build a tree of texts."""
    columns = {name: value for name, value in options.items() if name in ("text", "title")}
    method = {name: value for name, value in options.items() if name == "method"}
    read = _call("read_documents", repr(texts), n_dimensions="auto", **columns)
    return (
        "import dendrometry as dm\nfrom dendrometry.cut import fold\n"
        "from dendrometry.label import label_nodes, label_tree\n"
        "from dendrometry.text import cluster_documents, read_documents\n\n"
        f"documents = {read}\n"
        f"tree = fold({_call('cluster_documents', 'documents', **method)}.hierarchy, 10)\n"
        f"tree = label_tree(tree, label_nodes(tree, documents))\n{_call('dm.browse', 'tree', repr(files['page']))}\n"
    )
