"""The number of random cases: some thousands in every run, a million in the slow proofs."""

import pytest

# What is drawn: in every run, in the slow proofs.
CASES = {
    "arguments": (1_700, 150_000),  # shared by all public functions
    "newick": (1_000, 274_000),
    "json": (1_000, 120_000),
    "csv": (1_000, 100_000),
    "published texts": (900, 20_000),  # shared by the formats
    "npy": (1_000, 100_000),
    "linkage arrays": (1_000, 80_000),
    "whole files": (2_100, 35_000),  # shared by the formats
    "every format": (540, 20_000),  # shared by the samples
    "terms with several parents": (140, 6_000),  # shared by the samples
    "parquet files": (30, 600),
    "parquet tables": (25, 2_400),
    "sparse matrices": (120, 92_000),  # shared by the functions that take them
}


def draws_of(kind, share=1.0):
    """Give a test its share of the cases of a kind as ``draws``, and another ``seed`` in the slow proofs."""
    few, many = (max(1, round(count * share)) for count in CASES[kind])
    return pytest.mark.parametrize(
        ("draws", "seed"),
        [
            pytest.param(few, 1, id="few"),
            pytest.param(many, 2, id="many", marks=[pytest.mark.slow, pytest.mark.compiled]),
        ],
    )
