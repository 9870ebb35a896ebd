"""Documents from folders and tables, and files that are not what they should be."""

import csv
import os
import subprocess
import sys

import duckdb
import pytest

from dendrometry import DendrometryError
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.text import read_documents, sources


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "news"
    (made / "sea").mkdir(parents=True)
    (made / "sea" / "port.txt").write_text("the ship left", encoding="utf-8")
    (made / "b").write_text("wheat and grain", encoding="utf-8-sig")
    (made / "a").write_text("", encoding="utf-8")
    (made / ".hidden").write_text("hidden words", encoding="utf-8")
    (made / ".git").mkdir()
    (made / ".git" / "config").write_text("more hidden words", encoding="utf-8")
    return made


def parquet(path, rows):
    values = ", ".join(rows)
    with duckdb.connect() as database:
        database.execute(f"COPY (SELECT * FROM (VALUES {values}) t(title, text, year)) TO '{path}' (FORMAT parquet)")


def test_every_file_of_a_folder_is_a_document(folder):
    found = read_documents(folder)
    assert found.items == ("b", "sea/port.txt")
    assert found.terms == ("grain", "left", "ship", "wheat")
    assert found.skipped == (("a", "empty"),)


def test_a_link_to_a_folder_above_does_not_loop(folder):
    os.symlink(folder, folder / "sea" / "again")
    os.symlink(folder / "nowhere", folder / "broken")
    assert read_documents(folder).items == ("b", "sea/port.txt")


def test_a_file_in_another_encoding_is_refused_by_name(folder):
    (folder / "latin").write_bytes("café prices".encode("latin-1"))
    with pytest.raises(
        FormatError,
        match=r"news/latin: the text must be in the encoding given; byte 3 is not \(encoding= names",
    ):
        read_documents(folder)


def test_a_file_in_another_encoding_is_left_out_on_request(folder):
    (folder / "latin").write_bytes("café prices".encode("latin-1"))
    found = read_documents(folder, on_bad_encoding="skip")
    assert ("latin", "wrong encoding") in found.skipped
    assert found.items == ("b", "sea/port.txt")
    assert "café" in read_documents(folder, encoding="latin-1").terms


def test_names_of_files_that_are_no_text_are_shown_as_escapes(folder):
    try:
        (folder / os.fsdecode(b"x\xff")).write_text("whale", encoding="utf-8")
    except (OSError, ValueError):
        pytest.skip("this file system takes only names in Unicode")
    assert "x\\xff" in read_documents(folder).items


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t"), (".CSV", ",")])
def test_rows_of_a_table_are_documents(tmp_path, suffix, delimiter):
    path = tmp_path / f"news{suffix}"
    with open(path, "w", encoding="utf-8-sig", newline="") as stream:
        rows = [["id", "title", "text"], ["1", "Oil", 'crude "oil"\nup'], ["2", "Oil", "gas, too"], ["3", "NA", ""]]
        csv.writer(stream, delimiter=delimiter).writerows(rows)
    found = read_documents(path)
    assert found.items == ("Oil", "Oil (2)")
    assert found.terms == ("crude", "gas", "oil")
    assert found.skipped == (("NA", "empty"),)
    assert read_documents(path, text="title", title="id").items == ("1", "2", "3")
    assert read_documents(path, text="title").items == ("0", "1", "2")


def test_rows_of_parquet_are_documents(tmp_path):
    path = tmp_path / "it's.parquet"
    parquet(str(path).replace("'", "''"), ["('Oil', 'crude oil', 1987)", "(NULL, 'gas', 1988)", "('x', NULL, 1)"])
    found = read_documents(path)
    assert (found.items, found.titles) == (("Oil", "document 2"), ("Oil", ""))
    assert found.skipped == (("x", "empty"),)
    with pytest.raises(FormatError, match="column 'year' must hold text"):
        read_documents(path, text="year")
    with pytest.raises(InvalidInputError, match="must have one column 'body'; its columns are 'title', 'text', 'year'"):
        read_documents(path, text="body")
    assert read_documents(path, title="year").items == ("1987", "1988")


def test_a_name_that_looks_like_a_pattern_is_a_name(tmp_path):
    parquet(tmp_path / "news1.parquet", ["('other', 'other words', 1)"])
    for name in ("news[1].parquet", "news*.parquet"):
        (tmp_path / "made.parquet").unlink(missing_ok=True)
        parquet(tmp_path / "made.parquet", ["('Oil', 'crude oil', 1987)"])
        try:
            (tmp_path / "made.parquet").rename(tmp_path / name)
        except OSError:
            continue  # this system has no such names
        assert read_documents(tmp_path / name).items == ("Oil",)


def test_lines_without_values_are_counted(tmp_path):
    path = tmp_path / "news.csv"
    path.write_bytes(b"title,text\na,oil\n\n\nb,caf\xe9\n\nc\n")
    with pytest.raises(FormatError, match=r"news.csv, line 5: the text must be in the encoding given"):
        read_documents(path)
    with pytest.raises(FormatError, match=r"news.csv, line 7: every row must have 2 values; got 1"):
        read_documents(path, encoding="latin-1")


