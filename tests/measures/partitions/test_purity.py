"""What is true of purity alone; test_definitions.py compares it with its definition."""

from dendrometry.measures import purity


def test_the_book_example():
    # Introduction to Information Retrieval, figure 16.4: (5 + 4 + 3) / 17
    clusters = [1] * 6 + [2] * 6 + [3] * 5
    classes = list("xxxxxo") + list("xoooo#") + list("xx###")
    assert purity(classes, clusters) == 12 / 17
