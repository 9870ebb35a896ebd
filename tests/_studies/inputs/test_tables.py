"""The tables of other packages: the catalogue, how text becomes numbers, and which tables are the same."""

import re

import numpy as np

from dendrometry._studies.inputs.tables import LabelledTable, Source, catalogue, read_table, same_as


def source(**changes):
    made = Source("x", "p==1", (("a.csv",),), "comma", 0, -1, (), "measured", {"a.csv": ""})
    return made._replace(**changes)


def table(name, values, labels):
    return LabelledTable(name, "p", "measured", np.asarray(values, dtype=float), np.asarray(labels))


def test_every_source_has_its_own_name_a_version_and_checksums():
    sources = catalogue()
    assert len({one.name for one in sources}) == len(sources) > 80
    for one in sources:
        assert re.fullmatch(r"[\w-]+==[\d.]+", one.package)
        assert one.kind in ("measured", "simulated", "rules")
        assert one.separator in ("comma", "semicolon", "tab", "space", "colon")
        assert all(re.fullmatch("[0-9a-f]{64}", total) for total in one.sums.values())


def test_words_become_columns_and_what_is_missing_or_constant_is_left_out():
    rows = ["1,red,?,7,'a',9", "2,blue,?,7,'b',8", "3,red,1,7,'a',7", "", "4,green,?,7,'b',?", "5,blue,2,7,a,5"]
    text = "\n".join(["@relation x", "% a comment", *rows])
    found = read_table(source(drop=(3,)), {"a.csv": text})
    assert found.labels.tolist() == [3, 2, 1, 0]  # 5, 7, 8, 9 as text
    assert found.values.tolist() == [[1, 1, 0], [2, 0, 1], [3, 1, 0], [5, 0, 0]]


def test_columns_are_read_from_several_files_and_rows_from_several_parts():
    texts = {"x": "h\n1;2\n3;4\n", "y": "h\nu\nv\n", "z": "h\n5;6;u\n"}
    found = read_table(source(files=(("x", "y"), ("z",)), separator="semicolon", skip=1), texts)
    assert found.values.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert found.labels.tolist() == [0, 1, 0]


def test_a_series_with_several_dimensions_is_one_row():
    found = read_table(source(separator="colon"), {"a.csv": "#about\n@data\n1,2:3,4:a\n5,6:7,8:b\n"})
    assert found.values.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_tables_are_the_same_if_they_share_columns_or_shape_and_others_are_not():
    rng = np.random.default_rng(0)
    values, labels = rng.normal(size=(60, 5)), rng.integers(0, 3, 60)
    order = rng.permutation(60)
    tables = [
        table("a", values, labels),
        table("part", values[order][:50, :4], rng.integers(0, 2, 50)),
        table("other", rng.normal(size=(60, 5)), np.arange(60) % 2),
        table("shape", rng.integers(0, 2, (60, 5)), labels[order]),
        table("small", values[:20], np.arange(20) % 2),
    ]
    assert same_as(tables) == {"part": "a", "shape": "a"}


def test_tables_of_few_values_are_the_same_if_they_share_whole_columns():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2, (60, 16))
    of_class, other = rng.integers(0, 7, 60), rng.integers(0, 2, (60, 16))
    tables = [
        table("a", values, of_class),
        table("column as class", values[:, :15], values[:, 15]),
        table("half", np.hstack([other[:, :8], values[:, 8:]]), values[:, 0]),
        table("less than half", np.hstack([other[:, :9], values[:, 9:]]), values[:, 1]),
        table("other", rng.integers(0, 2, (60, 16)), values[:, 2]),
        table("fewer rows", values[:50], values[:50, 3]),
    ]
    assert same_as(tables) == {"column as class": "a", "half": "a"}


def test_the_class_of_the_zoo_is_the_type_and_vowels_are_without_part_and_speaker():
    sources = {one.name: one for one in catalogue()}
    names = ["name", *(f"trait{i}" for i in range(16)), "type"]
    rows = ["x\t" + "\t".join(str((i >> j) % 2) for j in range(16)) + f"\t{i % 7}" for i in range(200)]
    text = "\n".join(["\t".join(names), "d", "meta", *rows])
    found = read_table(sources["zoo (again)"], {"zoo.tab": text})
    assert found.labels.tolist() == [i % 7 for i in range(200)]
    assert found.values.T.tolist() == [[(i >> j) % 2 for i in range(200)] for j in range(8)]
    for name in ("vowel", "vowel (again)"):
        assert sources[name].drop == (0, 1)  # the part, for training or for testing, and the speaker
