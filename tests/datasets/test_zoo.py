import csv
from importlib.resources import files

import numpy as np
import pytest

from dendrometry import Overlap, datasets, from_labels, to_paths

CLASSES = {
    "mammal": {"Mammalia"},
    "bird": {"Aves"},
    "reptile": {"Reptilia"},
    "amphibian": {"Amphibia"},
    "fish": {"Actinopterygii", "Chondrichthyes"},
    "insect": {"Insecta"},
}


@pytest.fixture(scope="module")
def animals():
    return datasets.zoo()


def test_holds_101_animals_with_16_traits(animals):
    assert len(set(animals.items)) == 101
    assert animals.traits.shape == (101, 16)
    assert len(animals.trait_names) == 16
    assert set(np.unique(np.delete(animals.traits, animals.trait_names.index("legs"), axis=1))) == {0, 1}
    assert set(animals.traits[:, animals.trait_names.index("legs")].tolist()) == {0, 2, 4, 5, 6, 8}
    assert not animals.traits.flags.writeable


def test_the_two_frogs_are_told_apart_by_venom(animals):
    venomous = animals.traits[:, animals.trait_names.index("venomous")]
    assert venomous[animals.items.index("common frog")] == 0
    assert venomous[animals.items.index("poison frog")] == 1
    assert "frog" not in animals.items


def test_every_animal_has_a_phylum_class_order_and_family(animals):
    assert animals.taxonomy.items == animals.items
    assert {len(path.split("/")) for path in to_paths(animals.taxonomy).values()} == {4}


def test_every_taxon_has_one_place(animals):
    rows = list(csv.reader(files("dendrometry.datasets").joinpath("zoo_taxonomy.csv").read_text().splitlines()))[1:]
    above = {}
    for _, *ranks in rows:
        for rank, (upper, lower) in enumerate(zip(["life", *ranks], ranks, strict=False)):
            assert above.setdefault(lower, (rank, upper)) == (rank, upper)
    assert animals.taxonomy.n_nodes == len(above) + 1


def test_classes_agree_with_the_types_of_the_data(animals):
    paths = to_paths(animals.taxonomy)
    for name, kind in zip(animals.items, animals.types, strict=True):
        assert paths[name].split("/")[1] in CLASSES.get(kind, {paths[name].split("/")[1]})
    for name, kind in zip(animals.items, animals.types, strict=True):
        if kind == "invertebrate":
            assert not paths[name].startswith("Chordata/")


def test_types_and_taxonomy_meet_by_name(animals):
    overlap = Overlap.of(from_labels(list(animals.types), item_names=animals.items), animals.taxonomy)
    assert overlap.n_items == 101
    assert overlap.count.size == 84
