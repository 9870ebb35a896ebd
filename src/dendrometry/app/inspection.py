"""What was recognised in files, whether they match, and what would repair that: shown before anything is computed."""

from collections.abc import Mapping, Sequence
from typing import Any

from dendrometry._display import plural, printable, quote_first
from dendrometry.app.cards import Given, empty_card, problem_of, without_remedies
from dendrometry.app.terms import inspect_predictions, inspect_taxonomies
from dendrometry.errors import DendrometryError, phrase

_SHOWN = 8  # names that are listed
_MOST_COLUMNS = 200  # of a table that are offered
_MOST_TRIED = 30  # columns that might name the items
_LARGEST = 50 * 2**20  # bytes of a table whose columns are offered


def inspect(kind: str, files: Sequence[Given], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what files are, and how those that are compared match.

    ``kind`` is "tree", "points", "texts", "taxonomies", or "predictions": a taxonomy, true and predicted labels.
    """
    if kind == "taxonomies":
        return inspect_taxonomies(files, options)
    if kind == "predictions":
        return inspect_predictions(files, options)
    if kind != "tree":
        return {"files": [(_points if kind == "points" else _texts)(*one[:3]) for one in files], "match": None}
    cards, trees, tables = [], [], []
    for path, name, reading, _ in files:
        card, tree, columns = _tree(path, name, reading)
        cards.append(card)
        trees.append(tree)
        tables.append(columns)
    if len(trees) != 2:
        return {"files": cards, "match": None}
    for i, tree in enumerate(trees):
        other = trees[1 - i]
        if tree is None and other is not None:  # perhaps another column names the items
            cards[i]["ways"] += _columns_of_items(tables[i], cards[i], other.items, 0)
    return {"files": cards, "match": None if None in trees else _match(cards, trees, tables, options)}


def _tree(path: str, name: str, reading: Mapping[str, Any]) -> tuple[dict[str, Any], Any, dict[str, list[str]]]:
    """Return what a file of a tree is, the tree, and the columns of a table."""
    from dendrometry.io.info import columns_of, info

    try:
        found = info(path, **reading)
    except DendrometryError as error:
        return empty_card(name, str(error).replace(path, name)), None, {}
    small = found.size is not None and found.size <= _LARGEST
    columns = columns_of(path, dict(reading)) if small else {}
    account, tree = found.account, found.tree
    card = {
        "name": name,
        "what": found.what,
        "size": found.size,
        "readable": found.readable,
        "n_items": None if tree is None else tree.n_items,
        "summary": "" if tree is None else _summary(tree),
        "problem": phrase(found.problem, without_remedies).replace(path, name) if found.problem else "",
        "assumed": [phrase(note, without_remedies) for note in found.notes],
        "doubts": list(found.doubts),
        "ways": [{"label": _way(way), "reading": dict(way)} for way in found.options if not found.readable],
        "columns": list(columns)[:_MOST_COLUMNS],
        "item": None if account is None else account.item,
        "taken": [] if account is None else list(account.columns),
        "kind": "" if account is None else account.kind,
        "points": len(found.points),
    }
    return card, tree, columns


def _summary(tree: Any) -> str:
    """Return a tree in a few words."""
    depth = int(tree.depths[tree.item_node].max())
    heights = "with heights" if tree.height is not None else "without heights"
    return f"{plural(tree.n_items, 'item')}, {plural(depth, 'level')}, {heights}"


def _way(way: Mapping[str, Any]) -> str:
    """Return what a repair of a file that is not read does, in words."""
    words = {
        "levels": "Take as levels: {}",
        "tree": "Take the tree {} of the file",
        "sep": "Separate paths by '{}'",
        "path_column": "Take the paths in the column {}",
        "item": "Take the items in the column {}",
    }
    told = [
        words.get(name, name.replace("_", " ") + ": {}").format(
            ", ".join(map(printable, value)) if isinstance(value, list | tuple) else printable(value)
        )
        for name, value in way.items()
    ]
    return "; ".join(told)


def _match(
    cards: Sequence[Mapping[str, Any]],
    trees: Sequence[Any],
    tables: Sequence[Mapping[str, list[str]]],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Return how the items of two trees match, and what would match more of them."""
    from dendrometry.overlap import is_enough, match_loosely, positions

    a, b = (tree.items for tree in trees)
    exact = positions(a, b)
    loose, n_loose = match_loosely(a, b, exact)
    found = loose if options.get("match_names") == "loose" else exact
    n_common = int((found >= 0).sum())
    matched = set(found.tolist())
    only_a = [name for name, at in zip(a, found.tolist(), strict=True) if at < 0]
    only = (only_a, [name for j, name in enumerate(b) if j not in matched])
    repairs: list[dict[str, Any]] = []
    if any(only):
        if n_loose and options.get("match_names") != "loose":
            label = f"Ignore case, underscores and spaces: {plural(n_loose, 'more item')} match{'es' * (n_loose == 1)}"
            repairs.append({"label": label, "options": {"match_names": "loose"}})
        for i, items in enumerate((b, a)):
            repairs += [{**one, "file": i} for one in _columns_of_items(tables[i], cards[i], items, n_common)]
        if n_common and options.get("on_mismatch", "error") == "error":
            how = "intersect" if is_enough(n_common, len(a), len(b), "intersect") else "intersect_any"
            label = f"Compare the {plural(n_common, 'common item')} only"
            repairs.append({"label": label, "options": {"on_mismatch": how}})
    return {
        "n_items": [len(a), len(b)],
        "n_common": n_common,
        "n_loose": n_loose if found is loose else 0,
        "n_only": [len(names) for names in only],
        "only": [sorted(names)[:_SHOWN] for names in only],
        "repairs": repairs,
        "fits": not any(only) or is_enough(n_common, len(a), len(b), options.get("on_mismatch", "error")),
    }


def _columns_of_items(
    columns: Mapping[str, list[str]], card: Mapping[str, Any], items: Sequence[str], n_common: int
) -> list[dict[str, Any]]:
    """Return the column of a table that names more of another tree's items than the one that is taken."""
    other, best, most = set(items), "", n_common
    for column, values in list(columns.items())[:_MOST_TRIED]:
        n_here = len(other.intersection(values))
        if n_here > most and len(set(values)) == len(values):
            best, most = column, n_here
    if not best or best == card["item"]:
        return []
    label = f"Take the items of {card['name']} from the column {quote_first([best])}: {most:,} match"
    repair: dict[str, Any] = {"label": label, "reading": {"item": best}}
    return [repair]


def _points(path: str, name: str, reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a table of points is."""
    from dendrometry.cluster.table import read_points
    from dendrometry.io.info import columns_of

    columns = list(columns_of(path, {}))[:_MOST_COLUMNS]
    try:
        table = read_points(path, item_column=reading.get("item"))
    except DendrometryError as error:
        return {**empty_card(name, problem_of(error, path, name)), "what": "a table", "columns": columns}
    n_items, n_columns = table.points.shape
    return {
        **empty_card(name),
        "what": "a table of distances" if table.are_distances else "a table of numbers",
        "readable": not table.are_distances,
        "problem": "it must hold measurements; these are distances (see dendrometry cluster --distances)"
        if table.are_distances
        else "",
        "n_items": n_items,
        "summary": f"{plural(n_items, 'item')}, {plural(n_columns, 'column')} of numbers",
        "columns": columns,
        "item": table.item_column,
        "taken": list(table.columns)[:_SHOWN],
        "kind": "points",
    }


def _texts(path: str, name: str, reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file of texts is."""
    from dendrometry.io.info import columns_of

    if not name.lower().endswith((".csv", ".tsv", ".parquet")):
        return {**empty_card(name), "what": "one text", "readable": True, "summary": "one text", "kind": "text"}
    columns = columns_of(path, {})
    lengths = {column: sum(map(len, values)) for column, values in columns.items()}
    longest = max(lengths, key=lengths.__getitem__, default="")
    n_rows = len(columns[longest]) if columns else 0
    readable = bool(columns) or name.lower().endswith(".parquet")
    return {
        **empty_card(name, "" if readable else "it must be a table with a header"),
        "what": "a table of texts",
        "readable": readable,
        "n_items": n_rows,
        "summary": f"{plural(n_rows, 'text')}, {plural(len(columns), 'column')}",
        "columns": list(columns)[:_MOST_COLUMNS],
        "taken": ["text" if "text" in columns else longest],
        "kind": "texts",
    }
