"""Reuters-21578 from files of the user: what a story holds, and what is refused."""

import contextlib
import gzip
import io
import tarfile
import tempfile
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import datasets
from dendrometry.datasets import ReutersStory, read_reuters
from dendrometry.errors import FormatError, InvalidInputError

FIRST = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="1">
<DATE>26-FEB-1987 15:01:01.79</DATE>
<TOPICS><D>grain</D><D>wheat</D></TOPICS>
<PLACES><D>usa</D></PLACES>
<UNKNOWN>
&#5;&#5;&#5;C T
&#22;&#22;&#1;f0704&#31;reute</UNKNOWN>
<TEXT>&#2;
<TITLE>HARVEST  AT SMITH &lt;SMTH.O> &amp;amp; SONS</TITLE>
<DATELINE>    SALVADOR, Feb 26 - </DATELINE><BODY>Wheat was cut in M\xfcnster.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="NO" NEWID="2">
<TOPICS></TOPICS>
<TEXT TYPE="BRIEF">&#2;
******<TITLE>NO BODY</TITLE>
Blah blah blah.
&#3;</TEXT>
</REUTERS>
"""
SECOND = """<REUTERS NEWID="1001">
<TOPICS><D>crude</D></TOPICS>
<TEXT TYPE="UNPROC">&#2;
OIL PRICES
 up again
