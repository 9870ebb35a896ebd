"""All public functions, found by looking, with arguments that work and arguments that should not."""

import inspect
import types

import numpy as np
from scipy import sparse

import dendrometry
from dendrometry import (
    Overlap,
    agglomerate,
    compare,
    from_labels,
    from_newick,
    item_disagreement,
    pairwise_matrix,
    stages,
    to_networkx,
)
from dendrometry.generate import random_triplets, stick_breaking
from dendrometry.label import label_nodes
from dendrometry.text import cluster_documents, vectorize_documents

UNASKED = {
    "datasets.fetch": "uses the network",
    "study.reproduce": "takes minutes",
}

X = np.random.default_rng(0).random((6, 2))
TREE, OTHER = agglomerate(X).hierarchy, agglomerate(X[:, :1], linkage="single").hierarchy
LABELS = [0, 0, 1, 1, 2, 2]
TEXTS = ["the ship left the port", "oil and gas prices", "gas prices fell again", "a ship full of oil"]
DRAWN = stick_breaking(8, alpha=1.0, decay=0.5, gamma=0.2, rng=0)
DOCUMENTS = vectorize_documents(TEXTS)
TREE_OF_DOCUMENTS = cluster_documents(DOCUMENTS).hierarchy

# What works, by the name of the parameter; where a name has several meanings, by function and name.
GOOD = {
    "X": X,
    "D": [1.0, 2.0, 3.0],
    "Z": [[0, 1, 1.0, 2], [2, 3, 2.0, 3]],
    "a": TREE,
    "b": OTHER,
    "alpha": 1.0,
    "children": [[0, 1], [2, 3]],
    "count": 1,
    "decay": 0.5,
    "documents": DOCUMENTS,
    "drawn": DRAWN,
    "gamma": 0.2,
    "graph": to_networkx(from_newick("(a,b);")),
    "height": 0.5,
    "heights": [0.5],
    "hsv": X[:, [0, 1, 1]],
    "lab": [[50.0, 0.0, 0.0]],
    "labelings": [LABELS],
    "labels": LABELS,
    "linkage": "single",
    "matrix": pairwise_matrix({"a": TREE, "b": OTHER}),
    "max_clusters": 3,
    "merge": [[-1, -2], [1, -3]],
    "n": 6,
    "n_clusters": 2,
    "node_labels": label_nodes(TREE_OF_DOCUMENTS, DOCUMENTS),
    "nodes": [TREE_OF_DOCUMENTS.root],
    "overlap": Overlap.of(TREE, OTHER),
    "parent": [2, 2, -1],
    "parts_a": [LABELS],
    "parts_b": [LABELS],
    "paths": ["a", "b/c"],
    "penalty": 0.1,
    "reference": LABELS,
    "result": compare(TREE, OTHER),
    "rgb": X[:, [0, 1, 1]],
    "similarity": np.eye(6),
    "table": {"item": ["a", "b"], "level": ["x", "y"]},
    "text": "(a,b);",
    "times": range(DOCUMENTS.n_items),
    "texts": TEXTS,
    "tree": TREE,
    "trees": {"a": TREE, "b": OTHER},
    "triplets": random_triplets(TREE, 3, rng=0),
    "truth": LABELS,
    "vectors": X,
    "window": 1.0,
    "classic_f.a": from_labels(LABELS),
    "classic_f.b": from_labels(LABELS),
    "cut_counts.n_clusters": [2, 3],
    "cut_penalty.distortion": np.linspace(0.0, 1.0, TREE.n_nodes),
    "partial_order_f.a": from_labels(LABELS),
    "partial_order_f.b": from_labels(LABELS),
    "from_hclust.height": [1.0, 2.0],
    "from_json.text": '{"children": [{"name": "a"}, {"name": "b"}]}',
    "plot.item_disagreement.result": item_disagreement(TREE, OTHER),
    "plot.stage_curves.result": stages(TREE, OTHER),
    "plot.tanglegram.a": TREE,
    "plot.tanglegram.b": OTHER,
    "plot.matches.a": TREE,
    "plot.matches.b": OTHER,
    "plot.worsening.table": {"step": [0, 1], "measure": ["rand", "rand"], "value": [1.0, 0.5]},
    "label.label_nodes.tree": TREE_OF_DOCUMENTS,
    "label.label_table.tree": TREE_OF_DOCUMENTS,
    "label.label_tree.tree": TREE_OF_DOCUMENTS,
}
QUICK = {"rng": 0, "force": True, "n_permutations": 9}


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
ENDLESS = ("count", "max_rounds", "n", "n_permutations", "trials")  # what they count is done, however long it takes


def nasty(at, key):
    """Return one of the values that few functions expect; some are used up, and so made anew."""
    value = NASTY[at]
    if key in ENDLESS and isinstance(value, int | float) and value > 1000:
        return -1
    return iter([1, 2]) if value is iter else value


def public_functions():
    """Return every public function by the shortest name under which users reach it."""
    found = {}
    rooms = [("", dendrometry)]
    for prefix, room in rooms:
        for name in room.__all__:
            value = getattr(room, name)
            if isinstance(value, types.ModuleType):
                if hasattr(value, "__all__"):
                    rooms.append((f"{prefix}{name}.", value))
            elif inspect.isfunction(value) and prefix + name not in UNASKED:
                found.setdefault(value, prefix + name)
    return {name: function for function, name in found.items()}


def good_arguments(name, function, folder):
    """Return arguments for all parameters that must be given, and for those that a partition needs."""
    path = str(folder / "out.html") if name in ("browse", "report") else str(folder / "tree.nwk")
    texts = str(folder / "texts.csv")
    parameters = inspect.signature(function).parameters
    of_labels = "b" in parameters and parameters["b"].default is None
    arguments = {}
    for key, parameter in parameters.items():
        needed = parameter.default is inspect.Parameter.empty
        if of_labels and key in ("a", "b"):
            arguments[key] = GOOD.get(f"{name}.{key}", LABELS)
        elif key == "path":
            stories = str(folder) if name == "datasets.read_reuters" else path
            arguments[key] = texts if name.startswith("text.") else stories
        elif key in QUICK:
            arguments[key] = QUICK[key]
        elif needed and (f"{name}.{key}" in GOOD or key in GOOD):
            arguments[key] = GOOD.get(f"{name}.{key}", GOOD.get(key))
    return arguments
