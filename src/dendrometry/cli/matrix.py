"""``dendrometry matrix TREES...``: one measure between all pairs of several trees."""

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated

from dendrometry._display import quote_first
from dendrometry._files import PAGES, unicode_name
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import A_TREE, Options, add_reading_options, trees_at, trees_of_one_file
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import (
    PICTURES,
    TABLES,
    Force,
    Quiet,
    announce,
    picture,
    require_new,
    table_encoders,
    write_result,
)
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError
from dendrometry.measures.registry import MEASURES
from dendrometry.unrooted import UnrootedTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from dendrometry.comparison.pairwise_matrix import Matrix

DEFAULTS = ("hierarchy_agreement", "quartet_agreement")  # the measures with roots, and without


@add_reading_options
def matrix(
    how: Options,
    trees: Annotated[
        list[str], argument("TREE", f"Trees over the same items, each {A_TREE}; or one file of several trees.")
    ],
    measure: Annotated[
        str | None,
        option(
            "NAME",
            "The measure; 'dendrometry measures' lists all. By default {}, and with --unrooted {}.".format(*DEFAULTS),
            among=tuple(MEASURES),
        ),
    ] = None,
    unrooted: Annotated[
        bool, switch("--unrooted", "Ignore the roots: compare the splits or quartets of phylogenies.")
    ] = False,
    raw: Annotated[bool, switch("--raw", "The values of the measure, not adjusted for chance.")] = False,
    json: Annotated[bool, switch("--json", "Print names and values as JSON.")] = False,
    out: Annotated[
        str | None,
        option("FILE", "Write the table (.csv, .tsv, .json, .md, .tex), or draw it with a tree (.png, .svg, .pdf)."),
    ] = None,
    report: Annotated[
        str | None, option("FILE", "Also write a report: one HTML page with a heat map and tables.")
    ] = None,
    allow_slow: Annotated[
        bool, switch("--allow-slow", "Compute a measure that would take more than 10 minutes of a core.")
    ] = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Compare all pairs of several trees by one measure.

    Prints a table with a row and a column for each tree, and lists the trees that stand out from the rest, and those
    that are no more like the others than by chance. Values are adjusted for chance where the measure has a formula for
    it: 1 for identical trees, 0 as by chance.

    \b
    Examples:
      dendrometry matrix trees/*.nwk
      dendrometry matrix bootstrap.nwk
      dendrometry matrix a.nwk b.nwk c.nwk --measure overall_distance --out distances.csv
      dendrometry matrix trees/*.nwk --out trees.png
      dendrometry matrix trees/*.nwk --report trees.html
      dendrometry matrix genes.nwk --unrooted --measure robinson_foulds
    """
    from dendrometry.comparison.pairwise_matrix import pairwise_matrix as matrix_of
    from dendrometry.report.report import report as write_report

    require_new(out, force, endings=TABLES + PICTURES)
    require_new(report, force, endings=PAGES, option="--report")
    chosen = measure or DEFAULTS[unrooted]
    if unrooted and not MEASURES[chosen].unrooted:
        fit = ", ".join(name for name, entry in MEASURES.items() if entry.unrooted)
        raise InvalidInputError(f"--unrooted takes a --measure of unrooted trees, {fit}; got {chosen}")
    with spinner("reading", on_terminal()):
        held = trees_of_one_file(trees, how)
        if len(trees if held is None else held) < 2:
            raise InvalidInputError("a matrix needs two trees or more; got 1")
        named = dict(zip(_names(trees), trees_at(trees, how), strict=True)) if held is None else held
    found = matrix_of(
        {name: UnrootedTree(tree) for name, tree in named.items()} if unrooted else named,
        chosen,
        adjusted=False if raw else None,
        allow_slow=allow_slow,
        progress=not quiet and on_terminal(),
    )
    if report is not None:
        write_report(found, report, force=force, progress=not quiet and on_terminal())
        announce(report)
    if out is not None:
        write_result(out, _encoders(found), force=force)
    elif json:
        print(_json(found))
    else:
        _print(found)


def _names(paths: list[str]) -> list[str]:
    """Return short names for files: without folder and ending if that distinguishes them."""
    short = ["-" if path == "-" else os.path.basename(path).split(".")[0] or path for path in paths]
    names = list(map(unicode_name, short if len(set(short)) == len(short) else paths))
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInputError(f"the trees must be different files; these come twice: {quote_first(twice)}")
    return names


def _print(found: "Matrix") -> None:
    """Print the values, their meaning, the trees that stand out from the rest, and those that are as by chance."""
    from dendrometry.comparison.pairwise_matrix import far_from_all, near_chance

    head, *rows = found.rows()
    print_table(head, rows)
    print()
    for note in (*found.notes(), f"{found.measure}: {MEASURES[found.measure].describe(unrooted=found.unrooted)}"):
        print(note)
    if len(found.names) < 4:
        return
    far, chance = far_from_all(found), near_chance(found)
    print(f"stands out from the rest: {quote_first(far, most=len(far))}" if far else "no tree stands out from the rest")
    if chance:
        print(f"no more like the others than by chance: {quote_first(chance, most=len(chance))}")


def _encoders(found: "Matrix") -> "dict[str, Callable[[], str | bytes]]":
    """Return the encoders of the matrix as a table, with names of rows and columns, or as an image."""
    rows = [[name, *row] for name, row in zip(found.names, found.values.tolist(), strict=True)]
    tables = table_encoders(["tree", *found.names], rows, lambda: _json(found))
    return tables | {ending: partial(_picture, found, ending[1:]) for ending in PICTURES}


def _json(found: "Matrix") -> str:
    """Return the names, the values, and the trees that stand out or are as by chance, as JSON text."""
    import json

    from dendrometry.comparison.pairwise_matrix import far_from_all, near_chance

    content = {
        "measure": found.measure,
        "adjusted": found.adjusted,
        "unrooted": found.unrooted,
        "names": found.names,
        "values": found.values.tolist(),
        "far_from_all": far_from_all(found),
        "near_chance": near_chance(found),
    }
    return json.dumps(content, indent=2)


def _picture(found: "Matrix", kind: str) -> bytes:
    """Return the heat map as the bytes of an image."""
    from dendrometry.plot.tree_matrix import tree_matrix

    return picture(lambda: tree_matrix(found), kind)