&#3;</TEXT>
</REUTERS>
"""
STORIES = (
    ReutersStory(
        1,
        "HARVEST AT SMITH <SMTH.O> &amp; SONS",
        "Wheat was cut in M\xfcnster.\n Reuter",
        ("grain", "wheat"),
        datetime(1987, 2, 26, 15, 1, 1, 790_000),
        "TRAIN",
    ),
    ReutersStory(2, "NO BODY", "Blah blah blah.", ()),
    ReutersStory(1001, "", "OIL PRICES\n up again", ("crude",)),
)
FILES = {"reut2-000.sgm": FIRST, "reut2-001.sgm": SECOND}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    (tmp_path / "README.txt").write_text("<REUTERS>")
    (tmp_path / "reut2-002.sgm").mkdir()
    return tmp_path


def archive(path, members, compress=True):
    """Write a tar archive of names and contents; content that is text is the target of a link."""
    with tarfile.open(path, "w:gz" if compress else "w") as made:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                made.addfile(info)
            else:
                info.size = len(content)
                made.addfile(info, io.BytesIO(content))
    return path


def test_a_folder_of_sgml_files_gives_its_stories_in_order(folder):
    assert read_reuters(folder) == STORIES
    assert datasets.read_reuters(str(folder)) == STORIES


@pytest.mark.parametrize("compress", [True, False])
def test_an_archive_gives_the_same_wherever_its_members_want_to_go(tmp_path, compress):
    members = [
        ("../../reut2-001.sgm", SECOND.encode("latin-1")),
        ("/etc/reut2-000.sgm", FIRST.encode("latin-1")),
        ("lewis.dtd", b"<!ELEMENT>"),
    ]
    assert read_reuters(archive(tmp_path / "any", members, compress)) == STORIES
    assert [path.name for path in tmp_path.iterdir()] == ["any"]


def test_links_in_an_archive_are_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(FIRST)
    path = archive(tmp_path / "made.tar.gz", [("reut2-000.sgm", str(secret))])
    with pytest.raises(InvalidInputError, match=r"must hold the files reut2-000\.sgm .*made\.tar\.gz holds none"):
        read_reuters(path)


def test_any_number_of_bytes_may_be_allowed(folder):
    assert datasets.read_reuters(folder, max_bytes=2**63 - 1) == datasets.read_reuters(folder)


def test_more_bytes_than_allowed_are_refused(folder, tmp_path):
    total = sum(map(len, FILES.values()))
    with pytest.raises(InvalidInputError, match=f"at most {total - 1} bytes, unpacked; they have more .see max_bytes."):
        read_reuters(folder, max_bytes=total - 1)
    assert read_reuters(folder, max_bytes=total) == STORIES
    bomb = archive(tmp_path / "bomb.tar.gz", [("reut2-000.sgm", bytes(10**6))])
    assert bomb.stat().st_size < 10**4
    with pytest.raises(InvalidInputError, match="at most 10,000 bytes, unpacked; they have more"):
        read_reuters(bomb, max_bytes=10**4)


def test_a_sparse_member_larger_than_its_archive_is_refused(tmp_path):
    """A header of the old GNU kind says that a member without data is 8 GB of zeros."""
    info = tarfile.TarInfo("reut2-000.sgm")
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"77777777777\0"  # the size of the file unpacked
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "sparse.tar").write_bytes(bytes(header) + bytes(1024))
    with pytest.raises(InvalidInputError, match="at most 10,240 bytes, unpacked; they have more"):
        read_reuters(tmp_path / "sparse.tar", max_bytes=10_240)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('\n\n<REUTERS NEWID="1"><TEXT>', r"reut2-000.sgm, line 3: <REUTERS> must be closed by </REUTERS>"),
        ('<REUTERS NEWID="1">\n<REUTERS NEWID="2"></REUTERS>', r"line 1: <REUTERS> must be closed"),
        ("<REUTERS OLDID='1'></REUTERS>", "line 1: NEWID must be a number; got"),
        ('<REUTERS NEWID="x"></REUTERS>', "line 1: NEWID must be a number; got x"),
        ('<REUTERS NEWID="1"></REUTERS>' * 2, "a number .NEWID. of its own; got 1 twice"),
    ],
)
def test_damaged_stories_are_named(tmp_path, text, message):
    (tmp_path / "reut2-000.sgm").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_reuters(tmp_path)


@pytest.mark.parametrize(
    ("entity", "character"),
    [("&#233;", "é"), ("&#3;", ""), ("&#55296;", ""), ("&#9999999;", ""), ("&quot;&gt;", '">'), ("&copy;", "&copy;")],
)
def test_entities_are_characters_that_can_be_printed(tmp_path, entity, character):
    (tmp_path / "reut2-000.sgm").write_text(f'<REUTERS NEWID="1"><TEXT><BODY>x{entity}x</BODY></TEXT></REUTERS>')
    assert read_reuters(tmp_path)[0].text == f"x{character}x"


@pytest.mark.parametrize(
    "damage",
    [
        '<REUTERS NEWID="1"><TEXT>&#' + "9" * 10_000 + ";</TEXT></REUTERS>",
        "<REUTERS " + "A" * 100_000 + "></REUTERS>",
        '<REUTERS NEWID="1"><TOPICS>' + "<D>" * 50_000 + "</TOPICS></REUTERS>",
        '<REUTERS NEWID="1">' + "<TEXT " * 50_000 + "</REUTERS>",
    ],
    ids=["a long number", "a long word", "topics in topics", "tags that stay open"],
)
def test_absurd_stories_are_read_or_refused_at_once(tmp_path, damage):
    (tmp_path / "reut2-000.sgm").write_text(damage)
    with contextlib.suppress(FormatError):
        assert len(read_reuters(tmp_path)) == 1


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("  3-MAR-1987  09:15:05.40", datetime(1987, 3, 3, 9, 15, 5, 400_000)),
        (" 7-APR-1987 16:22:00.0", datetime(1987, 4, 7, 16, 22)),
        ("27-MAR-1987 00:02:59.13&#5;&#5;&#5;RM", datetime(1987, 3, 27, 0, 2, 59, 130_000)),
        ("19-OCT-1987 23:49:31", datetime(1987, 10, 19, 23, 49, 31)),
        ("31-MAR-1987 605:12:19.12", None),
        ("31-FEB-1987 05:12:19.12", None),
        ("31-MRZ-1987 05:12:19.12", None),
        ("", None),
    ],
)
def test_dates_are_read_with_their_noise_and_what_is_none_is_none(tmp_path, text, date):
    (tmp_path / "reut2-000.sgm").write_text(f'<REUTERS NEWID="1" LEWISSPLIT="NOT-USED"><DATE>{text}</DATE></REUTERS>')
    (story,) = read_reuters(tmp_path)
    assert story.date == date
    assert story.split == "NOT-USED"


PIECES = st.sampled_from(["", "<", ">", "</", "<REUTERS", '"', "&#"])


@given(at=st.integers(0, len(FIRST)), length=st.integers(0, 200), text=PIECES)
def test_any_damage_gives_stories_or_our_own_error(at, length, text):
    damaged = (FIRST[:at] + text + FIRST[at + length :]).encode("latin-1")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "reut2-000.sgm").write_bytes(damaged)
        with contextlib.suppress(FormatError):
            assert all(isinstance(story, ReutersStory) for story in read_reuters(folder))


def test_a_story_without_topics_and_text_is_kept_empty(tmp_path):
    (tmp_path / "REUT2-000.SGM").write_text('<REUTERS NEWID="3"><TOPICS><D>crude</REUTERS>')
    assert read_reuters(tmp_path) == (ReutersStory(3, "", "", ()),)


@pytest.mark.parametrize(
    "content", [b"", b"not an archive", gzip.compress(b"nor this", mtime=0), gzip.compress(b"cut", mtime=0)[:9]]
)
def test_what_is_no_archive_is_refused(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(FormatError, match=r"must be a folder, or a .tar or .tar.gz archive; got "):
        read_reuters(tmp_path / "file")


def test_a_damaged_archive_is_refused(tmp_path):
    path = archive(tmp_path / "made.tar.gz", [("reut2-000.sgm", FIRST.encode("latin-1"))])
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(FormatError, match=r"must be a folder, or a \.tar"):
        read_reuters(path)


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(InvalidInputError, match=r"cannot read .*nowhere: No such file"):
        read_reuters(tmp_path / "nowhere")


def test_an_empty_folder_holds_none(tmp_path):
    with pytest.raises(InvalidInputError, match=r"must hold the files reut2-000\.sgm to reut2-021\.sgm"):
        read_reuters(tmp_path)
