"""``dendrometry resolutions FILE``: clusterings at several resolutions, and the nearest nested tree."""

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._display import index_text
from dendrometry._files import PAGES
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import ItemColumn
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import (
    PICTURES,
    TABLES,
    Force,
    announce,
    announce_reading,
    picture,
    require_new,
    table_encoders,
    write_result,
)
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from dendrometry.partition.resolutions import Resolutions

_TREES = (".csv", ".tsv", ".json", ".parquet")  # formats that hold several items at a node
_MOST_LEVELS = 12  # levels whose congruence is printed


def resolutions(
    file: Annotated[
        str, argument("FILE", "A .csv or .tsv file with a header, a row for each item, a column for each level.")
    ],
    column: Annotated[
        list[str] | None, option("NAME", "Only this column of labels; may be given several times.")
    ] = None,
    items: ItemColumn = None,
    labels: Annotated[
        str | None, option("NAME", "Colour the flow by this column, an annotation of the items and no level.")
    ] = None,
    json: Annotated[bool, switch("--json", "Print all results as JSON.")] = False,
    out: Annotated[
        str | None, option("FILE", "Write a report (.html) or the steps (.csv, .tsv, .json, .md, .tex).")
    ] = None,
    tree: Annotated[str | None, option("FILE", f"Also write the nested tree ({', '.join(_TREES)}).")] = None,
    flow: Annotated[str | None, option("FILE", "Also draw how items flow between levels (.png, .svg, .pdf).")] = None,
    congruence: Annotated[
        str | None, option("FILE", "Also draw the congruence of all levels (.png, .svg, .pdf).")
    ] = None,
    force: Force = False,
) -> None:
    """Compare flat clusterings at several resolutions.

    The levels need not be nested. Prints which level stands out and why: finer levels refine it, and cross the next.
    Then the cost of each step in splits and merges, how well each level predicts each other (adjusted Wallace, from row
    to column), and how many items must move for a nested tree.

    \b
    Examples:
      dendrometry resolutions leiden.csv
      dendrometry resolutions leiden.csv --labels cell_type --out report.html
      dendrometry resolutions leiden.csv --tree nested.csv --flow flow.svg --congruence congruence.svg
    """
    require_new(out, force, endings=(*TABLES, *PAGES))
    if labels is not None and flow is None and not (out and out.lower().endswith(PAGES)):
        raise InvalidInputError("--labels colours --flow or a report, --out with .html; got neither")
    require_new(tree, force, endings=_TREES, option="--tree")
    for name, path in (("--flow", flow), ("--congruence", congruence)):
        require_new(path, force, endings=PICTURES, option=name)
    with spinner("comparing", on_terminal()):
        from dendrometry.io._shared.account import Account
        from dendrometry.partition.level_table import read_levels
        from dendrometry.partition.resolutions import resolutions as resolutions_of

        table = read_levels(file, item_column=items, columns=column or None, annotation=labels)
        n_items = len(next(iter(table.levels.values())))
        n_noise = _n_noise(table.levels)
        names = tuple(table.levels)
        account = Account("levels", n_items, len(names), names, n_noise=n_noise, item=table.item_column)
        announce_reading(file, account)
        found = resolutions_of(table.levels, item_names=table.items)
    from dendrometry import plot

    if tree is not None:
        from dendrometry.io.files import write

        write(found.nesting.tree, tree, force=force)
        announce(tree)
    drawn = {
        flow: partial(plot.resolution_flow, found, labels=table.annotation),
        congruence: partial(plot.congruence, found),
    }
    _draw({path: draw for path, draw in drawn.items() if path is not None}, force)
    if out is not None:
        head, rows = _steps(found)
        encoders = table_encoders(head, rows, lambda: _json(found))
        write_result(out, encoders | {ending: lambda: _page(found, table.annotation) for ending in PAGES}, force=force)
    elif json:
        print(_json(found))
    else:
        _print(found)


def _n_noise(levels: dict[str, list[str]]) -> int:
    """Return the number of items that are noise, -1, at any level; these are compared as one cluster."""
    from dendrometry.io._shared.noise import NOISE, has_noise

    noisy = [labels for labels in levels.values() if has_noise(labels, None)]
    return sum(NOISE in row for row in zip(*noisy, strict=True))


def _draw(pictures: "dict[str, Callable[[], Axes]]", force: bool) -> None:
    """Write pictures, by the name of their file."""
    for path, draw in pictures.items():
        drawn = picture(draw, os.path.splitext(path)[1][1:].lower())
        write_result(path, dict.fromkeys(PICTURES, partial(bytes, drawn)), force=force)


def _page(found: "Resolutions", annotation: list[str] | None) -> str:
    """Return the report as text."""
    from dendrometry.report.resolutions import resolutions_page

    return resolutions_page(found, annotation).html()


def _steps(found: "Resolutions") -> tuple[list[str], list[list[Any]]]:
    """Return the header and the rows of the table of steps."""
    from dendrometry.partition.resolutions import Step

    return list(Step._fields), [list(step) for step in found.steps]


def _print(found: "Resolutions") -> None:
    """Print what was found in words, the levels, the steps and the congruence."""
    print(found.tell())
    choice = found.choose()
    counts = zip(
        found.names, found.n_clusters.tolist(), choice.n_alike.tolist(), found.nesting.moved.tolist(), strict=True
    )
    numbers = [["" if x != x else index_text(x) for x in column] for column in (choice.refined, choice.standing)]
    rows = [
        (name, f"{k:,}", refined, f"{alike:,}", standing, f"{moved:,}")
        for (name, k, alike, moved), refined, standing in zip(counts, *numbers, strict=True)
    ]
    print()
    print_table(["level", "clusters", "refined", "alike", "standing", "moved"], rows)
    head, steps = _steps(found)
    if steps:
        print()
        print_table(head, [[f"{x:.4g}" if isinstance(x, float) else str(x) for x in row] for row in steps])
    if 1 < len(found.names) <= _MOST_LEVELS:
        print()
        values = [list(map(index_text, row)) for row in found.congruence.tolist()]
        print_table(["", *found.names], [[name, *row] for name, row in zip(found.names, values, strict=True)])


def _json(found: "Resolutions") -> str:
    """Return all results as JSON text."""
    import json
    from math import isnan

    nesting, choice = found.nesting, found.choose()
    content = {
        "n_items": len(found.items),
        "levels": list(found.names),
        "n_clusters": found.n_clusters.tolist(),
        "stands_out": None if choice.level is None else found.names[choice.level],
        "refined": [None if isnan(x) else x for x in choice.refined.tolist()],
        "n_alike": choice.n_alike.tolist(),
        "standing": [None if isnan(x) else x for x in choice.standing.tolist()],
        "steps": [step._asdict() for step in found.steps],
        "congruence": found.congruence.tolist(),
        "moved": nesting.moved.tolist(),
        "n_moves": nesting.n_moves,
        "n_items_moved": nesting.n_items_moved,
        "least_moves": nesting.least,
    }
    return json.dumps(content, indent=2)
