"""One pool of threads: every job once, in order, whatever the number of threads."""

import os
from threading import get_ident

import numpy as np
import pytest

from dendrometry import _threads
from dendrometry._threads import balanced_order, n_cores, run_in_threads, share_pairs, share_rows, threads


@pytest.mark.parametrize("n_threads", [1, 3])
def test_results_come_in_the_order_of_the_jobs(n_threads):
    assert list(run_in_threads(lambda x: x * x, range(20), n_threads)) == [x * x for x in range(20)]


def test_threads_are_kept_for_several_calls():
    with threads(1) as run:
        first, second = ({*run(lambda _: get_ident(), range(3))} for _ in range(2))
    assert first == second != {get_ident()}


def test_an_error_in_a_thread_is_raised_where_the_results_are_read():
    with pytest.raises(ZeroDivisionError):
        list(run_in_threads(lambda x: 1 / x, [1, 0], 2))


@pytest.mark.parametrize("n_pieces", [1, 2, 5])
@pytest.mark.parametrize("least", [1, 64])
def test_rows_are_shared_once_each(monkeypatch, n_pieces, least):
    monkeypatch.setattr(_threads, "n_cores", lambda: n_pieces)
    pieces = []
    share_rows(pieces.append, np.arange(17), least)
    assert len(pieces) == (n_pieces if least == 1 else 1)
    assert sorted(np.concatenate(pieces).tolist()) == list(range(17))


@pytest.mark.parametrize("cores", [1, 2, 3, 5])
@pytest.mark.parametrize("n", [0, 1, 7, 30, 31, 97])
def test_pairs_are_shared_once_each(monkeypatch, cores, n):
    monkeypatch.setattr(_threads, "n_cores", lambda: cores)
    seen = np.zeros((n, n), dtype=int)
    running, together = set(), []

    def work(rows, columns):
        assert rows == columns or rows[1] <= columns[0]
        assert rows[0] % 3 == columns[0] % 3 == 0
        together.append(bool(running & {rows, columns}))
        running.update({rows, columns})
        for i in range(*rows):
            seen[i, max(i + 1, columns[0]) : columns[1]] += 1
        running.difference_update({rows, columns})

    share_pairs(work, n, 3)
    assert np.array_equal(seen, np.triu(np.ones((n, n), dtype=int), 1))
    assert not any(together)


def test_an_error_in_a_piece_is_raised(monkeypatch):
    monkeypatch.setattr(_threads, "n_cores", lambda: 2)

    def work(rows):
        raise ArithmeticError(rows.size)

    with pytest.raises(ArithmeticError, match="5"):
        share_rows(work, np.arange(10), 1)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8])
def test_a_balanced_order_has_small_and_large_numbers_in_turn(count):
    order = balanced_order(count)
    assert sorted(order.tolist()) == list(range(count))
    pairs = order[: count // 2 * 2].reshape(-1, 2).sum(axis=1)
    assert set(pairs.tolist()) <= {count - 1}


def test_cores_are_those_this_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert n_cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert n_cores() == 1
