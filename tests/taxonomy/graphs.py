"""Random graphs of concepts, as mappings of each concept to the set of its parents, and as Dag."""

import random

from hypothesis import strategies as st

from dendrometry import Dag
from tests.oracles.taxonomy.pairs import Taxonomy

LETTERS = "abcdefghijkl"


def random_graph(names: str, rng: random.Random, most_parents: int = 3) -> Taxonomy:
    order = list(names)
    rng.shuffle(order)
    choices = [0, 1, 1, 1, 2, 3][: most_parents + 3]
    return {name: set(rng.sample(order[:i], min(i, rng.choice(choices)))) for i, name in enumerate(order)}


def random_tree(names: str, rng: random.Random) -> Taxonomy:
    order = list(names)
    rng.shuffle(order)
    return {name: {order[rng.randrange(i)]} if i else set() for i, name in enumerate(order)}


def as_graph(taxonomy: Taxonomy) -> Dag:
    return Dag.from_edges([(child, p) for child, above in taxonomy.items() for p in sorted(above)], terms=taxonomy)


@st.composite
def graph_pairs(draw, trees: bool = False, same: bool = False) -> tuple[Taxonomy, Taxonomy]:
    """Two graphs that share at least one concept, or all of them."""
    rng, n = random.Random(draw(st.integers(0, 2**32))), draw(st.integers(2, 8))
    low, more = (0, 0) if same else (draw(st.integers(0, 2)), draw(st.integers(0, 2)))
    make = random_tree if trees else random_graph
    return make(LETTERS[:n], rng), make(LETTERS[min(low, n - 1) : n + more], rng)
