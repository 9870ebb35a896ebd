"""The result of a study: tidy tables, a paper's numbers beside ours, a summary in words, and figures."""

from __future__ import annotations

import csv
import html
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._files import FilePath, check_place, name_of, write_together
from dendrometry._flags import flag
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.formulas import guard_formula

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cell: TypeAlias = str | int | float | bool | None

_MOST_ROWS = 40  # maximum number of rows of a printed table
_LONGEST = 200  # maximum length of a cell of a printed table
_LONGEST_IN_FILE = 10**6
_DPI = 110  # resolution of saved figures


@dataclass(frozen=True, eq=False, repr=False)
class Table(Tabular):
    """Named columns of the same length, one row for each observation."""

    columns: Mapping[str, tuple[Cell, ...]]

    @classmethod
    def of(cls, **columns: Iterable[Any]) -> Table:
        """Return a table built from columns: arrays or sequences of the same length."""
        plain = {name: tuple(_plain(column)) for name, column in columns.items()}
        if len({len(column) for column in plain.values()}) > 1:
            lengths = ", ".join(f"{name} {len(column):,}" for name, column in plain.items())
            raise InvalidInputError(f"the columns of a table must be equally long; got {lengths}")
        return cls(plain)

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
        """Return a table built from rows, with the given column names."""
        columns = list(zip(*rows, strict=True)) or [()] * len(names)
        return cls.of(**dict(zip(names, columns, strict=True)))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def rows(self) -> Iterable[tuple[Cell, ...]]:
        """Return the rows in order."""
        return zip(*self.columns.values(), strict=True)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        return pd.DataFrame({name: list(column) for name, column in self.columns.items()})

    def to_csv(self) -> str:
        """Return comma-separated text with a header and six significant digits for numbers."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self.rows():
            cells = (guard_formula(cell) if isinstance(cell, str) else cell for cell in row)
            writer.writerow([_text(cell, 6, "", _LONGEST_IN_FILE) for cell in cells])
        return text.getvalue()

    def __str__(self) -> str:
        rows = [tuple(self.columns), *([_text(cell, 4, "-", _LONGEST) for cell in row] for row in self.rows())]
        widths = [max(len(row[j]) for row in rows[: _MOST_ROWS + 1]) for j in range(len(self.columns))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows[: _MOST_ROWS + 1]
        ]
        left = len(self) - _MOST_ROWS
        return "\n".join(lines if left <= 0 else [*lines, f"… {plural(left, 'more row')}"])

    def _repr_html_(self) -> str:
        return preview(
            repr(self),
            {name: [_text(cell, 4, "-", _LONGEST) for cell in column] for name, column in self.columns.items()},
        )

    def __repr__(self) -> str:
        return f"Table({plural(len(self), 'row')}: {', '.join(self.columns)})"


@dataclass(frozen=True)
class Printed:
    """A number printed in a paper, beside ours.

    Attributes
    ----------
    what : str
        The quantity measured.
    paper, here : float
        The printed number and ours.
    standard_error : float or None
        The standard error of their difference, as given by the study; None if neither number varies.
    """

    what: str
    paper: float
    here: float
    standard_error: float | None = None

    @property
    def errors_apart(self) -> float | None:
        """The difference of the two numbers in standard errors; None without a standard error."""
        return abs(self.here - self.paper) / self.standard_error if self.standard_error else None


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult:
    """The findings of a study.

    Attributes
    ----------
    name, title : str
        The name of the study and the question it asks.
    tables : mapping of names to Table
        Tidy tables, the most important first.
    notes : tuple of str
        A summary of the results, in sentences computed from the numbers.
    printed : tuple of Printed
        The numbers of a paper beside ours; empty if the paper prints none.
    figures : mapping of names to functions
        Functions that draw a matplotlib Figure when called; see `figure`.

    Examples
    --------
    >>> from dendrometry._studies.result import Printed, StudyResult, Table
    >>> table = Table.of(linkage=["single", "ward"], similarity=[0.25, 0.75])
    >>> result = StudyResult("demo", "How alike?", {"similarity": table}, ("ward is more alike.",))
    >>> print(result)
    How alike?
    <BLANKLINE>
    linkage  similarity
    single   0.25
    ward     0.75
    <BLANKLINE>
    ward is more alike.
    """

    name: str
    title: str
    tables: Mapping[str, Table]
    notes: tuple[str, ...] = ()
    printed: tuple[Printed, ...] = ()
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)

    def to_frame(self, table: str | None = None) -> Any:
        """Return one of the tables as a pandas DataFrame, by default the first."""
        return self._table(table).to_frame()

    def figure(self, name: str | None = None) -> Figure:
        """Draw one of the figures, by default the first, as a new matplotlib Figure."""
        chosen: object = next(iter(self.figures), "") if name is None else name
        if not isinstance(chosen, str) or chosen not in self.figures:
            raise InvalidInputError(f"the figures are {', '.join(self.figures) or 'none'}; got {printable(name)}")
        require("matplotlib", extra="plot", for_="figure()")
        return self.figures[chosen]()

    def comparison(self) -> Table:
        """Return a table of the paper's numbers beside ours."""
        return Table.of(
            what=[number.what for number in self.printed],
            paper=[number.paper for number in self.printed],
            here=[number.here for number in self.printed],
            standard_error=[number.standard_error for number in self.printed],
            errors_apart=[number.errors_apart for number in self.printed],
        )

    def save(self, directory: FilePath, *, force: bool = False) -> list[Path]:
        """Write tables as CSV, figures as PNG and the printed result as text into a directory; return the files.

        The directory is created if it does not exist. Files are named after the study and the table or figure. If one
        of them exists, nothing is written unless ``force`` is set.
        """
        folder = Path(name_of(directory))
        contents: dict[Path, Callable[[], bytes]] = {_text_file(folder, self.name): lambda: f"{self}\n".encode()}
        tables = {**self.tables, **({"comparison": self.comparison()} if self.printed else {})}
        for name, table in tables.items():
            contents[folder / f"{self.name}-{name}.csv"] = lambda table=table: table.to_csv().encode()  # type: ignore[misc]
        for name, draw in self.figures.items():
            contents[folder / f"{self.name}-{name}.png"] = lambda draw=draw: _png(draw())  # type: ignore[misc]
        _check_outputs(contents, folder, flag(force, "force"))
        if self.figures:
            require("matplotlib", extra="plot", for_="save()")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise InvalidInputError(
                f"cannot make the directory {printable(str(folder), longest=4096)}:"
                f" {getattr(error, 'strerror', None) or error}"
            ) from None
        write_together({str(path): content() for path, content in contents.items()}, force=force)
        return list(contents)

    def _table(self, name: str | None) -> Table:
        """Return a table by name, by default the first."""
        chosen: object = next(iter(self.tables)) if name is None else name
        if not isinstance(chosen, str) or chosen not in self.tables:
            raise InvalidInputError(f"the tables are {', '.join(self.tables)}; got {printable(name)}")
        return self.tables[chosen]

    def __str__(self) -> str:
        parts = [self.title, str(self._table(None))]
        if self.printed:
            parts.append(str(self.comparison()))
        if self.notes:
            parts.append("\n".join(self.notes))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"StudyResult({self.name}: tables {', '.join(self.tables)}; figures {', '.join(self.figures) or 'none'})"


