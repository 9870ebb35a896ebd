"""Measures of two trees, one in each file."""
