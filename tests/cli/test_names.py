"""The names in help and completion are those that the functions accept."""

from typing import get_args

from dendrometry.cli._shared.options import completer
from dendrometry.io._shared.format_names import ENDINGS, FormatName
from dendrometry.io.codecs import FORMATS
from dendrometry.label import label
from dendrometry.label.methods import METHODS, Method
from dendrometry.measures.registry import MEASURES
from dendrometry.text import tree
from dendrometry.text.methods import TREE_METHODS, TreeMethod


def test_names_are_those_that_are_accepted():
    assert tuple(label._WAYS) == tuple(METHODS) == get_args(Method)
    assert tuple(tree._BUILDERS) == TREE_METHODS == get_args(TreeMethod)
    assert tuple(ENDINGS) == get_args(FormatName)
    assert {name: form.suffixes for name, form in FORMATS.items()} == ENDINGS


def test_completion_gives_what_begins_so():
    complete = completer(MEASURES)
    assert complete("over") == ["overall_distance", "overall_similarity"]
    assert complete("x") == []
