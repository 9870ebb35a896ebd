"""``dendrometry convert``."""

import warnings

import pytest

import dendrometry as dm
from dendrometry.io._shared.format_names import ENDINGS


@pytest.mark.parametrize("ending", [suffix for suffixes in ENDINGS.values() for suffix in suffixes])
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_a_tree_is_converted_between_all_formats(run, tmp_path, ending, packed):
    source, target, back = tmp_path / "tree.nwk", tmp_path / f"out{ending}{packed}", tmp_path / "back.json"
    source.write_text("((0:1,1:1):1,2:2);")
    tree = dm.read(source)
    code, out, err = run("convert", source, target)
    assert (code, out) == (0, "")
    assert err.endswith(f"wrote {target}\n")
    assert run("convert", target, back)[0] == 0
    heights = ending in (*ENDINGS["newick"], *ENDINGS["nexus"], ".json", ".npy")
    assert dm.read(back) == (tree if heights else dm.from_newick("((0,1),2);"))
    assert ("warning: paths hold no heights" in err) == (not heights)


def test_lost_meaning_is_one_line_and_no_python_warning(run, paths, tmp_path):
    target = tmp_path / "out.csv"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run("convert", paths[0], target)[2] == (
            f"dendrometry: warning: paths hold no heights; they are left out\nwrote {target}\n"
        )


def test_standard_output_needs_a_format_and_files_need_none(run, paths):
    assert run("convert", paths[0], "-")[2].startswith("dendrometry: standard output, given as -, needs a format: --to")
    assert "--to is the format of standard output" in run("convert", paths[0], "b.json", "--to", "json")[2]
