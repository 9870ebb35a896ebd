"""Measures of two partitions."""
