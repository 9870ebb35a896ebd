"""The linkages study: its values by definition, findings in loops, runs that are stopped, committed tables."""

import runpy
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from dendrometry import agglomerate
from dendrometry._studies import linkages as study
from dendrometry._studies.inputs.findings import Findings
from dendrometry._studies.inputs.findings_drawn import FIGURES
from dendrometry._studies.inputs.tables import LabelledTable, catalogue, fetch_tables
from dendrometry._studies.inputs.trees_of_table import (
    AGREEMENT,
    EIGHT,
    PAIRS,
    RECOVERY,
    Draw,
    Scored,
    agreed,
    recovered,
    score_table,
)
from dendrometry._studies.linkages import linkages, read_entries
from dendrometry.errors import InvalidInputError
from tests._studies.committed import committed, committed_text
from tests.oracles.measures.definition import definition
from tests.oracles.sets.trees import Tree, plain
from tests.oracles.studies import ranks as oracle

DOCS = Path(__file__).parents[2] / "docs"
TINY = (  # points without ties, and classes
    (np.array([[0.0, 0.1], [1.0, 0.0], [3.1, 0.5], [4.9, 1.0], [7.7, 0.3]]), [0, 0, 1, 1, 1]),
    (np.array([[0.0, 2.0], [0.3, 1.0], [0.9, 5.2], [4.0, 4.1], [4.2, 0.2]]), [0, 1, 0, 1, 1]),
)


def adjusted_by_definition(name, a, b, relabelled, identical=1):
    """The value as a share of the way from its mean over all relabellings to that of identical objects."""
    measure = definition(name, "partitions" if isinstance(a, tuple) and not isinstance(a, Tree) else "trees")
    values = [float(measure(a, other)) for other in relabelled]
    mean = sum(values) / len(values)
    return (float(measure(a, b)) - mean) / (identical - mean)


def relabelled_trees(tree):
    return [Tree(tree.parent, order, tree.height) for order in set(permutations(tree.item_node))]


@pytest.mark.parametrize(("points", "classes"), TINY)
@pytest.mark.parametrize("linkage", ["single", "ward"])
def test_recovery_is_that_of_the_definitions_over_all_relabellings(points, classes, linkage):
    tree = agglomerate(points, linkage=linkage).hierarchy
    cut = (0, 0, 0, 1, 1)
    found = dict(zip(RECOVERY, recovered(tree, np.array(cut), np.array(classes)), strict=True))
    flat = Tree((2, 2, -1), tuple(classes))
    built = plain(tree, tree.items)
    for name in RECOVERY[:3]:
        assert found[name] == pytest.approx(adjusted_by_definition(name, flat, built, relabelled_trees(built)))
    for name in RECOVERY[3:]:
        orders = list(permutations(cut))
        assert found[name] == pytest.approx(adjusted_by_definition(name, tuple(classes), cut, orders), abs=1e-9)


@pytest.mark.parametrize("points", [points for points, _ in TINY])
@pytest.mark.parametrize("pair", [("single", "ward"), ("average", "complete")])
def test_agreement_is_that_of_the_definitions_over_all_relabellings(points, pair):
    a, b = (agglomerate(points, linkage=linkage).hierarchy for linkage in pair)
    cut_a, cut_b = (0, 0, 0, 1, 1), (0, 1, 0, 1, 1)
    found = dict(zip(AGREEMENT, agreed(a, b, np.array(cut_a), np.array(cut_b)), strict=True))
    first, second = plain(a, a.items), plain(b, b.items)
    for name in AGREEMENT[:-1]:
        identical = 0 if name == "normalized_robinson_foulds" else 1
        expected = adjusted_by_definition(name, first, second, relabelled_trees(second), identical)
        assert found[name] == pytest.approx(expected, abs=1e-9)
    assert found["adjusted_rand"] == pytest.approx(float(definition("adjusted_rand", "partitions")(cut_a, cut_b)))


def test_values_are_of_all_rows_and_errors_of_random_halves():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1, 2], 8)
    values = rng.normal(size=(24, 3)) * [1.0, 5.0, 0.2] + labels[:, None]
    found = score_table(LabelledTable("t", "p", "measured", values, labels), 7, n_draws=2, n_halves=3, most_rows=30)
    scaled = (values - values.mean(axis=0)) / values.std(axis=0)

    def by_hand(rows):
        return np.array(
            [[_recovered(points[rows], labels[rows], name) for name in EIGHT] for points in (values, scaled)]
        )

    assert (found.n_rows, found.n_classes) == (24, 3)
    for draw in found.draws:
        assert draw.recovery == pytest.approx(by_hand(np.arange(24)))
    source = np.random.default_rng([7, 0, *b"t"])
    order = source.permutation(24)
    halves = [by_hand(order[source.permutation(24)[:12]]) for _ in range(3)]
    assert found.error.recovery == pytest.approx(np.std(halves, axis=0, ddof=1))
    assert found.draws[0].agreement.shape == found.error.agreement.shape == (2, 28, 6)


