"""Languages: which are read, their lineages, and the distances of grammars and places."""

import math

import numpy as np
import pytest

from dendrometry._studies.inputs.languages import feature_distances, planted_languages, read_languages

GLOTTOLOG = """id,parent_id,name,latitude,longitude
fam1,,Family,,
bra1,fam1,Branch,,
lan1,bra1,One,10.5,20
lan2,fam1,Two,-3,140
iso1,,Alone,1,2
nop1,fam1,No Place,,
"""
GRAMBANK = """language_id,A,B,C,D
lan1,1,0,1,0
lan2,1,1,-1,0
iso1,0,1,1,1
nop1,1,1,1,1
new1,1,1,1,1
bra1,1,1,1,1
"""


def test_languages_have_a_place_and_most_features():
    data = read_languages(GLOTTOLOG, GRAMBANK)
    assert data.items == ("lan1", "lan2", "iso1")
    assert data.names == ("One", "Two", "Alone")
    assert data.lineage[0] == ("Family [fam1]", "Branch [bra1]", "One [lan1]")
    assert data.families == ("Family [fam1]", "Family [fam1]", "Alone [iso1]")
    assert data.place.tolist() == [[10.5, 20.0], [-3.0, 140.0], [1.0, 2.0]]
    assert np.isnan(data.grammar[1]).tolist() == [False, False, True, False]
    assert read_languages(GLOTTOLOG, GRAMBANK.replace("1,1,-1,0", "1,-1,-1,0")).items == ("lan1", "iso1")


def test_the_distance_of_grammars_is_the_share_of_known_features_that_differ():
    values = np.random.default_rng(0).choice([0.0, 1.0, np.nan], (6, 30))
    found = feature_distances(values)
    for i in range(6):
        for j in range(6):
            both = [
                (x, y) for x, y in zip(values[i], values[j], strict=True) if not math.isnan(x) and not math.isnan(y)
            ]
            assert found[i, j] == pytest.approx(sum(x != y for x, y in both) / len(both))


def test_planted_languages_have_what_real_ones_have():
    data = planted_languages(20, np.random.default_rng(0))
    assert len(data.items) == len(data.lineage) == len(data.grammar) == len(data.place) == 20
    assert all(path[-1] == item for path, item in zip(data.lineage, data.items, strict=True))
