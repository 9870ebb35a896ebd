"""``dendrometry diff OLD NEW``: what changed between two versions of a tree."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from dendrometry._check.choices import one_of
from dendrometry._files import PAGES
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import (
    A_TREE,
    MatchNamesOption,
    Options,
    PathsOption,
    add_reading_options,
    pair_of_trees,
)
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import Force, announce, require_new, write_result
from dendrometry.cli.compare import names_of_trees

if TYPE_CHECKING:
    from dendrometry.changes.result import Diff

_TABLES = (".csv", ".xlsx", ".json")


@add_reading_options
def diff(
    how: Options,
    old: Annotated[str, argument("OLD", f"The tree as it was: {A_TREE}.")],
    new: Annotated[str | None, argument("NEW", "The tree as it is, in a file of any of these kinds.")] = None,
    paths: PathsOption = None,
    json: Annotated[
        bool, switch("--json", "Print the changes, and the steps that make the new tree, as JSON.")
    ] = False,
    out: Annotated[
        str | None,
        option(
            "FILE", "Write the items with their old and new path (.csv), also the categories (.xlsx), or all (.json)."
        ),
    ] = None,
    report: Annotated[
        str | None, option("FILE", "Also write a page: both trees, the changes drawn, and tables.")
    ] = None,
    force: Force = False,
    lines: Annotated[int, option("NUMBER", "Print at most this many changes, 0 for none.", min=0)] = 50,
    match_names: MatchNamesOption = "exact",
) -> int:
    """Tell what changed between two versions of a tree.

    Items are matched by name, nodes by what they hold and by name. Prints what was moved, split, merged, renamed,
    dissolved, removed and added, each with its size. The exit code is 0 if nothing changed, 1 if something did, and 2
    for an error.

    \b
    Examples:
      dendrometry diff shop_2023.csv shop_2024.csv
      dendrometry diff shop_2023.csv shop_2024.csv --out items.csv --report changes.html
      dendrometry diff shop_2023.csv shop_2024.csv --out changes.xlsx
      dendrometry diff shop.csv --paths old,new
      dendrometry diff old.nwk new.nwk --json
    """
    require_new(out, force, endings=_TABLES)
    require_new(report, force, endings=PAGES, option="--report")
    one_of(match_names, "--match-names", ("exact", "loose"))
    with spinner("comparing", on_terminal()):
        from dendrometry.changes.diff import diff as diff_trees

        trees = pair_of_trees(old, new, paths, how)
        names = names_of_trees(old, new, paths)
        found = diff_trees(*trees, match_names=match_names, names=names)  # type: ignore[arg-type]  # checked above
        code = int(bool(found))
    if report is not None:
        from dendrometry.report.report import report as write_report

        write_report(found, report, force=force, progress=on_terminal())
        announce(report)
    if out is not None:
        encoders: dict[str, Callable[[], str | bytes]] = {
            ".csv": found.to_csv,
            ".xlsx": found.to_excel,
            ".json": lambda: found.to_json() + "\n",
        }
        write_result(out, encoders, force=force)
    if json:
        print(found.to_json())
    elif out is None:
        _print(found, lines)
    return code


def _print(found: "Diff", lines: int) -> None:
    """Print the changes, at most as many as asked for."""
    summary, *rest = found.tell(lines).splitlines()
    print(summary)
    if rest:
        print("", *rest, sep="\n")
