"""What is true of b_cubed alone; test_definitions.py compares it with its definition."""

import pytest

from dendrometry.measures import b_cubed_precision, b_cubed_recall


def test_a_published_example():
    # Bagga and Baldwin 1998, figures 1 to 3: 12 mentions; the first answer joins two entities, the second two others
    truth = [1] * 5 + [2] * 2 + [3] * 5
    first, second = [1] * 5 + [2] * 7, [1] * 5 + [2] * 2 + [1] * 5
    assert [b_cubed_precision(truth, x) for x in (first, second)] == pytest.approx([0.76, 0.58], abs=0.01)
    assert [b_cubed_recall(truth, x) for x in (first, second)] == [1.0, 1.0]
