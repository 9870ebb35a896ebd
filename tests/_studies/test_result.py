"""The frame of the studies: tables, printed numbers beside ours, files."""

import numpy as np
import pytest

from dendrometry._studies import StudyResult
from dendrometry._studies.result import Printed, Table, check_results_place
from dendrometry.errors import InvalidInputError


def drawn():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.0, 1.0))
    figure.subplots().plot([0, 1])
    return figure


@pytest.fixture
def result():
    table = Table.of(measure=["R", "<b>"], value=np.array([0.123456789, 1.0]), falls=np.array([True, False]))
    more = Table.of_rows(("step", "note"), [(i, None) for i in range(50)])
    return StudyResult(
        "demo", "What?", {"gist": table, "more": more}, ("So it is.",), (Printed("R", 0.5, 0.47, 0.01),), {"one": drawn}
    )


def test_a_result_prints_its_table_the_paper_beside_it_and_what_they_say(result):
    head, table, comparison, notes = str(result).split("\n\n")
    assert head == "What?"
    assert table.splitlines() == ["measure  value   falls", "R        0.1235  yes", "<b>      1       no"]
    assert comparison.splitlines()[1].split() == ["R", "0.5", "0.47", "0.01", "3"]
    assert notes == "So it is."
    assert repr(result) == "StudyResult(demo: tables gist, more; figures one)"


def test_a_long_table_is_cut_when_printed_and_whole_as_csv(result):
    table = result.tables["more"]
    assert str(table).endswith("… 10 more rows")
    assert table.to_csv().splitlines() == ["step,note", *(f"{i}," for i in range(50))]
    assert repr(table) == "Table(50 rows: step, note)"


def test_tables_become_data_frames(result):
    frame = result.to_frame()
    assert frame["value"].tolist() == [0.123456789, 1.0]
    assert result.to_frame("more").shape == (50, 2)
    with pytest.raises(InvalidInputError, match="the tables are gist, more; got other"):
        result.to_frame("other")


def test_a_table_of_no_rows_keeps_its_columns():
    table = Table.of_rows(("a", "b"), [])
    assert (len(table), table.to_csv()) == (0, "a,b\n")


def test_columns_of_different_length_are_refused():
    with pytest.raises(InvalidInputError, match="equally long; got a 1, b 2"):
        Table.of(a=[1], b=[1, 2])


def test_no_standard_error_no_distance_in_standard_errors():
    assert Printed("splits", 33, 33).errors_apart is None


def test_figures_are_made_on_demand(result):
    assert result.figure().axes
    assert result.figure("one") is not result.figure("one")
    with pytest.raises(InvalidInputError, match="the figures are one; got two"):
        result.figure("two")
    with pytest.raises(InvalidInputError, match="the figures are none"):
        StudyResult("bare", "?", {"t": Table.of(a=[])}).figure()


def test_saving_writes_every_table_and_figure_the_same_each_time(result, tmp_path):
    files = result.save(tmp_path / "new" / "folder")
    names = ["demo.txt", "demo-gist.csv", "demo-more.csv", "demo-comparison.csv", "demo-one.png"]
    assert [path.name for path in files] == names
    assert files[0].read_text() == f"{result}\n"
    assert files[1].read_text() == "measure,value,falls\nR,0.123457,yes\n<b>,1,no\n"
    assert files[4].read_bytes().startswith(b"\x89PNG")
    again = result.save(tmp_path / "again")
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in again]


def test_long_text_is_cut_on_the_screen_and_whole_in_a_file():
    table = Table.of(items=["; ".join(["aardvark"] * 100)])
    assert str(table).endswith("…")
    assert table.to_csv() == f"items\n{'; '.join(['aardvark'] * 100)}\n"


def test_an_existing_file_is_replaced_only_by_force(result, tmp_path):
    (tmp_path / "demo-more.csv").write_text("mine")
    with pytest.raises(InvalidInputError, match=r"demo-more\.csv exists \(force=True replaces it"):
        result.save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["demo-more.csv"]
    check_results_place(tmp_path, "demo")
    result.save(tmp_path, force=True)
    assert (tmp_path / "demo-more.csv").read_text().startswith("step")
    with pytest.raises(InvalidInputError, match=r"demo\.txt exists"):
        check_results_place(tmp_path, "demo")


def test_a_directory_that_cannot_be_made_is_named(result, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInputError, match="cannot make the directory"):
        result.save(tmp_path / "file" / "below")
    with pytest.raises(InvalidInputError, match=r"results need a directory; .*file is not one"):
        check_results_place(tmp_path / "file", "demo")
