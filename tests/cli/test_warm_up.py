"""``dendrometry warm-up``, and what is said on a terminal while loops are compiled."""

import pytest

import dendrometry.cli
from dendrometry import _progress, _warm_up
from dendrometry._kernels import _jit


def test_warm_up_compiles_whatever_the_size_and_says_so(run, monkeypatch):
    limits = []
    monkeypatch.setattr(_jit, "_little", 2**12)
    monkeypatch.setattr(_warm_up, "_calls", lambda: [lambda: limits.append(_jit._little)] * 2)
    assert run("warm-up") == (0, "compiled\n", "")
    assert limits == [-1, -1]
    assert _jit._little == 2**12


@pytest.mark.slow
@pytest.mark.compiled
def test_no_later_call_compiles(tmp_path, monkeypatch):
    import dendrometry as dm
    from dendrometry._kernels import _compiler

    dm.warm_up()
    monkeypatch.setattr(_compiler.Compiled, "compile", lambda *_: pytest.fail("compiles"))
    points = dm.generate.diffused_points(dm.generate.random_tree(3000, rng=0), rng=0)
    a, b = (dm.agglomerate(points, linkage=linkage).hierarchy for linkage in ("ward", "average"))
    dm.write(a, tmp_path / "a.nwk")
    dm.report(dm.compare(dm.read(tmp_path / "a.nwk"), b, n_permutations=1), tmp_path / "report.html")
    labels = [dm.cut_count(tree, 50).labels for tree in (a, b)]
    dm.comparison.compare_partitions(*labels)
    with pytest.warns(dm.errors.AssumptionWarning, match="lengths have 10 digits"):
        dm.from_newick("((x:0.3333333333,y:0.3333333333):0.3333333333,z:0.6666666667,early:0.1);")
    dm.from_newick("((x:0.3333333333,y:0.3333333333):0.3333333333,z:0.6666666667);")


@pytest.mark.parametrize(("terminal", "said"), [(True, "dendrometry: compiling, first run only\n"), (False, "")])
def test_long_compiling_is_announced_on_a_terminal(run, monkeypatch, capsys, terminal, said):
    monkeypatch.setattr(_progress, "_waiting", [])
    monkeypatch.setattr(dendrometry.cli, "on_terminal", lambda: terminal)
    run("measures")
    _progress.announce_compiling()
    _progress.announce_compiling()
    assert capsys.readouterr().err == said
