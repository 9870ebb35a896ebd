"""Every public function, method and constructor: a result that keeps the laws, or an error of our family."""

import inspect
import re
import signal

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from tests.oracles.sets.validity import flaw
from tests.trust.fuzz.cases import CASES
from tests.trust.fuzz.draws import draw_arguments
from tests.trust.fuzz.functions import good_arguments, public_functions
from tests.trust.fuzz.laws import check_result
from tests.trust.fuzz.nasty import NASTY, nasty

import dendrometry
from dendrometry import Hierarchy
from dendrometry.errors import DendrometryError, ItemMismatchError, LostMeaningWarning, Remedy

FUNCTIONS = public_functions()
FOREVER = 900  # seconds after which a case is taken to be endless
FEW_NASTY = 5  # for a function in every run; all of them in the slow proofs
EFFORT = {"report": 100, "plot.matches": 20} | dict.fromkeys((f for f in FUNCTIONS if f.startswith("plot.")), 10)

pytestmark = pytest.mark.filterwarnings(
    "ignore::dendrometry.errors.LostMeaningWarning", "ignore::dendrometry.errors.AssumptionWarning"
)
slow = [pytest.mark.slow, pytest.mark.compiled]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.nwk").write_text("((a,b),c);", encoding="utf-8")
    (tmp_path / "reut2-000.sgm").write_text('<REUTERS NEWID="1"></REUTERS>', encoding="utf-8")
    (tmp_path / "texts.csv").write_text("title,text\na,oil and gas\nb,ships left\n", encoding="utf-8")
    (tmp_path / "wire.csv").write_text("time,text\n1,oil and gas\n2,ships left\n", encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def patience():
    """End a case that would go on forever, with an error that is not ours."""

    def refuse_to_wait(*_):
        raise TimeoutError(f"one case took more than {FOREVER} s")

    before = signal.signal(signal.SIGALRM, refuse_to_wait)
    with mpl.rc_context({"figure.max_open_warning": 0}):
        yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def outcome(name, make_arguments):
    """Call a function; return whether it gave a result that keeps the laws, or refused. All else ends the test."""
    signal.alarm(FOREVER)
    arguments = {}
    try:
        arguments = make_arguments()
        check_result(name, FUNCTIONS[name], arguments, FUNCTIONS[name](**arguments))
    except (DendrometryError, LostMeaningWarning) as error:
        check_advice(name, error)
        return "refused"
    except Exception as error:
        pytest.fail(f"{name}({shown(arguments)}): {type(error).__name__}: {error}")
    finally:
        plt.close("all")
    return "result"


def check_advice(name, error):
    """Check that a message advises no argument that the function called does not have, in its fields or its text."""
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    own = [str(part) for part in error.args if not (isinstance(part, Remedy) and part.function)]
    text = re.sub(r"'.*?'|\w\(.*?\)", "", " ".join(part.partition("got ")[0] for part in own))  # without other calls
    assert {*re.findall(r"(\w+)=", text)} <= set(parameters), f"{name}() has no such argument: {error}"


def shown(arguments):
    """Return arguments as text, also those that refuse to be shown."""
    return ", ".join(f"{key}={dendrometry._display.printable_repr(value)}" for key, value in arguments.items())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_that_are_known_work(name, folder):
    assert outcome(name, lambda: good_arguments(name, FUNCTIONS[name], folder)) == "result"


@pytest.mark.parametrize("most", [FEW_NASTY, pytest.param(10**6, marks=slow)], ids=["few", "all"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_nasty_argument_gives_a_result_or_our_own_error(name, most, folder):
    keys = [key for key in inspect.signature(FUNCTIONS[name]).parameters if key != "self"]
    pairs = [(key, at) for key in keys for at in range(len(NASTY))]
    rng = np.random.default_rng(sum(map(ord, name)))
    for i in rng.permutation(len(pairs))[:most].tolist():
        key, at = pairs[i]
        outcome(name, lambda: good_arguments(name, FUNCTIONS[name], folder) | {key: nasty(at, name, key)})  # noqa: B023


def test_trees_with_different_items_are_refused_with_advice_that_can_be_followed(folder):
    trees = [dendrometry.from_newick("((a_1:1,b:1):1,c:2);"), dendrometry.from_newick("(('A 1':1,b:1):1,d:2);")]
    refused = set()
    for name, function in FUNCTIONS.items():
        arguments = good_arguments(name, function, folder)
        keys = [key for key, value in arguments.items() if isinstance(value, Hierarchy)]
        arguments |= dict(zip(keys, trees, strict=False)) | ({"trees": trees} if "trees" in arguments else {})
        try:
            if len(keys) > 1 or "trees" in arguments:
                function(**arguments)
        except ItemMismatchError as error:
            refused.add(name)
            check_advice(name, error)
        except DendrometryError as error:
            check_advice(name, error)
    assert {"compare", "plot.tanglegram", "robinson_foulds", "consensus", "stages", "Overlap.of"} <= refused


def share(kind):
    """Return the number of cases for each function: all in all those of the table, fewer where one takes long."""
    weight = {name: 1 / EFFORT.get(name, 1) for name in FUNCTIONS}
    unit = CASES["arguments"][kind] / sum(weight.values())
    return {name: max(1, round(unit * part)) for name, part in weight.items()}


@pytest.mark.parametrize("kind", [0, pytest.param(1, marks=slow)], ids=["few", "many"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_drawn_at_random_give_results_that_keep_the_laws(name, kind, folder):
    rng = np.random.default_rng(kind)
    good = good_arguments(name, FUNCTIONS[name], folder)
    draws = share(kind)[name]
    seen = [outcome(name, lambda: draw_arguments(name, FUNCTIONS[name], good, rng)) for _ in range(draws)]
    print(f"{name}: {seen.count('result')} results, {seen.count('refused')} refused")
    assert seen.count("result") >= draws // 20


def test_the_slow_proofs_are_a_million_cases():
    assert sum(many for _, many in CASES.values()) == 1_000_000


def test_the_cases_of_all_functions_are_those_of_the_table():
    for kind in (0, 1):
        assert sum(share(kind).values()) == pytest.approx(CASES["arguments"][kind], rel=0.1)


def test_functions_methods_and_constructors_are_found():
    known = {"compare", "rand", "text.first_stories", "Hierarchy", "Hierarchy.restrict", "HierarchicalClustering.fit"}
    known |= {"Overlap.from_triples", "Contingency.of", "text.Documents.with_embeddings", "plot.tanglegram"}
    assert known < FUNCTIONS.keys()
    assert not [name for name in FUNCTIONS if name.rpartition(".")[2].startswith("_")]


def test_a_new_public_function_asks_for_its_arguments(folder):
    def regrow(tree, vigour):
        """A function that was born today."""

    message = r'regrow\(\) is public, .* parameter vigour: add "vigour" .* to GOOD in tests/trust/fuzz/good.py'
    with pytest.raises(AssertionError, match=message):
        good_arguments("regrow", regrow, folder)


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        (([2, 2, -1], None, [0, 1], ["a", "b"], ()), None),
        (([2, 2, -1], [0.0, 0.0, 1.0], [0, 1], ["a", "b"], ("", "", "c")), None),
        (([-1, 2, -1], None, [0, 1], ["a", "b"], ()), "the root"),
        (([2, 7, -1], None, [0, 1], ["a", "b"], ()), "a parent is a node"),
        (([1, 0, -1], None, [0, 1], ["a", "b"], ()), "parents come after"),
        (([2, 2, -1], None, [0, 3], ["a", "b"], ()), "an item belongs to a node"),
        (([2, 2, -1], None, [0, 0], ["a", "b"], ()), "a leaf has an item"),
        (([2, 2, -1], None, [0, 1], ["a", "a"], ()), "a name of its own"),
        (([2, 2, -1], None, [0, 1], ["a", 1], ()), "names are text"),
        (([2, 2, -1], None, [0, 1], ["a", "b"], ("c",)), "or none"),
        (([2, 2, -1], [0.0, 0.0, float("nan")], [0, 1], ["a", "b"], ()), "finite height"),
    ],
)
def test_the_walk_that_judges_trees_sees_each_flaw(columns, problem):
    found = flaw(*columns)
    assert found is None if problem is None else problem in found
