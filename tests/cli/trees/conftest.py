"""Two small trees."""

import pytest

A, B = "(((ape:1,cat:1):1,elk:2):1,owl:3);", "((ape:1,cat:1):2,(elk:2,owl:2):1);"


@pytest.fixture
def trees(tmp_path):
    for name, text in (("a", A), ("b", B)):
        (tmp_path / f"{name}.nwk").write_text(text)
    return [str(tmp_path / "a.nwk"), str(tmp_path / "b.nwk")]
