"""``dendrometry predictions TRUTH PREDICTED --taxonomy FILE``: predicted terms of a taxonomy against the true ones."""

import os
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._display import printable
from dendrometry._files import PAGES
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import TABLES, Force, announce, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError

if TYPE_CHECKING:
    from dendrometry.dag import Dag
    from dendrometry.taxonomy.scores import PredictionScores

_ROWS = "A table (.csv, .tsv) with a header and a row for each label"
_UNKNOWN = ("error", "leave_out")
_INFORMATION = ("annotations", "intrinsic")


def predictions(
    truth: Annotated[str, argument("TRUTH", f"{_ROWS}: item, term.")],
    predicted: Annotated[str, argument("PREDICTED", f"{_ROWS}: item, term, and perhaps its score.")],
    taxonomy: Annotated[str, option("FILE", "The terms: OBO, OWL, SKOS, a table of child and parent, or a tree.")],
    relation: Annotated[
        list[str] | None, option("NAME", "A relation that leads to a parent, such as is_a (the default) or part_of.")
    ] = None,
    below: Annotated[str | None, option("TERM", "Score this term and those below it only.")] = None,
    threshold: Annotated[
        list[float] | None, option("X", "A threshold of the scores; several times. By default 0.01 to 0.99.")
    ] = None,
    information: Annotated[
        str, option("NAME", "The weights of terms: annotations (the truth) or intrinsic.", among=_INFORMATION)
    ] = "annotations",
    unknown: Annotated[
        str, option("NAME", "What to do about labels that are no terms: error or leave_out.", among=_UNKNOWN)
    ] = "error",
    permutations: Annotated[
        int | None, option("N", "Random assignments for means by chance without a formula.", min=0)
    ] = None,
    json: Annotated[bool, switch("--json", "Print the scores, levels and thresholds as JSON.")] = False,
    report: Annotated[
        str | None, option("FILE", "Also write a page: scores, thresholds, levels, and the terms with the most errors.")
    ] = None,
    out: Annotated[str | None, option("FILE", "Write the scores (.csv, .tsv, .json, .md, .tex).")] = None,
    force: Force = False,
) -> None:
    """Score predicted terms of a taxonomy.

    Each score has its value by chance, predictions being assigned to the items at random, and an interval by bootstrap.
    Of predictions with scores, the best over all thresholds are F-max and S-min. With --below, labels elsewhere are
    unknown: --unknown leave_out leaves them out and counts them.

    \b
    Examples:
      dendrometry predictions truth.csv predicted.csv --taxonomy go.obo --report page.html
      dendrometry predictions truth.csv predicted.csv --taxonomy go.obo --relation is_a --relation part_of
      dendrometry predictions truth.tsv predicted.tsv --taxonomy go.obo --below GO:0008150 --unknown leave_out
    """
    require_new(out, force, endings=TABLES)
    require_new(report, force, endings=PAGES, option="--report")
    with spinner("scoring", on_terminal()):
        from dendrometry.io.dags import read_dag
        from dendrometry.taxonomy.predictions import score_predictions

        dag = read_dag(taxonomy, relations=relation or ("is_a",))
        dag = dag if below is None else dag.below(below)
        found = score_predictions(
            _labels(truth, dag),
            _labels(predicted, dag),
            taxonomy=dag,
            thresholds=threshold,
            information=information,
            unknown=unknown,  # type: ignore[arg-type]  # it is checked there
            n_permutations=permutations,
        )
    if report is not None:
        from dendrometry.report.report import report as write_report

        write_report(found, report, force=force, progress=on_terminal())
        announce(report)
    if out is not None:
        columns = found.columns()
        rows = [list(row) for row in zip(*columns.values(), strict=True)]
        write_result(out, table_encoders(list(columns), rows, lambda: _json(found)), force=force)
    if json:
        print(_json(found))
    elif out is None:
        _print(found)


class _Table:
    """A table of labels, as `score_predictions` takes frames."""

    def __init__(self, values: dict[str, list[Any]]) -> None:
        self._values = values

    @property
    def columns(self) -> list[str]:
        return list(self._values)

    def __getitem__(self, name: str) -> list[Any]:
        return self._values[name]


def _labels(path: str, dag: "Dag") -> _Table:
    """Return the columns of a table of labels, the scores as numbers."""
    from dendrometry.io.codecs import text_of
    from dendrometry.io.files import unpacked_contents
    from dendrometry.io.formats.delimited import delimited_columns

    name = printable(path, longest=4096)
    ending = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    if ending not in (".csv", ".tsv"):
        raise InvalidInputError(f"a table of labels must end in .csv or .tsv, optionally with .gz; got {name}")
    try:
        text = text_of(unpacked_contents(path, None))
        values: dict[str, list[Any]] = dict(delimited_columns(text, "\t" if ending == ".tsv" else ","))
        header = list(values)
        if any(word in dag.number or word in dag.aliases for word in header):
            raise FormatError(f"a table of labels must have a header, such as item, term; got {', '.join(header)}")
        item = "item" if {"item", "term"} <= set(values) else header[0]
        empty = next((row for row, name in enumerate(values[item], start=2) if not name), None)
        if empty is not None:
            raise FormatError(f"row {empty}: the column {printable(item)} must name an item; it is empty")
        score = "score" if "score" in values else header[2] if len(header) == 3 and "term" not in values else None
        if score is not None:
            values[score] = [_number(value, row) for row, value in enumerate(values[score], start=2)]
    except DendrometryError as error:
        raise type(error)(f"{name}: ", *error.args) from None
    return _Table(values)


def _number(value: str, row: int) -> float:
    """Return a score as a number."""
    try:
        return float(value)
    except ValueError:
        raise FormatError(f"row {row}: a score must be a number; got '{printable(value)}'") from None


def _print(found: "PredictionScores") -> None:
    """Print the verdict, the scores and the counts at each level."""
    print(found.verdict)
    print()
    lines = []
    for name, score in found.scores.items():
        interval = "" if score.lower is None else f"{score.lower:.4g} to {score.upper:.4g}"
        numbers = (score.value, score.expected, score.adjusted)
        value, expected, adjusted = ("" if number is None else f"{number:.4g}" for number in numbers)
        lines.append((name, value or "undefined", interval, expected, adjusted, score.chance))
    print_table(["score", "value", "95% interval", "by chance", "adjusted", "chance"], lines)
    print()
    levels = found.levels.columns()
    head = ("depth", "n_true", "n_predicted", "n_shared", "precision", "recall", "f", "expected_f")
    shown = zip(*(levels[name] for name in head), strict=True)
    rows = [tuple("–" if number is None else f"{number:,.4g}" for number in row) for row in shown]
    print_table(["level", "true", "predicted", "shared", "precision", "recall", "F", "F by chance"], rows)


def _json(found: "PredictionScores") -> str:
    """Return the scores as JSON text."""
    import json

    content = {
        "n_items": found.n_items,
        "verdict": found.verdict,
        "threshold": found.threshold,
        "remainder": dict(found.remainder),
        "scores": {name: score._asdict() for name, score in found.scores.items()},
        "levels": found.levels.columns(),
        "thresholds": found.thresholds,
    }
    return json.dumps(content, indent=2)
