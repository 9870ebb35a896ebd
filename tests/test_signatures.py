"""What help() prints: signatures in the words of the documentation, not in those of the type checker."""

import inspect

import pytest

import dendrometry as dm

ROOMS = (
    "cluster",
    "contingency",
    "cut",
    "datasets",
    "generate",
    "hierarchy",
    "io",
    "label",
    "levels",
    "measures",
    "overlap",
    "partition",
    "text",
    "walk",
)
PUBLIC = {
    f"{room.__name__}.{name}": getattr(room, name)
    for room in (dm, dm.cluster, dm.cut, dm.datasets, dm.generate, dm.label, dm.levels, dm.partition, dm.text)
    for name in room.__all__
    if inspect.isfunction(getattr(room, name)) and getattr(room, name).__module__.split(".")[1] in ROOMS
}


@pytest.mark.parametrize("name", PUBLIC)
def test_signatures_print_the_names_of_types(name):
    signature = str(inspect.signature(PUBLIC[name]))
    assert not any(word in signature for word in ("typing.", "numpy.", "collections.", "Literal[", "dendrometry."))
    assert len(signature) < 350
