"""Every public function, with one nasty argument at a time: a result, or an error of our family, and nothing else."""

import inspect
import signal

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from tests.trust.functions import NASTY, good_arguments, nasty, public_functions

from dendrometry.errors import DendrometryError, LostMeaningWarning

FUNCTIONS = public_functions()
SECONDS = 60
QUICK, SLOW = 6, 1000  # cases for a function: some 700 in every run, all 23,000 in the slow proofs


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.nwk").write_text("((a,b),c);", encoding="utf-8")
    (tmp_path / "reut2-000.sgm").write_text('<REUTERS NEWID="1"></REUTERS>', encoding="utf-8")
    (tmp_path / "texts.csv").write_text("title,text\na,oil and gas\nb,ships left\n", encoding="utf-8")
    return tmp_path


def call(function, arguments):
    """Call a function, and take the first results of one that gives them one by one."""
    result = function(**arguments)
    if inspect.isgenerator(result):
        for _ in zip(range(5), result, strict=False):
            pass


@pytest.mark.filterwarnings("ignore::dendrometry.errors.LostMeaningWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_that_are_known_work(name, folder):
    call(FUNCTIONS[name], good_arguments(name, FUNCTIONS[name], folder))


def refuse_to_wait(*_):
    raise TimeoutError(f"one case took more than {SECONDS} s")


@pytest.mark.filterwarnings("ignore::dendrometry.errors.LostMeaningWarning")
@pytest.mark.parametrize(
    "cases", [QUICK, pytest.param(SLOW, marks=[pytest.mark.slow, pytest.mark.compiled])], ids=["quick", "slow"]
)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_nasty_argument_gives_a_result_or_our_own_error(name, cases, folder):
    function = FUNCTIONS[name]
    keys = list(inspect.signature(function).parameters)
    pairs = [(key, at) for key in keys for at in range(len(NASTY))]
    rng = np.random.default_rng(sum(map(ord, name)))
    before = signal.signal(signal.SIGALRM, refuse_to_wait)
    with mpl.rc_context({"figure.max_open_warning": 0}):
        for i in rng.permutation(len(pairs))[: min(cases, len(pairs))].tolist():
            key, at = pairs[i]
            arguments = good_arguments(name, function, folder) | {key: nasty(at, key)}
            signal.alarm(SECONDS)
            try:
                call(function, arguments)
            except (DendrometryError, LostMeaningWarning):
                pass
            except Exception as error:
                pytest.fail(f"{name}({key}= number {at}): {type(error).__name__}: {error}")
            finally:
                plt.close("all")
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
