"""Readers take steps in proportion to a file, whatever it repeats: loops are counted, and patterns never go back."""

import contextlib
import importlib
import pkgutil
import re
import warnings
from re import _constants, _parser

import pytest
from tests.work import PACKAGE, n_lines, peak_bytes

import dendrometry.io
from dendrometry.errors import DendrometryError, FormatError
from dendrometry.io import (
    from_dput,
    from_infomap,
    from_json,
    from_levels,
    from_lineages,
    from_newick,
    from_nexus,
    from_obo,
    from_product_taxonomy,
    from_skos,
)
from dendrometry.io._shared.options import LengthChoice, ReadOptions, TableChoice
from dendrometry.io._shared.second_parents import dag_of_terms, ontology_of
from dendrometry.io.codecs import _PUBLISHED, FORMATS
from dendrometry.io.dags import _of_rdf, _of_table
from dendrometry.io.taxonomies.obo import obo_terms

# Patterns that go back, and why that is linear.
GOING_BACK = {
    r'(\d++(?::\d++)*+) (\S++) "(.*)"(?: \d++)*+': "once, from the end of a line to a quote after which numbers follow",
    r"(?:HC|hc|d|D)?(\d++(?:\.\d++)?)(?: \(.*\))?": "once, by one bracket",
    r"HC\d++(?: \(.*\))?": "once, by one bracket",
}


def patterns():
    """All compiled patterns of the readers, by their place."""
    found = {f"published {i}": format_.start for i, format_ in enumerate(_PUBLISHED)}
    for module in pkgutil.walk_packages(dendrometry.io.__path__, "dendrometry.io."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                found[f"{module.name}.{name}"] = value
    return found


def repeats(parsed):
    """Whether a parsed pattern repeats something without end in a way that it may take back."""
    for operation, value in parsed:
        if operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT) and value[1] == _constants.MAXREPEAT:
            return True
        if any(repeats(part) for part in parts(value)):
            return True
    return False


def parts(value):
    """The patterns within the value of an operation."""
    if isinstance(value, _parser.SubPattern):
        return [value]
    if isinstance(value, list | tuple):
        return [part for each in value for part in parts(each)]
    return []


@pytest.mark.parametrize("place", patterns())
def test_patterns_never_go_back(place):
    pattern = patterns()[place]
    if pattern.pattern not in GOING_BACK:
        assert not repeats(_parser.parse(pattern.pattern, pattern.flags)), pattern.pattern


@pytest.mark.parametrize("pattern", [r"a*b", r"(?:a|b+c)*+", r"(?=a*)", r"(a(?:x|y{3,}))"])
def test_a_pattern_that_goes_back_is_found(pattern):
    assert repeats(_parser.parse(pattern))


# A small file of each format, of which every token is repeated in its place.
SAMPLES = {
    "newick": (from_newick, "((ape:1.5,'b ''c':2[&B=0.5,x={1,2},y=\"q\"])in:1,d_e:-1e1[x]);"),
    "nexus": (from_nexus, "#NEXUS [x] begin trees; translate 1 ape, 2 'b ''c'; tree [y[z]] * t = [&R] (1:1,2:2); end;"),
    "json": (from_json, '{"name": "r", "length": 1.5e1, "children": [{"name": "a\\u0041"}, {"name": "b"}]}'),
    "dput": (
        from_dput,
        "t <- structure(list(edge = structure(c(3L, 3:3, 1L, 2L), dim = c(2L, 2L)), "
        'tip.label = c("a\\"b", "c"), Nnode = 1L, edge.length = c(1.5e0, -2)), class = "phylo", `order` = NULL)',
    ),
    "obo": (from_obo, "format-version: 1.2\n[Term]\nid: A:1\nname: x\n\n[Term]\nid: A:2 ! y\nis_a: A:1 ! x\n"),
    "infomap": (from_infomap, '# path flow name node_id\n1:1 0.3 "a b" 1\n2:1 0.4 "c" 3\n*Links\n'),
    "lineages": (lambda text: from_lineages({"a": text, "b": "d__X"}), "d__Archaea;p__Halo b;c__"),
    "products": (from_product_taxonomy, "# Google_Product_Taxonomy_Version: 1\n1 - A\n2 - A > B c\n"),
    "csv": (lambda text: _codec("csv", text), 'item,path\na,"x/""y"\nb,z\n'),
    "paths": (lambda text: _codec("csv", text), "item,path\na,x > y\nb,x>z\nc,NA > w\n"),
    "table of edges": (lambda text: _of_table(text, ","), "child,parent,name\na,b,x\na,c,x\n'=d,c,\n"),
    "terms of obo": (
        lambda text: dag_of_terms(obo_terms(text, ("is_a", "part_of")), "term"),
        "format-version: 1.2\n[Term]\nid: A:1\n\n[Term]\nid: A:2\nalt_id: A:3\nis_a: A:1 ! x\n"
        "relationship: part_of A:1\n\n[Term]\nid: A:4\nis_obsolete: true\nreplaced_by: A:3\n",
    ),
    "owl": (
        lambda text: _of_rdf(text, "en", frozenset(("is_a", "part_of"))),
        "@prefix w: <http://www.w3.org/2002/07/owl#> . @prefix s: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "<u:a> a w:Class ; s:subClassOf <u:b> , [ w:onProperty <u/part_of> ; w:someValuesFrom <u:b> ] ;"
        " s:label 'x'@en .",
    ),
    "skos turtle": (
        from_skos,
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n"
        "<u:a> s:broader <u:b> ; s:prefLabel 'x'@en, \"y\" . # c\n",
    ),
}


