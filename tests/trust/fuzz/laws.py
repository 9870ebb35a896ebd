"""What must hold of every result: trees are trees, numbers are numbers, measures stay in their range."""

import dataclasses
import inspect
import math
from functools import cached_property

import numpy as np
from tests.oracles.sets.validity import flaw
from tests.trust.fuzz.functions import public_values

from dendrometry import MEASURES, Hierarchy
from dendrometry.errors import DendrometryError

# One value for each node or level, nan where it has not been tested or cannot be judged.
UNTESTED = (
    "significance.reject_down.",
    "significance.splits.",
    "partition.Resolutions.choose",
    "taxonomy.compare_taxonomies.",
    "taxonomy.taxonomy_quality.",
    "taxonomy.match_concepts.cosine",
)
CLASSES = tuple({value for _, value in public_values() if inspect.isclass(value)})


def check_result(name, function, arguments, result):
    """Check all that a function returned; a generator gives its first results."""
    if inspect.isgenerator(result):
        result = [value for _, value in zip(range(5), result, strict=False)]
    check_value(result, name)
    if name in MEASURES:
        check_measure(MEASURES[name], function, arguments, result)


def check_measure(record, function, arguments, value):
    """Check that a value of a measure is a plain number in its range, and the same if the sides are exchanged."""
    assert type(value) is float, type(value)
    assert record.lower <= value <= record.upper, (record.name, value)
    if record.symmetric and arguments["b"] is not None:
        exchanged = arguments | {"a": arguments["b"], "b": arguments["a"]}
        assert function(**exchanged) == value, record.name


def check_value(value, where):
    """Check a value and all that it holds."""
    if isinstance(value, Hierarchy):
        assert flaw(value.parent, value.height, value.item_node, value.items, value.node_names) is None, where
    if isinstance(value, float):
        assert not math.isnan(value), where
        assert math.copysign(1.0, value) == 1.0 or value != 0.0, f"{where} is -0.0"
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        assert not np.isnan(value).any() or where.startswith(UNTESTED), where
    elif isinstance(value, CLASSES) and not isinstance(value, tuple):
        check_object(value, where)
    elif isinstance(value, tuple | list):
        for at, part in enumerate(value):
            check_value(part, f"{where}[{at}]")


def check_object(value, where):
    """Check the fields of an object, whose arrays are read-only, and its properties, which may be refused."""
    names = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    for name in names:
        part = getattr(value, name)
        copied = part is not getattr(value, name)  # a copy at each access may be written to
        frozen = not isinstance(part, np.ndarray) or copied or not part.flags.writeable
        assert frozen, f"{where}.{name} can be written to"
        check_value(part, f"{where}.{name}")
    for name, kind in inspect.getmembers_static(type(value)):
        if isinstance(kind, property | cached_property) and not name.startswith("_"):
            try:
                part = getattr(value, name)
            except DendrometryError:
                continue
            check_value(part, f"{where}.{name}")
