"""Readings: what several measures of two partitions share, computed once."""
