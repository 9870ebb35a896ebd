"""Where output goes: only new or regular files are written."""

import os
import re
from pathlib import Path

import pytest

from dendrometry import from_newick, read, write
from dendrometry.errors import InvalidInputError

TREE = from_newick("(a,b);")


def test_a_pipe_or_a_device_is_never_replaced(tmp_path):
    pipe = tmp_path / "pipe.nwk"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInputError, match=r"cannot write .*pipe.nwk: it is a pipe, not a file"):
        write(TREE, pipe, force=True)
    assert pipe.is_fifo()
    link = tmp_path / "null.nwk"
    link.symlink_to("/dev/null")
    with pytest.raises(InvalidInputError, match=r"cannot write .*null.nwk: it is a device, not a file"):
        write(TREE, link, force=True)
    (tmp_path / "folder.nwk").mkdir()
    with pytest.raises(InvalidInputError, match=r"cannot write .*folder.nwk: it is a folder, not a file"):
        write(TREE, tmp_path / "folder.nwk", force=True)
    assert sorted(os.listdir(tmp_path)) == ["folder.nwk", "null.nwk", "pipe.nwk"]


def test_a_link_to_nothing_is_written_through(tmp_path):
    (tmp_path / "link.nwk").symlink_to(tmp_path / "new.nwk")
    write(TREE, tmp_path / "link.nwk", force=True)
    assert read(tmp_path / "new.nwk") == TREE


def test_links_in_a_circle_are_our_own_error(tmp_path):
    (tmp_path / "a.nwk").symlink_to(tmp_path / "b.nwk")
    (tmp_path / "b.nwk").symlink_to(tmp_path / "a.nwk")
    for force in (False, True):
        with pytest.raises(InvalidInputError, match=r"a\.nwk"):
            write(TREE, tmp_path / "a.nwk", force=force)
    with pytest.raises(InvalidInputError, match="cannot read"):
        read(tmp_path / "a.nwk")
    assert sorted(os.listdir(tmp_path)) == ["a.nwk", "b.nwk"]


def test_the_page_on_security_names_tests_that_are_there():
    root = Path(__file__).parents[2]
    page = (root / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[\w/.]+)`", page))
    assert len(named) > 15
    assert not [name for name in named if not (root / name).exists()]
