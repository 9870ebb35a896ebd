"""Values that few functions expect."""

import numpy as np
from scipy import sparse
from tests.trust.fuzz.good import DOCUMENTS, OTHER, TREE, X

from dendrometry import Overlap, agglomerate, from_labels, from_newick


class Hostile:
    """Raises at whatever it is asked."""

    def __repr__(self):
        raise RuntimeError("no")

    def __len__(self):
        raise RuntimeError("no")

    def __bool__(self):
        raise RuntimeError("no")


def broken_csr():
    """Return a matrix that leads outside of itself, made without the checks of its constructor."""
    matrix = sparse.csr_matrix(np.eye(6))
    matrix.indices = matrix.indices.copy()
    matrix.indices[-1] = 99
    return matrix


def nested(depth):
    """Return a list in a list in a list."""
    value = []
    for _ in range(depth):
        value = [value]
    return value


NASTY = [
    None,
    True,
    -1,
    0,
    10**5000,
    2**63,
    10**18,
    10**12,
    1.5,
    -0.0,
    float("nan"),
    float("inf"),
    1e308,
    5e-324,
    1 + 2j,
    "",
    "x",
    "\0\x1b[2J",
    "\udcff",
    b"x",
    [],
    [[]],
    [[], [1]],
    [1, 2, 3],
    ["a", 1, None],
    [float("nan")] * 6,
    [10**400] * 6,
    [10**5000] * 6,
    {},
    {"a": 1},
    {1: "a", "b": []},
    {"item": ["a"], "level": [float("nan")]},
    set(),
    {"a"},
    (),
    nested(2000),
    object(),
    Hostile(),
    lambda *_, **__: None,
    np.zeros(0),
    np.zeros((0, 3)),
    np.zeros((6, 0)),
    np.zeros((2, 2, 2)),
    np.array("x"),
    np.array([True, False]),
    np.array([[True, False]] * 6),
    np.array([object()] * 6),
    np.array(["a"] * 6),
    np.array([np.datetime64("2020-01-01")] * 6),
    np.ma.masked_array(np.eye(6), mask=np.eye(6)),
    np.full((6, 2), np.nan),
    np.full((6, 2), 1e308),
    np.full((6, 6), -1),
    np.float16(1),
    np.str_("x"),
    sparse.csr_matrix(np.eye(6)),
    sparse.coo_matrix((6, 0)),
    sparse.lil_matrix(np.eye(6)),
    broken_csr(),
    from_newick("a;"),
    from_newick("(a,b);"),
    from_labels(["x"] * 3),
    DOCUMENTS,
    agglomerate(X),
    Overlap.of(TREE, OTHER),
    iter,  # stands for an iterator
]
# What these count is done one by one in little memory, however long it takes.
ENDLESS = (
    "comparison.score_variables.n_tie_breaks",
    "generate.prune_regraft.n_moves",
    "quality.gap_statistic.n_references",
)


def nasty(at, name, key):
    """Return one of the values that few functions expect; some are used up, and so made anew."""
    value = NASTY[at]
    if f"{name}.{key}" in ENDLESS and isinstance(value, int) and 10**12 <= value < 2**63:
        return -1
    return iter([1, 2]) if value is iter else value