def _recovered(points, labels, linkage):
    tree = agglomerate(points, linkage=linkage).hierarchy
    return recovered(tree, cut_by_hand(tree, len(set(labels.tolist()))), labels)


def cut_by_hand(tree, n_clusters):
    """Undo the last merges: the node with the greatest height at or below it first."""
    parent, height = tree.parent.tolist(), tree.height.tolist()
    top = list(height)
    for v in range(len(parent) - 1):
        top[parent[v]] = max(top[parent[v]], top[v])
    inner = sorted((v for v in range(len(parent)) if v in parent), key=lambda v: (top[v], v))
    undone = set(inner[len(inner) - n_clusters + 1 :])
    cluster = []
    for v in tree.item_node.tolist():
        while parent[v] not in undone:
            v = parent[v]
        cluster.append(v)
    return np.unique(cluster, return_inverse=True)[1]


def made_up(recovery):
    """Findings with these values of recovery by table, draw, scaling, linkage and measure; the rest is empty."""
    n = len(recovery)
    return Findings(
        tuple(f"t{i}" for i in range(n)),
        np.arange(n) % 4 > 0,
        (0,) * n,
        recovery,
        np.full((n, 2, 8, 6), 0.01),
        np.zeros((n, 2, 28, 6)),
        np.zeros((n, 2, 28, 6)),
    )


def test_a_linkage_is_better_only_if_it_is_so_whatever_is_chosen():
    rng = np.random.default_rng(0)
    recovery = rng.normal(0.0, 0.01, (40, 2, 2, 8, 6))
    recovery[..., 4, :] += 1.0  # ward is best
    recovery[..., 0, :5] -= 1.0  # single is worst, but for the last measure
    recovery[:, :, 1, 1] += 0.5  # complete is good if scaled
    found = made_up(recovery)
    assert all(found.verdict(pair) == "ward" for pair in PAIRS if "ward" in pair and "complete" not in pair)
    assert found.verdict(("single", "centroid")) == "undecided"
    assert "the measure" in found.decided_by(("single", "centroid"))
    assert found.decided_by(("average", "ward")) == []
    assert found.decided_by(("complete", "ward")) == ["the scaling"]
    assert "the scaling" in found.decided_by(("complete", "average"))
    row = found.pair_table().to_frame().set_index(["measures", "first", "second"])
    row = row.loc[("all", "single", "ward")]
    assert (row["better"], row["first_better"], row["second_better"], row["neither"]) == ("ward", 0, 48, 0)
    assert found.verdict(("single", "centroid"), "tree") == "centroid"
    assert found.decided_by(("single", "centroid"), "tree") == []


