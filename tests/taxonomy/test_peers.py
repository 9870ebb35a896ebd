"""The numbers of CAFA-evaluator and HiClass, which `peers/make.py` wrote down."""

import json
from pathlib import Path

import pytest

from dendrometry import Dag
from dendrometry.taxonomy import score_predictions

ALONE = {"n_permutations": 0, "n_bootstrap": 0}
NUMBERS = json.loads((Path(__file__).parent / "peers" / "numbers.json").read_text(encoding="utf-8"))
OF_CAFA = {  # names there and here
    "cov": "coverage",
    "pr": "macro_precision",
    "rc": "macro_recall",
    "f": "f_of_means",
    "pr_micro": "precision",
    "rc_micro": "recall",
    "f_micro": "f",
    "pr_w": "weighted_macro_precision",
    "rc_w": "weighted_macro_recall",
    "f_w": "weighted_f_of_means",
    "ru_w": "remaining_uncertainty",
    "mi_w": "misinformation",
    "s_w": "s",
    "f_micro_w": "weighted_f",
}


@pytest.mark.parametrize("case", NUMBERS["cafa"])
def test_equals_cafa_evaluator_at_every_threshold(case):
    dag = Dag.from_edges([tuple(edge) for edge in case["edges"]])
    steps = case["scores"]["tau"]
    found = score_predictions(
        case["truth"], case["found"], taxonomy=dag, thresholds=steps, information=case["weights"], **ALONE
    )
    assert found.thresholds["threshold"] == steps
    for theirs, ours in OF_CAFA.items():
        assert found.thresholds[ours] == pytest.approx(case["scores"][theirs], abs=1e-12)
    assert found["f_max"].value == pytest.approx(max(case["scores"]["f"]), abs=1e-12)
    assert found["weighted_f_max"].value == pytest.approx(max(case["scores"]["f_w"]), abs=1e-12)
    assert found["s_min"].value == pytest.approx(min(case["scores"]["s_w"]), abs=1e-12)


@pytest.mark.parametrize("case", NUMBERS["hiclass"])
def test_equals_hiclass(case):
    paths = case["truth"] + case["found"]
    edges = {(path[level], path[level - 1]) for path in paths for level in (1, 2)} | {
        (path[0], "top") for path in paths
    }
    found = score_predictions(case["truth"], case["found"], taxonomy=Dag.from_edges(sorted(edges)), **ALONE)
    for name in ("precision", "recall", "f"):
        assert found[name].value == pytest.approx(case["scores"][f"micro_{name}"], abs=1e-12)
        assert found[f"macro_{name}"].value == pytest.approx(case["scores"][f"macro_{name}"], abs=1e-12)
