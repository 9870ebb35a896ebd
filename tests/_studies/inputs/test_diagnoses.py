"""Diagnoses: which codes correspond one to one, and where they are in four classifications."""

import numpy as np
import pytest

from dendrometry._studies.inputs.diagnoses import LEVELS, one_to_one, planted_diagnoses, read_diagnoses


def rows(*pairs, combination="0", no_map="0"):
    return [{"icd9cm": a, "icd10cm": b, "combination": combination, "no_map": no_map} for a, b in pairs]


def test_codes_correspond_if_each_is_the_only_match_of_the_other():
    forth = rows(("1", "A"), ("2", "B"), ("2", "C"), ("3", "D"), ("4", "E"), ("5", "F"))
    back = rows(("1", "A"), ("2", "B"), ("3", "D"), ("9", "D"), ("4", "E"), ("5", "F"))
    assert one_to_one(forth, back) == {"1": "A", "4": "E", "5": "F"}
    assert one_to_one(forth + rows(("6", "G"), combination="1"), back + rows(("6", "G"))) == {
        "1": "A",
        "4": "E",
        "5": "F",
    }
    assert one_to_one(rows(("1", "A"), no_map="1"), back) == {}


CCS = """'ICD-10-CM CODE','CCS CATEGORY','DESCRIPTION','CCS','MULTI CCS LVL 1','LABEL','MULTI CCS LVL 2','LABEL'
'A000','135',"Cholera, due to Vibrio","Intestinal infection",'9',"Digestive",'9.1',"Intestinal infection [135.]"
'V011','2',"Pedestrian","Other",'17',"External",' '," "
"""


def test_each_diagnosis_has_a_path_in_each_classification():
    data = read_diagnoses(
        {"0010": "A000", "E8140": "V011", "999": "Z000"},
        {"A000": "DIG001", "V011": "EXT002"},
        [["A00-B99", "V00-Y99"], ["A00-A09", "V00-V09"]],
        {"1": "001-139", "19": "E000-E999"},
        CCS,
    )
    assert data.items == ("0010 = A000", "E8140 = V011")
    assert data.titles == ("Cholera, due to Vibrio", "Pedestrian")
    assert data.paths["ICD-9"] == (("1", "001", "0010"), ("19", "E814", "E8140"))
    assert data.paths["ICD-10"][1] == ("V00-Y99", "V00-V09", "V01", "V011")
    assert data.paths["CCS"] == (("Digestive", "Intestinal infection [135.]", "135"), ("External", "2"))
    assert data.paths["CCSR"] == (("DIG", "DIG001"), ("EXT", "EXT002"))


@pytest.mark.parametrize("name", LEVELS)
def test_planted_diagnoses_have_all_levels(name):
    data = planted_diagnoses(30, np.random.default_rng(0))
    assert {len(path) for path in data.paths[name]} == {len(LEVELS[name])}
