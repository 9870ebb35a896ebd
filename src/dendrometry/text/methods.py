"""The ways to build a tree of documents, by name; light, so that the command line's help can read it."""

from typing import Literal, get_args

TreeMethod = Literal[
    "bisect", "principal_direction", "buckshot", "group_average", "average", "complete", "single", "ward"
]

TREE_METHODS: tuple[TreeMethod, ...] = get_args(TreeMethod)
