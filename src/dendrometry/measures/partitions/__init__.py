"""Measures of two partitions, one in each file."""