def check_results_place(directory: FilePath, name: str) -> None:
    """Raise an error, before the study runs, if the path is not a directory or already contains its results."""
    if os.path.lexists(directory) and not os.path.isdir(directory):
        raise InvalidInputError(f"results need a directory; {printable(str(directory), longest=4096)} is not one")
    _check_outputs([_text_file(Path(directory), name)], Path(directory), force=False)


def _text_file(folder: Path, name: str) -> Path:
    """Return the path of the text file for the printed result."""
    return folder / f"{name}.txt"


def _check_outputs(paths: Iterable[Path], folder: Path, force: bool) -> None:
    """Raise an error if one of the files exists, unless ``force``; the folder need not exist yet."""
    for path in paths if folder.is_dir() else ():
        check_place(path, force=force)


def _plain(column: Iterable[Any]) -> list[Cell]:
    """Return a column as plain Python values."""
    return [cell.item() if isinstance(cell, np.generic) else cell for cell in column]


def _text(cell: Cell, digits: int, nothing: str, longest: int) -> str:
    """Return a cell as one line of plain printable text, truncated after ``longest`` characters."""
    if cell is None:
        return nothing
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell + 0.0:.{digits}g}" if isinstance(cell, float) else printable(cell, longest)


def _png(figure: Figure) -> bytes:
    """Return a figure as the bytes of a PNG file, which are identical for identical figures."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=_DPI, metadata={"Software": None})
    return data.getvalue()