def test_all_doors_give_the_same_vectors(tmp_path, folder):
    rows = [("b", "wheat and grain"), ("sea/port.txt", "the ship left")]
    table = tmp_path / "news.csv"
    table.write_text("title,text\n" + "".join(f"{a},{b}\n" for a, b in rows), encoding="utf-8")
    parquet(tmp_path / "news.parquet", [f"('{a}', '{b}', 1)" for a, b in rows])
    expected = read_documents(folder)
    for path in (table, tmp_path / "news.parquet"):
        found = read_documents(path)
        assert (found.items, found.terms) == (expected.items, expected.terms)
        assert (found.vectors.toarray() == expected.vectors.toarray()).all()


def test_a_row_in_another_encoding_is_refused_by_line_or_left_out(tmp_path):
    path = tmp_path / "news.csv"
    path.write_bytes(b'title,text\na,oil\nb,"caf\xe9\nau lait"\nc\xe9,gas\n')
    with pytest.raises(FormatError, match=r"news.csv, line 3: the text must be in the encoding given"):
        read_documents(path)
    found = read_documents(path, on_bad_encoding="skip")
    assert found.items == ("a",)
    assert found.skipped == (("b", "wrong encoding"), ("c\\xe9", "wrong encoding"))
    assert read_documents(path, encoding="latin-1").items == ("a", "b", "cé")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must have a header; it is empty"),
        (b"title,body\na,b\n", "must have one column 'text'; its columns are 'title', 'body'"),
        (b"text,text\na,b\n", "must have one column 'text'"),
        (b"title,text\na,b\nc\n", "line 3: every row must have 2 values; got 1"),
        (b'title,text\na,"b\n', "line 2: the table must be well formed"),
        (b'title,text\na,b\nc,"d"e\n', "line 3: the table must be well formed"),
        (b"title,text\n", "news.csv: there must be at least one document; got none$"),
        ("title,text\na,b\n".encode("utf-16"), "line 1: the header must be in the encoding given"),
    ],
)
def test_broken_tables_are_refused_with_their_line(tmp_path, content, message):
    path = tmp_path / "news.csv"
    path.write_bytes(content)
    before = csv.field_size_limit()
    with pytest.raises(DendrometryError, match=message):
        read_documents(path)
    assert csv.field_size_limit() == before


def test_what_is_no_parquet_is_refused(tmp_path):
    path = tmp_path / "news.parquet"
    path.write_bytes(b"PAR1 nothing of the kind")
    with pytest.raises(FormatError, match=r"news.parquet must be Parquet"):
        read_documents(path)


def test_other_paths_are_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="there is no such file or folder"):
        read_documents(tmp_path / "none.csv")
    (tmp_path / "one.txt").write_text("words", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"must be a folder, or a .csv, .tsv or .parquet file; got .*one.txt"):
        read_documents(tmp_path / "one.txt")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".hidden").write_text("words", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"empty: there must be at least one document; got none \(hidden"):
        read_documents(tmp_path / "empty")
    with pytest.raises(InvalidInputError, match="standard input, -, is not read"):
        read_documents("-")
    with pytest.raises(InvalidInputError, match="a path must be text"):
        read_documents(3)
    with pytest.raises(InvalidInputError, match="encoding must be the name of a Python codec; got klingon"):
        read_documents(tmp_path, encoding="klingon")
    with pytest.raises(InvalidInputError, match="on_bad_encoding must be 'error' or 'skip'; got 'guess'"):
        read_documents(tmp_path, on_bad_encoding="guess")


def test_a_document_that_is_too_large_is_refused(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_CHARACTERS", 14)
    with pytest.raises(InvalidInputError, match=r"a document must be at most 14 long; .* has 18"):
        read_documents(folder)
    table = tmp_path / "news.csv"
    table.write_text("title,text\na," + "word " * 5, encoding="utf-8")
    with pytest.raises(FormatError, match=r"line 2: the table must be well formed; got field larger"):
        read_documents(table)


GIGABYTE = """
import resource, sys
import numpy as np
resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, 2 * 10**9))
from dendrometry.text import vectorize_documents

SIZE = 10**9
rng = np.random.default_rng(0)
words = np.array(["".join(letters) for letters in rng.choice(list("aeioubcdfgklmnprst"), size=(200_000, 7))])
total = 0

def stream():
    global total
    while total < SIZE:
        text = " ".join(words[np.minimum(rng.zipf(1.2, size=600) - 1, words.size - 1)].tolist())
        total += len(text)
        yield text

found = vectorize_documents(stream(), min_documents=2)
assert total >= SIZE, total
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{total:,} characters, {found!r}, {found.vectors.nnz:,} entries, peak {peak:,.0f} MB")
"""


@pytest.mark.slow
def test_a_gigabyte_of_text_fits_in_two():
    run = subprocess.run(
        [sys.executable, "-c", GIGABYTE],
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert run.returncode == 0, run.stderr
    assert "characters, Documents(" in run.stdout
