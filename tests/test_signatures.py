"""What help() prints: signatures in the words of the documentation, not in those of the type checker."""

import inspect
from types import ModuleType

import pytest

import dendrometry as dm

MODULES = [dm, *(value for name in dm.__all__ if isinstance(value := getattr(dm, name), ModuleType))]
WORDS = ("typing.", "numpy.", "np.", "collections.", "Literal[", "dendrometry.", "ForwardRef", "PathLike")


def methods(cls):
    """The public functions of a class that the package defines."""
    for name, value in vars(cls).items():
        function = getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(function):
            yield name, function


def public():
    """Every function and class of every public module, and the methods of the classes, by name; errors have none."""
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) and issubclass(value, Exception):
                continue
            if callable(value) and getattr(value, "__module__", "").startswith("dendrometry"):
                yield f"{module.__name__}.{name}", value
                if inspect.isclass(value):
                    yield from ((f"{module.__name__}.{name}.{method}", it) for method, it in methods(value))


PUBLIC = dict(public())


@pytest.mark.parametrize("name", PUBLIC)
def test_signatures_print_the_names_of_types(name):
    signature = str(inspect.signature(PUBLIC[name]))
    assert not [word for word in WORDS if word in signature]
    assert len(signature) < 480 or inspect.isclass(PUBLIC[name])


def test_signatures_of_functions_classes_and_methods_are_read():
    assert {
        "dendrometry.comparison.Line",
        "dendrometry.plot.icicle",
        "dendrometry.text.cluster_documents",
    } <= PUBLIC.keys()
    assert "dendrometry.Hierarchy.restrict" in PUBLIC


def test_random_numbers_have_one_default():
    defaults = {
        name: signature.parameters["rng"].default
        for name, value in PUBLIC.items()
        if not inspect.isclass(value) and "rng" in (signature := inspect.signature(value)).parameters
    }
    assert len(defaults) > 15
    assert set(defaults.values()) == {0}, defaults


def test_a_tree_that_must_be_given_comes_before_its_data():
    named = {name: inspect.signature(value).parameters for name, value in PUBLIC.items() if inspect.isfunction(value)}
    placed = {
        name: [each for each, it in found.items() if it.kind is not it.KEYWORD_ONLY] for name, found in named.items()
    }
    both = {name: names for name, names in placed.items() if "tree" in names and {"X", "D"} & set(names)}
    both = {name: names for name, names in both.items() if named[name]["tree"].default is inspect.Parameter.empty}
    assert len(both) > 5
    assert all(names[0] == "tree" for names in both.values()), both
