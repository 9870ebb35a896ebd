"""The names in help and completion are those of the rooms they belong to."""

from dendrometry.cli import names
from dendrometry.io.files import FORMATS
from dendrometry.label.label import METHODS
from dendrometry.measures.registry import PARTITION_MEASURES, TREE_MEASURES
from dendrometry.study.registry import STUDIES
from dendrometry.text.tree import TREE_METHODS


def test_names_are_those_that_are_accepted():
    assert list(names.MEASURES) == list(TREE_MEASURES)
    assert list(names.PARTITION_MEASURES) == list(PARTITION_MEASURES)
    assert list(names.LABEL_METHODS) == list(METHODS)
    assert list(names.STUDIES) == list(STUDIES)
    assert list(names.TREE_METHODS) == list(TREE_METHODS)
    assert names.FORMATS == {name: form.suffixes for name, form in FORMATS.items()}


def test_completion_gives_what_begins_so():
    complete = names.completing(names.MEASURES)
    assert complete("over") == ["overall_distance", "overall_similarity"]
    assert complete("x") == []
