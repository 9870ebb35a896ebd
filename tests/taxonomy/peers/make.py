"""Write ``numbers.json``: what CAFA-evaluator 1.3.0 and HiClass 5.0.8 score on random ontologies and a tree.

Run in an environment with both: ``python tests/taxonomy/peers/make.py``.
"""

import json
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from cafaeval.evaluation import cafa_eval
from hiclass.metrics import f1, precision, recall

HERE = Path(__file__).parent


def ontology(rng, n_terms):
    """Return pairs of a child and a parent with one root, t0."""
    edges = []
    for v in range(1, n_terms):
        above = {int(p) for p in rng.integers(0, v, 1 + rng.integers(0, 3))}
        edges += [(f"t{v}", f"t{p}") for p in sorted(above)]
    return edges


def cafa(seed):
    """Return a case with the scores of CAFA-evaluator at each threshold."""
    rng = np.random.default_rng(seed)
    edges = ontology(rng, 30)
    truth = {f"p{i}": sorted({f"t{v}" for v in rng.integers(1, 30, 3).tolist()}) for i in range(12)}
    found = {
        f"p{i}": {
            f"t{v}": round(float(s), 2) for v, s in zip(rng.integers(1, 30, 6), rng.random(6), strict=True) if s > 0.01
        }
        for i in range(10)
    }
    weights = {f"t{v}": round(float(w), 3) for v, w in enumerate(rng.random(30)) if v}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        stanzas = [
            f"[Term]\nid: t{v}\nname: t{v}\nnamespace: one\n"
            + "".join(f"is_a: {p}\n" for c, p in edges if c == f"t{v}")
            for v in range(30)
        ]
        (place / "x.obo").write_text("format-version: 1.2\n\n" + "\n".join(stanzas))
        (place / "ia.tsv").write_text("".join(f"{term}\t{w}\n" for term, w in weights.items()))
        (place / "gt.tsv").write_text("".join(f"{p}\t{t}\n" for p, row in truth.items() for t in row))
        (place / "found").mkdir()
        (place / "found" / "a.tsv").write_text(
            "".join(f"{p}\t{t}\t{s}\n" for p, row in found.items() for t, s in row.items())
        )
        options = {"ia": str(place / "ia.tsv"), "no_orphans": True, "th_step": 0.125}
        frame, _ = cafa_eval(str(place / "x.obo"), str(place / "found"), str(place / "gt.tsv"), **options)
    frame = frame.reset_index()
    wanted = [
        "tau",
        "cov",
        "pr",
        "rc",
        "f",
        "pr_micro",
        "rc_micro",
        "f_micro",
        "pr_w",
        "rc_w",
        "f_w",
        "ru_w",
        "mi_w",
        "s_w",
        "f_micro_w",
    ]
    return {"edges": edges, "truth": truth, "found": found, "weights": weights, "scores": frame[wanted].to_dict("list")}


def hiclass(seed):
    """Return paths in a tree of three levels with the scores of HiClass."""
    rng = np.random.default_rng(seed)
    true, other = rng.integers(0, 3, (2, 20, 3))
    other = np.where(rng.random((20, 1)) < 0.4, true, other)
    paths = [[[f"{a}", f"{a}.{b}", f"{a}.{b}.{c}"] for a, b, c in rows.tolist()] for rows in (true, other)]
    scores = {
        f"{average}_{name}": float(call(*map(np.array, paths), average=average))
        for name, call in (("precision", precision), ("recall", recall), ("f", f1))
        for average in ("micro", "macro")
    }
    return {"truth": paths[0], "found": paths[1], "scores": scores}


if __name__ == "__main__":
    content = {
        "versions": {name: version(name) for name in ("cafaeval", "hiclass")},
        "cafa": [cafa(seed) for seed in range(3)],
        "hiclass": [hiclass(seed) for seed in range(3)],
    }
    (HERE / "numbers.json").write_text(json.dumps(content) + "\n")