def test_outcomes_and_what_decides_are_those_of_loops():
    rng = np.random.default_rng(5)
    found = made_up(np.round(rng.normal(0.0, 1.0, (12, 2, 2, 8, 6)) + np.linspace(0.0, 2.0, 8)[:, None], 1))
    parts = ("which tables", "the scaling", "the draw", "the measure")
    for a, b in PAIRS[::5]:
        i, j = EIGHT.index(a), EIGHT.index(b)
        outcome = {}
        for condition, ranks in found.ranks.items():
            scope, scaled, draw, measure = condition
            rows = found.recovery[:, draw, int(scaled), :, RECOVERY.index(measure)].tolist()
            kept = [row for t, row in enumerate(rows) if scope == "all" or t % 4 > 0]
            mean = oracle.mean_ranks(kept)
            apart = abs(mean[i] - mean[j]) >= ranks.critical
            outcome[tuple(condition)] = 0 if not apart else 1 if mean[i] < mean[j] else -1
        assert {tuple(key): value for key, value in found.outcomes[a, b].items()} == outcome
        changes = {
            parts[place]
            for x in outcome
            for y in outcome
            for place in range(4)
            if outcome[x] != outcome[y]
            and [s != t for s, t in zip(x, y, strict=True)] == [p == place for p in range(4)]
        }
        assert set(found.decided_by((a, b))) == changes


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Three small tables in place of those of the packages, scored by made-up values, and a list of those scored."""
    tables = study._few_tables(np.random.default_rng(0))
    scored = []

    def made_up_scores(table, seed, *, n_draws, n_halves, most_rows):
        scored.append(table.name)
        rng = np.random.default_rng([seed, *table.name.encode()])
        draws = [Draw(rng.random((2, 8, 6)), rng.random((2, 28, 6))) for _ in range(n_draws)]
        return Scored(table.labels.size, 2, 0, draws, draws[0])

    monkeypatch.setattr(study, "score_table", made_up_scores)
    monkeypatch.setattr(study, "catalogue", lambda: tables)
    monkeypatch.setattr(study, "fetch_tables", iter)
    monkeypatch.setattr(study, "cache_folder", lambda: tmp_path)
    return tables, scored, tmp_path / "tables"


def test_a_run_that_is_stopped_goes_on_where_it_was(small):
    tables, scored, folder = small
    names = [table.name for table in tables]
    linkages(rng=np.random.default_rng(0))  # a generator has no seed, and its run no file
    assert not folder.exists()
    whole = linkages(rng=3)
    assert scored == 2 * names
    (path,) = folder.iterdir()
    path.write_text(path.read_text()[:-100])  # stopped while it wrote the last line
    assert [entry["name"] for entry in read_entries(path)] == names[:2]
    again = linkages(rng=3)
    assert scored == [*2 * names, names[2]]
    assert [table.to_csv() for table in again.tables.values()] == [table.to_csv() for table in whole.tables.values()]
    other = linkages(rng=4)
    assert other.tables["recovery"].to_csv() != whole.tables["recovery"].to_csv()
    assert len(list(folder.iterdir())) == 2


def test_tables_that_are_another_again_are_left_out(small, monkeypatch):
    tables, scored, _ = small
    twin = tables[0]._replace(name="animals again")
    monkeypatch.setattr(study, "catalogue", lambda: [*tables, twin])
    frame = linkages(rng=3).to_frame("tables").set_index("table")
    assert frame["same_as"].to_dict() == {**{table.name: "" for table in tables}, "animals again": "animals"}
    assert frame["rows_used"]["animals again"] == 0
    assert "animals again" not in scored


def test_packages_that_cannot_be_fetched_are_an_error(monkeypatch):
    def refuse(_):
        raise InvalidInputError("cannot fetch it")
        yield

    monkeypatch.setattr(study, "fetch_tables", refuse)
    with pytest.raises(InvalidInputError, match="cannot fetch it"):
        linkages()


def test_figures_have_a_diagram_for_each_measure_and_a_map_for_each_scaling():
    found = made_up(np.random.default_rng(0).random((10, 1, 2, 8, 6)))
    n_axes = {name: len(draw(found).axes) for name, draw in FIGURES.items()}
    assert n_axes == {"critical": 12, "agreement": 4, "measures": 2}


@pytest.fixture(scope="module")
def made():
    return runpy.run_path(str(DOCS / "_make" / "linkages.py"))


def test_the_page_and_the_text_say_what_the_committed_values_say(made):
    found = made["read_findings"]()
    assert not any(np.isnan(part).any() for part in (found.recovery, found.recovery_error, found.agreement))
    text = committed_text("linkages")
    for note in found.sentences(len(committed("linkages", "tables"))):
        assert note in text
    page = made["PAGE"].read_text(encoding="utf-8")
    assert page == made["filled"](page), "run: python docs/_make/linkages.py"


def test_what_the_page_on_choosing_says_of_linkages_holds(made):
    found = made["read_findings"]()
    for other in ("single", "centroid", "median"):
        pair = next(pair for pair in PAIRS if set(pair) == {"ward", other})
        assert found.verdict(pair, "cut") == "ward"
    assert {found.verdict(pair, "tree") for pair in PAIRS} == {"undecided"}


@pytest.mark.parametrize(
    ("name", "method"), [("ranks", "rank_table"), ("pairs", "pair_table"), ("agreement", "agreement_table")]
)
def test_the_committed_summaries_are_those_of_the_committed_values(made, name, method):
    table = getattr(made["read_findings"](), method)()
    assert table.to_csv() == (DOCS / "results" / f"linkages-{name}.csv").read_text(encoding="utf-8")


def test_every_committed_row_has_its_seed_and_no_file_is_large():
    paths = sorted((DOCS / "results").glob("linkages-*.csv"))
    assert len(paths) == 10
    assert max(path.stat().st_size for path in paths) <= 200_000
    for name in ("recovery", "draws", "agreement-unscaled", "agreement-scaled", "errors-unscaled", "errors-scaled"):
        assert set(committed("linkages", name)["seed"]) == {0}


@pytest.mark.slow
def test_a_part_of_the_full_run_comes_out_again():
    names = ("iris", "appendicitis", "tae", "zoo")
    sources = [source for source in catalogue() if source.name in names]
    try:
        tables = list(fetch_tables(sources))
    except InvalidInputError as error:
        pytest.skip(f"needs packages of the index, which cannot be fetched here: {error}")
    shown = committed("linkages", "recovery").set_index(["table", "scaled", "linkage"])
    for table in tables:
        entry = study._entry(table, 0, study._N_DRAWS, study._N_HALVES)
        rows = shown.loc[table.name]
        assert rows[list(RECOVERY)].to_numpy() == pytest.approx(np.reshape(entry["recovery"][0], (16, 6)), abs=2e-4)
        errors = rows[[f"{name}_se" for name in RECOVERY]].to_numpy()
        assert errors == pytest.approx(np.reshape(entry["recovery_error"], (16, 6)), abs=2e-4)
