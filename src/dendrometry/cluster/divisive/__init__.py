"""Algorithms that divide clusters, one in each file."""
