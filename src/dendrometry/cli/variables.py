"""``dendrometry variables POINTS``: which variables lead to similar trees."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

from dendrometry._display import plural
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import ItemColumn, LinkageName, MetricName, PointColumns, PointsFile, points_at
from dendrometry.cli._shared.options import option, switch
from dendrometry.cli._shared.output import (
    PICTURES,
    TABLES,
    Force,
    Quiet,
    ScoresAsJson,
    TableOrPicture,
    announce,
    picture,
    require_new,
    table_encoders,
    write_result,
)
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from dendrometry.comparison.variables import VariableScores

_RANGE = ("agreement_low", "agreement_high")  # columns of files only: the terminal has a sentence instead


def variables(
    points: PointsFile,
    subset: Annotated[
        list[str] | None, option("NAME=COLUMN,COLUMN", "Also compare the tree of these variables; may be repeated.")
    ] = None,
    linkage: LinkageName = "average",
    metric: MetricName = "euclidean",
    standardize: Annotated[
        bool, switch("--standardize", "Scale every variable to mean 0 and standard deviation 1.")
    ] = False,
    permutations: Annotated[
        int, option("N", "The number of relabellings of each variable for p-values; 0 for none.")
    ] = 0,
    tie_breaks: Annotated[int, option("N", "The number of ways in which ties are broken.")] = 10,
    items: ItemColumn = None,
    column: PointColumns = None,
    json: ScoresAsJson = False,
    out: TableOrPicture = None,
    trees: Annotated[str | None, option("FOLDER", "Also write the tree of each variable to a new folder.")] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find which variables lead to similar trees.

    For each variable: the similarity of its tree with those of the other variables, on average, by chance, and adjusted
    for chance; and the similarity of the tree of all variables with the tree without it. A noisy variable agrees with
    the others no more than by chance: with enough relabellings, a variable is selected if its p-value is at most 5%,
    divided by the number of variables.

    \b
    Examples:
      dendrometry variables points.csv --linkage ward --standardize --permutations 99
      dendrometry variables points.csv --subset size=length,width --out variables.png
    """
    from dendrometry.comparison.variables import score_variables

    require_new(out, force, endings=TABLES + PICTURES)
    with spinner("reading", on_terminal()):
        table = points_at(points, items, column)
    found = score_variables(
        table.points,
        variable_names=table.columns,
        subsets=_subsets(subset),
        linkage=linkage,  # type: ignore[arg-type]
        metric=metric,
        standardize=standardize,
        n_permutations=permutations,
        n_tie_breaks=tie_breaks,
        progress=not quiet and on_terminal(),
    )
    if trees is not None:
        _write_trees(found, table.items, trees)
    if out is not None:
        write_result(out, _encoders(found), force=force)
    elif json:
        print(_json(found))
    else:
        _print(found)


def _subsets(given: list[str] | None) -> dict[str, list[str]] | None:
    """Return the variables of each subset."""
    if not given:
        return None
    parts = [text.partition("=") for text in given]
    bad = [name for name, equals, columns in parts if not equals or not columns]
    if bad:
        raise InvalidInputError(f"--subset must be a name, = and variables separated by commas; got {bad[0]}")
    return {name: columns.split(",") for name, _, columns in parts}


def _write_trees(found: "VariableScores", items: tuple[str, ...] | None, folder: str) -> None:
    """Write the tree of each variable, of all, and of all but each, to a folder that must be new or empty."""
    import os
    from dataclasses import replace

    from dendrometry.io.files import write

    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        raise InvalidInputError(f"--trees must be a new or an empty folder; {folder} holds files")
    groups = {"variable": found.trees, "without": found.trees_without, "subset": found.subset_trees}
    for kind, named in groups.items():
        for number, tree in enumerate(named.values()):
            write(tree if items is None else replace(tree, items=items), os.path.join(folder, f"{kind}_{number}.json"))
    announce(folder)


def _rows(found: "VariableScores") -> tuple[list[str], list[list[object]]]:
    """Return the header and the rows of the table."""
    columns = found.columns()
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def _print(found: "VariableScores") -> None:
    """Print the scores, and the similarities of subsets."""
    columns = {name: column for name, column in found.columns().items() if name not in _RANGE}
    head, rows = list(columns), list(zip(*columns.values(), strict=True))
    print_table(head, [[str(row[0]), *map(_cell, row[1:])] for row in rows])
    if found.subsets is not None:
        print()
        values = found.subsets.values.tolist()
        print_table(
            ("", *found.subsets.names),
            [(name, *(f"{x:.4g}" for x in row)) for name, row in zip(found.subsets.names, values, strict=True)],
        )
    print()
    print(f"{plural(len(found.names), 'variable')}, similarity of trees: 1 is the same tree; agreement: 0 is chance")
    if len(found.null) and found.selected is None:
        print(f"to select variables, at least {found.n_relabellings_to_select:,} relabellings are needed")
    if found.n_tie_breaks > 1:
        print(
            f"merges are tied: means over {found.n_tie_breaks} tie-breaks, which change the agreement by at most"
            f" {found.tie_effect:.2g}"
        )
    if found.methods:
        print(f"\nFor a methods section: {found.methods}")


def _cell(value: bool | float) -> str:
    """Return a number, or yes or no."""
    return ("no", "yes")[value] if isinstance(value, bool) else f"{value:.4g}"


def _encoders(found: "VariableScores") -> "dict[str, Callable[[], str | bytes]]":
    """Return the encoders of the table and of the picture."""
    head, rows = _rows(found)
    tables = table_encoders(head, rows, lambda: _json(found))
    return tables | {ending: partial(_picture, found, ending[1:]) for ending in PICTURES}


def _json(found: "VariableScores") -> str:
    """Return all scores as JSON text."""
    import json

    content: dict[str, object] = {**found.columns(), "matrix": found.similarity.tolist()}
    if found.methods:
        content["methods"] = found.methods
    if found.subsets is not None:
        content["subsets"] = {"names": found.subsets.names, "values": found.subsets.values.tolist()}
    return json.dumps(content, indent=2)


def _picture(found: "VariableScores", kind: str) -> bytes:
    """Return the drawing as the bytes of an image."""
    from dendrometry.plot.variable_scores import variable_scores

    return picture(lambda: variable_scores(found), kind)
