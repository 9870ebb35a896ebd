"""What is said on a terminal while loops are compiled."""

import pytest

import dendrometry.cli
from dendrometry import _progress


@pytest.mark.parametrize(("terminal", "said"), [(True, "dendrometry: compiling, first run only\n"), (False, "")])
def test_long_compiling_is_announced_on_a_terminal(run, monkeypatch, capsys, terminal, said):
    monkeypatch.setattr(_progress, "_waiting", [])
    monkeypatch.setattr(dendrometry.cli, "on_terminal", lambda: terminal)
    run("measures")
    _progress.announce_compiling()
    _progress.announce_compiling()
    assert capsys.readouterr().err == said
