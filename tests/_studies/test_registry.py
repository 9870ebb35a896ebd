"""The registry of studies: every entry has its function, its line and a quick form, and one way to refuse."""

import inspect
import re

import pytest

from dendrometry._studies import STUDIES, reproduce
from dendrometry.errors import InvalidInputError


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda study: study.name)
def test_every_study_says_what_it_shows_and_has_a_function_with_the_common_options(study):
    assert STUDIES[study.name] is study
    assert "\n" not in study.meaning
    options = inspect.signature(study.call).parameters
    assert {"quick", "rng", "progress"} <= set(options)
    assert options["rng"].default == 0
    assert ("labels" in options) == study.takes_labels
    assert ("data" in options) == study.takes_data
    assert ">>>" in inspect.getdoc(study.call)


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda study: study.name)
def test_every_study_says_what_it_costs_and_downloads(study):
    download = r"\d+ MB from (PyPI|npm)"
    assert re.fullmatch(rf"(\d+ (s|min)|time not measured)(, downloads {download}(, {download})?)?", study.cost)


@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if not study.takes_labels])
def test_studies_that_take_no_labels_refuse_them_before_they_start(name):
    with pytest.raises(InvalidInputError, match=rf"labels apply only to the study worsening; got study {name}"):
        reproduce(name, labels=[0, 1])


@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if not study.takes_data])
def test_studies_that_read_no_files_refuse_them_before_they_start(name):
    with pytest.raises(InvalidInputError, match=rf"data apply only to the .*reuters.*; got study {name}"):
        reproduce(name, data="folder")


def test_what_is_no_source_of_randomness_is_refused():
    with pytest.raises(InvalidInputError, match=r"rng must be a numpy Generator, .*; got 'often'"):
        reproduce("worsening", quick=True, rng="often")


def test_what_is_no_name_is_refused():
    with pytest.raises(InvalidInputError, match="the study must be '"):
        reproduce(["worsening"])
