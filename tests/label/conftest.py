"""Two small collections with their trees."""

import pytest

import dendrometry as dm

HARBOUR = {"a": "ship port news", "b": "ship dock news", "c": "grain wheat news", "d": "grain corn news"}


@pytest.fixture(scope="module")
def harbour():
    return dm.from_newick("((a,b),(c,d));"), dm.text.vectorize_documents(HARBOUR)


@pytest.fixture(scope="module")
def coast():
    """Nodes: 0 and 1 with eight documents each, children of 3; 2 with sixteen; 4 the root."""
    texts = ["sea boat sail"] * 8 + ["sea boat"] * 4 + ["sea"] * 4 + ["land"] * 16
    items = [f"d{i:02}" for i in range(32)]
    tree = dm.Hierarchy([3, 3, 4, 4, -1], None, [0] * 8 + [1] * 8 + [2] * 16, items)
    return tree, dm.text.vectorize_documents(dict(zip(items, texts, strict=True)))