def _codec(name, text):
    """Read a text as a file of a format."""
    return FORMATS[name].decode(text.encode(), ReadOptions(2**30, TableChoice(), LengthChoice())).tree


def tokens(text):
    """The different tokens of a text, with their places."""
    found = {}
    for token in re.finditer(r"\w+|\s+|.", text, re.DOTALL):
        found.setdefault(token[0], token.span())
    return found.values()


def steps(read, text):
    """How many lines of the package are run to read a text, whether it is one or not."""

    def outcome():
        with contextlib.suppress(DendrometryError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read(text)

    return n_lines(outcome, PACKAGE)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_repeated_token_takes_steps_in_proportion(name):
    read, text = SAMPLES[name]
    steps(read, text)  # what is made once is made before
    for start, stop in tokens(text):
        few, many = (text[:start] + text[start:stop] * n + text[stop:] for n in (1_000, 4_000))
        assert steps(read, many) <= 4.5 * steps(read, few) + 1_000, text[start:stop]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_token_repeated_a_hundred_thousand_times_ends(name):
    read, text = SAMPLES[name]
    for start, stop in tokens(text):
        with contextlib.suppress(DendrometryError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read(text[:start] + text[start:stop] * 100_000 + text[stop:])


def _dag(*rows):
    return _of_table("child,parent\n" + "".join(rows), ",")


# What repeats a part of a file with other names, a number of times.
GROWING = {
    "paths with and without blanks": lambda n: _codec(
        "csv", "item,path\n" + "".join(f"a{i},x > y{i}\nb{i},x>z{i}\n" for i in range(n))
    ),
    "deep paths with and without blanks": lambda n: _codec(
        "csv",
        "item,path\n" + " > ".join(f"s{i}" for i in range(n)).join(("a,", "\nb,s0 > t\nc,")) + "s0 > s1>" * n + "s",
    ),
    "one long path, often": lambda n: from_levels({"item": [f"i{i}" for i in range(n)], "path": ["a/" * n + "b"] * n}),
    "levels": lambda n: _codec(
        "csv",
        "item," + ",".join(f"l{i}" for i in range(n)) + "\n" + "".join(f"{i}" + ",x" * n + "\n" for i in range(4)),
    ),
    "a chain of terms": lambda n: _dag(*(f"a{i},a{i + 1}\n" for i in range(n))),
    "a chain of terms from its end": lambda n: _dag(*(f"a{i + 1},a{i}\n" for i in range(n))),
    "a circle of terms": lambda n: _dag(*(f"a{i},a{(i + 1) % n}\n" for i in range(n))),
    "many parents": lambda n: _dag(*(f"a,b{i}\n" for i in range(n))),
    "terms that stand for others": lambda n: ontology_of({"e": ("", [])}, _chain_to("e", n), []),
    "terms that stand for each other": lambda n: ontology_of({"e": ("", [])}, _chain_to("0", n), []),
}


def _chain_to(last, n):
    return {str(i): str(i + 1) if i + 1 < n else last for i in range(n)}


@pytest.mark.parametrize("what", GROWING)
def test_many_different_parts_take_steps_in_proportion(what):
    def done(n):
        return steps(lambda n: GROWING[what](n), n)

    done(4)
    assert done(1_600) <= 4.5 * done(400) + 1_000


@pytest.mark.parametrize(
    "long", [" " + "x" * 10_000, "1" * 10_000, "g__" + "/y" * 5_000], ids=["blank", "digits", "path"]
)
def test_a_long_text_that_is_there_often_is_held_once(long):
    """As the level of a factor of R, or a category of AnnData, is."""
    table = {"item": [str(i) for i in range(2_000)], "class": [long] * 2_000}
    from_levels(table)
    assert peak_bytes(lambda: from_levels(table)) < 4_000_000


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: from_levels({"item": ["x" * 10_000 + " "] * 20_000, "a": ["b"] * 20_000}), "must be distinct"),
        (
            lambda: from_levels(
                {"item": ["a", "b"], **{f"l{i}": ["", "x"] for i in range(2_000)}}, missing="skip_rank"
            ),
            "at most 1,000 levels; got 2,000",
        ),
    ],
    ids=["a name", "missing levels"],
)
def test_what_would_grow_by_the_square_is_refused_at_once(read, message):
    def refused():
        with pytest.raises(DendrometryError, match=message):
            read()

    assert n_lines(refused, PACKAGE) < 1_000_000
    assert peak_bytes(refused) < 10_000_000


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (from_nexus, "#NEXUS begin trees; tree" + " " * 100_000),
        (from_nexus, "#NEXUS begin trees; tree" + "[x]" * 100_000),
        (from_nexus, "#NEXUS begin trees; tree" + "[" * 100_000 + "]" * 100_000),
        (from_nexus, "#NEXUS begin trees; translate " + "a" * 100_000 + "; tree t = (a,b);"),
        (from_nexus, "#NEXUS begin trees; tree " + "'" * 100_001),
        (from_dput, 'structure(list("' + '\\"' * 100_000),
        (from_dput, "structure(list(`" + "`a" * 100_000),
        (from_dput, "structure(list(edge = c(" + "1" * 100_000 + 'x)), class = "phylo")'),
        (from_newick, "(a[&" + "a" * 100_000 + "],b"),
        (from_newick, "(a[&" + "a={," * 100_000 + "],b"),
    ],
    ids=["blanks", "comments", "nested comments", "name", "quotes", "escaped", "backticks", "digits", "key", "braces"],
)
def test_what_was_quadratic_is_refused(read, text):
    with pytest.raises(FormatError):
        read(text)
