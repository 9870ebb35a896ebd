"""Nothing global is changed, in eight threads either: warning filters, csv limits, random state, numpy's errors."""

import csv
import io
import locale
import random
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dendrometry import agglomerate, compare, from_newick, read, write
from dendrometry.errors import DendrometryError, FormatError
from dendrometry.io._shared.rows import RowReader
from dendrometry.io.formats.delimited import from_delimited
from dendrometry.text import read_documents

TREE = from_newick("((0:1,1:1):1,2:2);")


def state():
    """Return what the whole process shares."""
    return (
        list(warnings.filters),
        warnings.showwarning,
        csv.field_size_limit(),
        random.getstate(),
        np.random.get_state()[1].tolist(),  # noqa: NPY002 - the shared state is what is looked at
        np.geterr(),
        np.get_printoptions(),
        locale.setlocale(locale.LC_ALL),
    )


def jobs(folder):
    """Return calls that used to change something, and some that compute."""
    write(TREE, folder / "x.npy")
    (folder / "bad.npy").write_bytes((folder / "x.npy").read_bytes()[:-1])
    (folder / "x.csv").write_text("item,path\n" + "a" * 200_000 + ",b\nc,d\n", encoding="utf-8")
    (folder / "texts.csv").write_text('title,text\na,"' + "word " * 40_000 + '"\nb,oil and gas\n', encoding="utf-8")
    (folder / "bad.csv").write_text('title,text\na,"b\n', encoding="utf-8")
    points = np.random.default_rng(0).random((30, 3))
    return [
        lambda: read(folder / "x.npy").height.tolist(),
        lambda: read(folder / "bad.npy"),
        lambda: read(folder / "x.csv").items,
        lambda: read_documents(folder / "texts.csv").items,
        lambda: read_documents(folder / "bad.csv"),
        lambda: agglomerate(points, linkage="ward").hierarchy.height.tolist(),
        lambda: [line.value for line in compare(TREE, TREE).lines],
    ]


def outcome(job):
    """Return what a job gives, or the error that it is refused with."""
    try:
        return job()
    except DendrometryError as error:
        return str(error)


def test_eight_threads_leave_the_process_as_it_was(tmp_path):
    todo = jobs(tmp_path)
    expected = [outcome(job) for job in todo]
    before = state()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: outcome(todo[number % len(todo)]), range(200)))
    assert state() == before
    assert found == [expected[number % len(todo)] for number in range(200)]


def test_values_longer_than_the_limit_of_the_csv_module_are_read(tmp_path):
    assert csv.field_size_limit() < 200_000
    assert from_delimited("item,label\n" + "a" * 200_000 + ",b\n", ",").tree.items == ("a" * 200_000,)


TEXTS = [
    "a,b\r\n1,2\n",
    'a,"b"\n',
    '"a,1","b\nc"\n\n\nd,e',
    'a"b,c\n',
    '"a""b",""""\n',
    "a\rb\rc",
    ",\n",
    '""\n',
    "\n\n",
    '"x\r\ny",z\r\n',
    " ,\t\n",
    "a,\0\n",
    '"a" ,b\n',
    '"a"b\n',
    '"a',
    '"a""',
    'a,"b\n\n',
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_rows_are_those_of_the_csv_module(text, delimiter):
    text = text.replace(",", delimiter)
    try:
        expected = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if row]
    except csv.Error:
        with pytest.raises(FormatError, match="the table must be well formed"):
            list(RowReader(io.StringIO(text, newline=""), delimiter))
    else:
        assert list(RowReader(io.StringIO(text, newline=""), delimiter)) == expected


def test_random_rows_are_those_of_the_csv_module():
    rng = np.random.default_rng(0)
    for _ in range(3000):
        text = "".join(rng.choice(list('ab,",\n\r""'), size=rng.integers(1, 15)))
        test_rows_are_those_of_the_csv_module(text, ",")


def test_a_row_knows_its_lines():
    reader = RowReader(['a,"b\n', 'c"\n', "\n", "d,e\n"], ",")
    assert [(reader.first, reader.last) for _ in reader] == [(1, 2), (4, 4)]
