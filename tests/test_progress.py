"""Progress: asked for, seen on standard error, and never in the way."""

import sys
import threading

import pytest

from dendrometry import _progress, agglomerate
from dendrometry._progress import bar, on_terminal, reported_to, spinner, track


@pytest.fixture(params=[False, True], ids=["log", "terminal"])
def terminal(request, monkeypatch):
    monkeypatch.setenv("TTY_COMPATIBLE", "1" if request.param else "0")
    return request.param


@pytest.fixture
def without_rich(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rich", None)


@pytest.fixture
def long_work(monkeypatch):
    """Work that is long to a spinner: a function that returns when the time has come to draw it."""
    begun, drawing = threading.Event(), _progress._drawing

    def begin(title, total, *, counting=True):
        if not counting:  # not a bar
            begun.set()
        return drawing(title, total, counting=counting)

    monkeypatch.setattr(_progress, "_DELAY", 0.0)
    monkeypatch.setattr(_progress, "_drawing", begin)
    return begun.wait


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("total", [3, None])
def test_passes_everything_on_and_is_seen_on_stderr_only(terminal, shown, total, capfd):
    assert list(track(iter("abc"), "letters [of 3] {sic}", total, shown)) == ["a", "b", "c"]
    out, err = capfd.readouterr()
    assert out == ""
    assert ("letters [of 3] {sic}" in err) == shown
    assert ("3/3" in err) == (shown and total is not None)


def test_a_bar_counts_the_steps_it_is_told(terminal, capfd):
    with bar("merging", 12, True) as advance:
        advance(5)
        advance(7)
    assert "12/12" in capfd.readouterr().err


def test_a_bar_leaves_with_an_error(capfd):
    def stop():
        with bar("merging", 12, True) as advance:
            advance(5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert "5/12" in capfd.readouterr().err


def test_a_spinner_shows_long_work(monkeypatch, long_work, capfd):
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with spinner("thinking", True):
        long_work()
    out, err = capfd.readouterr()
    assert (out, "thinking" in err) == ("", True)


def test_a_spinner_does_not_show_short_work(monkeypatch, capfd):
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setattr(_progress, "_DELAY", 10_000.0)  # seconds, which end with the work
    with spinner("thinking", True):
        pass
    assert capfd.readouterr() == ("", "")


def test_a_spinner_that_nobody_asked_for_waits_for_nothing(monkeypatch, capfd):
    monkeypatch.setattr(threading, "Timer", None)
    with spinner("thinking", False):
        pass
    assert capfd.readouterr() == ("", "")


def test_a_spinner_leaves_nothing_in_a_log(monkeypatch, long_work, capfd):
    monkeypatch.setenv("TTY_COMPATIBLE", "0")
    with spinner("thinking", True):
        long_work()
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("without_rich")
def test_without_rich_one_line_says_what_is_done_and_what_to_install(long_work, capfd):
    note = "(for a progress bar: pip install 'dendrometry[cli]')\n"
    assert agglomerate([[0.0], [1.0], [5.0]], progress=True).hierarchy.n_items == 3
    assert capfd.readouterr() == ("", f"merging {note}")
    assert list(track("abc", "letters", None, True)) == ["a", "b", "c"]
    assert capfd.readouterr() == ("", f"letters {note}")
    with spinner("thinking", True):
        long_work()
    assert capfd.readouterr() == ("", f"thinking {note}")
    agglomerate([[0.0], [1.0], [5.0]])
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("without_rich")
def test_without_rich_and_stderr_nothing_is_printed_elsewhere(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stderr", None)
    assert list(track("abc", "letters", 3, True)) == ["a", "b", "c"]
    assert not on_terminal()
    assert capfd.readouterr() == ("", "")


def test_progress_is_reported_to_a_function_in_place_of_being_drawn(capsys):
    seen = []
    with reported_to(lambda *step: seen.append(step)):
        assert on_terminal()
        assert list(track("ab", "letters", 2, True)) == ["a", "b"]
        with bar("unseen", 1, False) as advance:
            advance(1)
    assert seen == [("letters", 0, 2), ("letters", 1, 2), ("letters", 2, 2)]
    assert capsys.readouterr().err == ""
