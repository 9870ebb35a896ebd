"""All public functions, methods and constructors, found by looking, and the arguments that are known to work."""

import copy
import inspect
import types

from tests.trust.fuzz.good import CHANGING, GOOD, LABELS, QUICK

import dendrometry

UNASKED = {
    "datasets.fetch": "uses the network",
}


def public_values():
    """Yield every public name that is not a module, with its value; a value may have several names."""
    rooms = [("", dendrometry)]
    for prefix, room in rooms:
        for name in room.__all__:
            value = getattr(room, name)
            if not isinstance(value, types.ModuleType):
                yield prefix + name, value
            elif hasattr(value, "__all__"):
                rooms.append((f"{prefix}{name}.", value))


def methods(name, kind):
    """Yield the public methods of a class that this package defines, and its constructor if users are to call it.

    The docstring of a class that users construct has a section of parameters; other classes are results, whose
    constructors hold what the package puts into them.
    """
    if "\n    Parameters\n" in (kind.__doc__ or ""):
        yield name, kind
    for key, value in inspect.getmembers_static(kind):
        function = getattr(value, "__func__", value)
        if not key.startswith("_") and inspect.isfunction(function) and function.__module__.startswith("dendrometry"):
            yield f"{name}.{key}", getattr(kind, key)


def public_functions():
    """Return every public function, method and constructor by the shortest name under which users reach it."""
    found = {}
    for name, value in public_values():
        if inspect.isclass(value) and not issubclass(value, BaseException):
            for key, method in methods(name, value):
                found.setdefault(method, key)
        elif inspect.isfunction(value):
            found.setdefault(value, name)
    return {name: function for function, name in found.items() if name not in UNASKED}


def good_arguments(name, function, folder):
    """Return arguments that work: for all parameters that must be given, and for those that keep a call quick."""
    parameters = inspect.signature(function).parameters
    of_labels = "b" in parameters and parameters["b"].default is None
    paths = {
        "read_reuters": ".",
        "read_": "texts.csv",
        "StoryStream.read": "wire.csv",
        "browse": "out.html",
        "report": "out.html",
    }
    path = next((file for part, file in paths.items() if part in name), "tree.nwk")
    arguments = {}
    for key, parameter in parameters.items():
        if key == "path":
            arguments[key] = str(folder / path)
        elif key == "directory":
            arguments[key] = str(folder / "saved")
        elif f"{name}.{key}" in GOOD:
            arguments[key] = GOOD[f"{name}.{key}"]
        elif key in QUICK:
            arguments[key] = QUICK[key]
        elif of_labels and key in ("a", "b"):
            arguments[key] = LABELS
        elif parameter.default is inspect.Parameter.empty and parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            arguments[key] = known(name, key)
    return arguments


def known(name, key):
    """Return what is known to work for a parameter: of an object its class decides, of others their own name."""
    entry = f"{name.rpartition('.')[0]}.self" if key == "self" else key
    if entry not in GOOD:
        raise AssertionError(
            f"{name}() is public, and no value is known to work for its parameter {key}:"
            f' add "{entry}" or, if the name has several meanings, "{name}.{key}" to GOOD in tests/trust/fuzz/good.py,'
            " and draws of the same kind to DRAWS in tests/trust/fuzz/draws.py"
        )
    return copy.deepcopy(GOOD[entry]) if entry in CHANGING else GOOD[entry]
